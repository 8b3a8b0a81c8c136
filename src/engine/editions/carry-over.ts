/**
 * What is published for a name stays until its gateway reports: a release that takes its fixed address away, or renames it,
 * carries over what was published as if it had been reported. A row says so while it is on its way into the released edition,
 * so that a plan knows it too; the release itself keeps it with the reports.
 */
import type { Instant } from '../../kernel/clock.ts'
import {
  carriedAddresses,
  carriedOver,
  isPublished,
  type ReportedByHost,
} from '../../model/domain/address-sources.ts'
import { CARRIED_OVER, type ManagedType, type ReportedAddress } from '../../model/network/dns.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { ReleaseRow, StoreReader, StoreWriter } from '../../ports/store.ts'

/** The row as it enters the released edition in the place of `old`. */
export function carrying(row: IntentRow, old: IntentRow | undefined): IntentRow {
  const carried = row.live && old?.retired === false ? carriedOver(row.fields, old.fields) : null
  return carried === null ? row : { ...row, carried }
}

/** Saved rows that would carry something over if they were deployed now. */
export function carryingRows(working: Intent, released: Intent): readonly IntentRow[] {
  const before = new Map(
    released.rows
      .filter(({ fields }) => fields.static_ip !== null || fields.ddns_enabled)
      .map((row) => [row.domain_id, row]),
  )
  if (before.size === 0) return []
  return working.rows
    .map((row) => carrying(row, before.get(row.domain_id)))
    .filter(({ carried }) => carried !== undefined)
}

export interface CarriedAddress {
  readonly host: string
  readonly ipv4: string | null
  readonly ipv6: string | null
}

/** What a release of these rows would keep as reported; nothing for a name that has a report of its own. */
export async function carriedBy(
  reader: StoreReader,
  rows: readonly ReleaseRow[],
): Promise<readonly CarriedAddress[]> {
  const released = await reader.intent('released')
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  const carriers = rows.flatMap(({ row }) => {
    const entering = row === null ? null : carrying(row, before.get(row.domain_id))
    return entering?.carried === undefined ? [] : [entering]
  })
  if (carriers.length === 0) return []
  const reported = byHost(await reader.reportedAddresses())
  return carriers.flatMap(({ fields: { domain: host }, carried }) => {
    const known = carriedAddresses({ host }, reported)
    const addresses = known.length > 0 ? [] : carriedAddresses(carried, reported)
    const ofFamily = (v6: boolean) => addresses.find((address) => address.includes(':') === v6) ?? null
    return addresses.length === 0 ? [] : [{ host, ipv4: ofFamily(false), ipv6: ofFamily(true) }]
  })
}

/** To be called within the transaction of the release, before its rows have moved. */
export async function carryOver(tx: StoreWriter, rows: readonly ReleaseRow[], at: Instant): Promise<void> {
  for (const { host, ipv4, ipv6 } of await carriedBy(tx, rows)) {
    await tx.saveReportedAddress({ host, ipv4, ipv6, changed_at: at, reported_at: at })
    const families: readonly [ManagedType, string | null][] = [
      ['A', ipv4],
      ['AAAA', ipv6],
    ]
    for (const [type, address] of families)
      if (address !== null) await tx.addAddressChange({ host, type, address, at, actor: CARRIED_OVER })
  }
  await dropOutdated(tx, rows, at)
}

/** What was only carried over is no report: another fixed address takes its place for good. */
async function dropOutdated(tx: StoreWriter, rows: readonly ReleaseRow[], at: Instant): Promise<void> {
  const fixed = rows.flatMap(({ row }) =>
    row?.live === true && isPublished(row.fields) && row.fields.static_ip !== null ? [row.fields.domain] : [],
  )
  if (fixed.length === 0) return
  const reported = byHost(await tx.reportedAddresses())
  for (const host of fixed) {
    if (carriedAddresses({ host }, reported).length === 0) continue
    const [newest] = await tx.addressHistory(host, 1)
    if (newest?.actor === CARRIED_OVER)
      await tx.saveReportedAddress({ host, ipv4: null, ipv6: null, changed_at: at, reported_at: at })
  }
}

const byHost = (reports: readonly ReportedAddress[]): ReportedByHost =>
  new Map(reports.map((report) => [report.host, report]))
