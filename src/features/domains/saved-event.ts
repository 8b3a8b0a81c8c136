/** Tells whoever listens that records were saved, as a part of the change itself: two open consoles never disagree for long. */
import type { AuditFacts } from '../../core/audit/facts.ts'
import type { Ended, MadeChange } from '../../core/commit/hooks.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { Deps } from './deps.ts'

/** Of more at once nobody is named: whoever shows any reads them again. */
const MAX_NAMED = 500

export const tellsOfSaves =
  ({ events }: Pick<Deps, 'events'>) =>
  async (tx: StoreWriter, { audit, at, actor }: MadeChange): Promise<Ended> => {
    const saved = audit.filter(isSave)
    const [first] = saved
    if (first === undefined) return { ...NOTHING, durable: () => undefined }
    const ids = [...new Set(saved.map(({ domain_id }) => domain_id!))]
    const alone = ids.length === 1 ? saved.at(-1)! : null
    const message = `${actor} saved ${alone === null ? `${ids.length} domains` : nameWords(alone)}.`
    const facts = {
      ids: ids.length > MAX_NAMED ? null : ids,
      count: ids.length,
      revision: alone?.revision_after ?? null,
      action: first.action,
      actor,
    }
    await tx.addEvent({ at, kind: 'saved', message, facts })
    return { ...NOTHING, durable: () => events.added() }
  }

const NOTHING = { audit: [], warnings: [] } as const

const isSave = ({ domain_id, revision_before, revision_after }: AuditFacts): boolean =>
  domain_id !== null && revision_before !== revision_after

const nameWords = ({ domain, revision_after }: AuditFacts): string =>
  `${domain}${revision_after === null ? ', which is deleted' : ''}`
