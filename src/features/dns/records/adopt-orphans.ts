/**
 * Takes back the sets at names of these records that bear our own mark and that the ledger does not know: a newer database
 * made them, and a person has just decided that what it had counts. What bears no mark of ours stays somebody else's.
 *
 * A mark beside a name is for all sets of it, and says nothing of which of several are ours. Of those only what is as it is
 * wanted is taken back; a person adopts the others.
 */
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { ownedRow } from './adopt-record.ts'
import { MAX_LOOK_MS } from '../service.ts'
import { dnsRecords } from '../records.ts'
import { sameValues } from '../target/writing/fit.ts'
import type { DnsRecordView } from '../views.ts'

/** Answers warnings: for a zone that could not be read, each of its sets is for a person to adopt. */
export async function adoptOrphans(
  { store, dns, clock }: Deps,
  domain_ids: readonly number[],
  { actor, signal }: Pick<Caller, 'actor' | 'signal'>,
): Promise<readonly string[]> {
  const released = await store.intent('released')
  const ids = new Set(domain_ids)
  const names = released.rows.filter((row) => ids.has(row.domain_id)).map(({ fields }) => fields.domain)
  const zones = [...new Set(names.flatMap((name) => dns.zoneFor(name) ?? []))]
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_LOOK_MS)])
  const warnings: string[] = []
  for (const zone of zones) {
    const look = await dns.look(zone, released, bounded)
    if (!look.known) {
      warnings.push(`${zone} could not be read, so its records are yours to adopt: ${look.detail}`)
      continue
    }
    const found = look.records.filter(
      ({ state, domain_id, observed }) =>
        state === 'orphan' && observed !== null && domain_id !== null && ids.has(domain_id),
    )
    const orphans = found.filter((record) => isCertain(record, found))
    for (const { name, type, observed } of found.filter((record) => !orphans.includes(record)))
      warnings.push(
        `${type} ${name} (${observed!.join(', ')}) stands under our mark beside another set and is not as it is wanted: whether it is ours is not known. Adopt it, or leave it alone.`,
      )
    if (orphans.length === 0) continue
    const at = clock.now()
    await store.write(async (tx) => {
      await tx.of(dnsRecords).saveOwnedRrsets(orphans.map((record) => ownedRow(record, look.ids, at)))
      for (const { name, type, domain_id, observed } of orphans)
        await tx.audit({
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
    })
  }
  return warnings
}

/** A mark in its own comment is for it alone; so is one beside its name where no other set stands. */
function isCertain(record: DnsRecordView, all: readonly DnsRecordView[]): boolean {
  if (record.comment?.startsWith('plumbline:') === true) return true
  const is_alone = all.filter(({ name }) => name === record.name).length === 1
  return is_alone || (record.desired !== null && sameValues(record.desired, record.observed!))
}
