/** Rows of an edition for tests: a record, its name, and what differs from the usual. */
import { byDomain, type Intent, type IntentRow } from '../../../src/model/intent.ts'
import { aRow, type RowWish } from '../../fixtures.ts'

/** A TCP route without TLS: it has the entrypoint for itself. */
export const PLAIN_SSH = {
  service_type: 'tcp-proxy',
  tcp_entrypoint: 'ssh',
  ssl_enabled: false,
} as const satisfies RowWish

export const row = (domain_id: number, label: string, over: RowWish = {}): IntentRow =>
  aRow({ domain_id, domain: `${label}.example.com`, ...over })

export const off = (live: IntentRow): IntentRow => ({ ...live, live: false })

export const edition = (...rows: readonly IntentRow[]): Intent => ({ rows: rows.toSorted(byDomain) })
