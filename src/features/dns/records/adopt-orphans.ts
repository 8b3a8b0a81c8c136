/**
 * Takes back the sets at names of these records that bear our own mark and that the ledger does not know: a newer database
 * made them, and a person has just decided that what it had counts. What bears no mark of ours stays somebody else's.
 *
 * A mark beside a name is for all sets of it, and says nothing of which of several are ours. Of those only what is as it is
 * wanted is taken back; a person adopts the others.
 */
import type { Caller } from '../../../core/caller.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { Deps } from '../deps.ts'
import { ownedRow } from './adopt-record.ts'
import { MAX_LOOK_MS, type RecordIds, type ZoneLook } from '../service.ts'
import { dnsRecords } from '../records.ts'
import { sameValues } from '../target/writing/fit.ts'
import type { DnsRecordView } from '../views.ts'

/** Answers warnings: for a zone that could not be read, each of its sets is for a person to adopt. */
export async function adoptOrphans(
  deps: Deps,
  domain_ids: readonly number[],
  { actor, signal }: Pick<Caller, 'actor' | 'signal'>,
): Promise<readonly string[]> {
  const { store, dns } = deps
  const released = await store.intent('released')
  const ids = new Set(domain_ids)
  const names = released.rows.filter((row) => ids.has(row.domain_id)).map(({ fields }) => fields.domain)
  const zones = [...new Set(names.flatMap((name) => dns.zoneFor(name) ?? []))]
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_LOOK_MS)])
  const warnings: string[] = []
  for (const zone of zones) {
    const look = await dns.look(zone, released, bounded)
    warnings.push(...(await adoptIn(deps, { zone, look, ids }, actor)))
  }
  return warnings
}

interface LookedAtZone {
  readonly zone: string
  readonly look: ZoneLook
  /** Of the records that are decided about. */
  readonly ids: ReadonlySet<number>
}

async function adoptIn(
  deps: Deps,
  { zone, look, ids }: LookedAtZone,
  actor: Caller['actor'],
): Promise<readonly string[]> {
  if (!look.known) return [`${zone} could not be read, so its records are yours to adopt: ${look.detail}`]
  const found = look.records.filter(
    ({ state, domain_id, observed }) =>
      state === 'orphan' && observed !== null && domain_id !== null && ids.has(domain_id),
  )
  const orphans = found.filter((record) => isCertain(record, found))
  const warnings = found.filter((record) => !orphans.includes(record)).map(uncertainOf)
  if (orphans.length > 0) await saveAdopted(deps, { zone, orphans, ids: look.ids }, actor)
  return warnings
}

const uncertainOf = ({ name, type, observed }: DnsRecordView): string =>
  `${type} ${name} (${observed!.join(', ')}) stands under our mark beside another set and is not as it is wanted: whether it is ours is not known. Adopt it, or leave it alone.`

interface Adopted {
  readonly zone: string
  readonly orphans: readonly DnsRecordView[]
  readonly ids: RecordIds
}

async function saveAdopted(
  { store, clock }: Deps,
  { zone, orphans, ids }: Adopted,
  actor: Caller['actor'],
): Promise<void> {
  const at = clock.now()
  await store.write(async (tx) => {
    await tx.of(dnsRecords).saveOwnedRrsets(orphans.map((record) => ownedRow(record, ids, at)))
    for (const record of orphans) await tx.audit(auditOf(record, zone, { actor, at }))
  })
}

const auditOf = (
  { name, type, domain_id, observed }: DnsRecordView,
  zone: string,
  { actor, at }: { readonly actor: Caller['actor']; readonly at: Instant },
) => ({
  at,
  actor: actor.name,
  request_id: actor.request_id,
  action: 'adopt_record',
  domain_id,
  domain: name,
  revision_before: null,
  revision_after: null,
  plan_hash: null,
  detail: { zone, record: `${type} ${name}`, values: observed },
})

/** A mark in its own comment is for it alone; so is one beside its name where no other set stands. */
function isCertain(record: DnsRecordView, all: readonly DnsRecordView[]): boolean {
  if (record.comment?.startsWith('plumbline:') === true) return true
  const is_alone = all.filter(({ name }) => name === record.name).length === 1
  return is_alone || (record.desired !== null && sameValues(record.desired, record.observed!))
}
