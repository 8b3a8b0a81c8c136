/** A name that a saved rename has freed and the world has not: somebody else may have it saved, and cannot deploy it yet. */
import { deployedTogether, ringOfDeploys, waitingWords } from '../../engine/editions/ring.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { StoreReader } from '../../ports/store.ts'

/** Warnings for a record that was just given its name. */
export async function deployedElsewhere(
  tx: StoreReader,
  { id, domain }: Pick<DomainRecord, 'id' | 'domain'>,
): Promise<readonly string[]> {
  const released = await tx.intent('released')
  const holder = released.rows.find(
    ({ live, domain_id, fields }) => live && domain_id !== id && fields.domain === domain,
  )
  if (holder === undefined) return []
  const { domain_id } = holder
  const why = `${domain} is still deployed for domain ${domain_id}, which was renamed and not deployed since`
  const ring = ringOfDeploys(id, { working: await tx.intent('working'), released })
  return ring.some((row) => row.domain_id === domain_id)
    ? [`${why}, and ${waitingWords(ring)}. ${deployedTogether(ring)}`]
    : [`${why}: deploy domain ${domain_id} first, until then this one cannot be activated`]
}
