/** What would stop an order now, found out before one is made. */
import { isoTime } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { ledgerBlock, provenNames } from './begin-order.ts'
import type { CertificateWish, Hindrance } from './issuer.ts'
import type { IssuerParts } from './parts.ts'
import { installedAs, troubleOf } from './rows.ts'
import { waitsUntil } from './trouble.ts'

type Parts = Pick<IssuerParts, 'store' | 'acme' | 'challenges' | 'caa' | 'clock'>

export async function preflight(
  parts: Parts,
  wish: CertificateWish,
  signal: AbortSignal,
): Promise<readonly Hindrance[]> {
  const found: Hindrance[] = []
  for (const name of provenNames(wish.names)) found.push(...(await inTheZone(parts, name, signal)))
  for (const name of wish.names) {
    const detail = await orUnknown(parts.caa(name, signal), signal)
    if (detail !== null) found.push({ what: 'caa', detail, until: null })
  }
  const block = await ledgerBlock(parts, wish.names)
  if (block !== null) found.push({ what: 'ledger', ...block })
  return [...found, ...(await trouble(parts, wish))]
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

async function orUnknown(answer: Promise<string | null>, signal: AbortSignal): Promise<string | null> {
  try {
    return await answer
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}

async function trouble(parts: Parts, { name }: CertificateWish): Promise<Hindrance[]> {
  const row = await troubleOf(parts, name)
  const until = waitsUntil(row, await installedAs(parts, name), parts.clock.now())
  if (row === null || until === null) return []
  const detail = `${row.message} Failed ${row.failures} times in a row, last at ${isoTime(row.failed_at)}.`
  return [{ what: 'trouble', detail: row.failures === 1 ? row.message : detail, until }]
}
