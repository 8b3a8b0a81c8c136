/** What would stop an order now, found out before one is made. */
import { isoTime } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { ledgerBlock, provenNames } from './begin-order.ts'
import type { CertificateWish, Hindrance } from '../port.ts'
import type { IssuerParts } from '../parts.ts'
import { installedAs, faultOf } from '../rows.ts'
import { waitsUntil } from '../backoff.ts'

type Parts = Pick<IssuerParts, 'store' | 'acme' | 'challenges' | 'caa' | 'clock'>

export async function preflight(
  parts: Parts,
  wish: CertificateWish,
  signal: AbortSignal,
): Promise<readonly Hindrance[]> {
  const found: Hindrance[] = []
  for (const name of provenNames(wish.names)) found.push(...(await inTheZone(parts, name, signal)))
  found.push(...(await caaRefusals(parts, wish, signal)))
  const block = await ledgerBlock(parts, wish.names)
  if (block !== null) found.push({ what: 'ledger', ...block })
  return [...found, ...(await lastFailure(parts, wish))]
}

async function inTheZone({ challenges }: Parts, name: string, signal: AbortSignal): Promise<Hindrance[]> {
  try {
    const detail = await challenges.obstacle(`_acme-challenge.${name}`, signal)
    return detail === null ? [] : [{ what: 'zone', detail, until: null }]
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return [{ what: 'writable', detail: error.message, until: null }]
  }
}

/** What cannot be told stands in nobody's way. */
async function caaRefusals(
  { acme, caa }: Parts,
  { names }: CertificateWish,
  signal: AbortSignal,
): Promise<Hindrance[]> {
  const identities = await acme.caaIdentities(signal).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return []
  })
  const results = await Promise.all(
    names.map((name) => caa.evaluate({ name, identities, account_url: null }, signal)),
  )
  const refused = results.filter(({ allowed }) => allowed === false)
  return [...new Set(refused.map(({ detail }) => detail ?? 'CAA records do not allow the authority.'))].map(
    (detail) => ({ what: 'caa', detail, until: null }),
  )
}

async function lastFailure(parts: Parts, { name }: CertificateWish): Promise<Hindrance[]> {
  const row = await faultOf(parts, name)
  const until = waitsUntil(row, await installedAs(parts, name), parts.clock.now())
  if (row === null || until === null) return []
  const detail = `${row.message} Failed ${row.failures} times in a row, last at ${isoTime(row.failed_at)}.`
  return [{ what: 'trouble', detail: row.failures === 1 ? row.message : detail, until }]
}
