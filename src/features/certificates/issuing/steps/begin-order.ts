/** Beginning an order: what the ledger allows, whether it is rehearsed, and what it replaces. */
import { isoTime } from '../../../../kernel/clock.ts'
import type { CertificateOrder } from '../../order-records.ts'
import type { InstalledCertificate, LedgerEntry } from '../../records.ts'
import type { CertificateWish } from '../port.ts'
import { KEPT_MS, LIMITS, nextWithin, setSubject } from '../ledger.ts'
import { notNow } from '../order-failure.ts'
import type { IssuerParts } from '../parts.ts'
import { installedAs, faultOf } from '../rows.ts'

/** Throws a Failure (`provider_busy`) where the ledger says no. Nothing was asked of anybody then. */
export async function beginOrder(
  parts: IssuerParts,
  { name, names }: CertificateWish,
  reason: string,
): Promise<CertificateOrder> {
  const { acme, staging, clock, newId } = parts
  const authority = (await faultOf(parts, name))?.rehearse === true && staging !== null ? staging : acme
  const rehearsal = authority !== acme
  const block = rehearsal ? null : await ledgerBlock(parts, names)
  if (block !== null) throw notNow('provider_busy', block.detail, block.until - clock.now())
  const installed = await installedAs(parts, name)
  const now = clock.now()
  const order: CertificateOrder = {
    id: newId(),
    name,
    names,
    directory: authority.directory,
    rehearsal,
    replaces: rehearsal ? null : replacedBy(installed, { names, directory: authority.directory }),
    step: 'planned',
    order_url: null,
    challenges: [],
    reason,
    started_at: now,
    updated_at: now,
  }
  await parts.store.write(async (tx) => {
    await tx.saveOrder(order)
    const { directory } = order
    await tx.addToLedger({ at: now, directory, kind: 'ordered', subject: setSubject(names) })
    await tx.trimLedger(now - KEPT_MS)
  })
  return order
}

/** Only what the same authority issued, for at least one of the names (RFC 9773 §5). */
const replacedBy = (
  installed: InstalledCertificate | null,
  order: Pick<CertificateOrder, 'names' | 'directory'>,
): string | null =>
  installed?.directory === order.directory && installed.names.some((name) => order.names.includes(name))
    ? installed.ari_id
    : null

/** The limit that lasts longest; null where none is reached. */
export async function ledgerBlock(
  { store, acme, clock }: Pick<IssuerParts, 'store' | 'acme' | 'clock'>,
  names: readonly string[],
): Promise<{ readonly detail: string; readonly until: number } | null> {
  const subjects: (readonly [LedgerEntry['kind'], string])[] = [
    ['issued', setSubject(names)],
    ['ordered', setSubject(names)],
    ...provenNames(names).map((name) => ['failed_authorization', name] as const),
  ]
  const now = clock.now()
  let block: { detail: string; until: number } | null = null
  for (const [kind, subject] of subjects) {
    const since = now - LIMITS[kind].within_ms
    const entries = await store.ledger({ directory: acme.directory, kind, subject, since })
    const until = nextWithin(LIMITS[kind], entries, now)
    if (until !== null && until > (block?.until ?? now))
      block = { detail: words(kind, subject, until), until }
  }
  return block
}

const words = (kind: LedgerEntry['kind'], subject: string, until: number): string =>
  `${LIMITS[kind].most} ${LIMITS[kind].what} (${subject}) are as many as are risked before the authority's own limit. Next at ${isoTime(until)}.`

/** A wildcard is proven by the name below it, which the authority counts. */
export const provenNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.replace(/^\*\./, ''))),
]
