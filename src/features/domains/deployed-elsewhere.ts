/** A name that a saved rename has freed and the world has not: somebody else may have it saved, and cannot deploy it yet. */
import type { DomainRecord } from '../../model/domain/record.ts'
import type { StoreReader } from '../../ports/store.ts'

/** Warnings for a record that was just given its name. */
export async function deployedElsewhere(
  tx: StoreReader,
  { id, domain }: Pick<DomainRecord, 'id' | 'domain'>,
): Promise<readonly string[]> {
  const { rows } = await tx.intent('released')
  return rows
    .filter(({ live, domain_id, fields }) => live && domain_id !== id && fields.domain === domain)
    .map(
      ({ domain_id }) =>
        `${domain} is still deployed for domain ${domain_id}, which was renamed and not deployed since: ` +
        `deploy domain ${domain_id} first, until then this one cannot be activated`,
    )
}
