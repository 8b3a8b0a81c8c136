/** An entry of the audit trail as a sentence: who did what to which. */
import type { AuditEntry } from '../api/types.ts'
import { actorName, plain } from './words.ts'

const ACTIONS = new Map<string, string>([
  ['create', 'created'],
  ['update', 'saved'],
  ['delete', 'deleted'],
  ['import', 'imported'],
  ['activate', 'activated'],
  ['deactivate', 'deactivated'],
  ['disable', 'disabled for good'],
  ['deploy', 'deployed'],
  ['restore', 'restored'],
  ['discard', 'put back to the release'],
])

export const auditText = ({
  actor,
  action,
  domain,
}: Pick<AuditEntry, 'actor' | 'action' | 'domain'>): string =>
  `${actorName(actor)} ${ACTIONS.get(action) ?? plain(action)}${domain === null ? '' : ` ${domain}`}`
