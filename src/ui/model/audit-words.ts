/** An entry of the audit trail as a sentence: who did what to which. */
import type { AuditEntry } from '../api/types.ts'
import { actorName, componentWords, plain } from './words.ts'

const ACTIONS = new Map<string, string>([
  ['create', 'created'],
  ['update', 'saved'],
  ['delete', 'deleted'],
  ['import', 'imported'],
  ['activate', 'activated'],
  ['deactivate', 'deactivated'],
  ['disable', 'disabled for good'],
  ['deploy', 'deployed'],
  ['deploy_all', 'deployed all that was saved'],
  ['deploy_proxy', 'deployed to the proxy'],
  ['reconcile', 'asked for a repair of'],
  ['go_back', 'went back with'],
  ['restore', 'restored'],
  ['discard', 'put back to the release'],
  ['expose', 'created and deployed'],
  ['rename', 'renamed'],
  ['repair', 'put back'],
  ['undo_edit', 'put back'],
  ['set_mode', 'set the mode of'],
  ['ignore', 'let a difference stay in'],
  ['ignore_end', 'let a difference stay no more in'],
  ['refused', 'was refused'],
  ['deploy_all_failed', 'could not finish the deploy of everything'],
  ['deploy_proxy_failed', 'could not finish the deploy to the proxy'],
  ['import_failed', 'could not finish the import'],
  ['restore_failed', 'could not finish a way back'],
  ['deploy_failed', 'could not finish the deploy of'],
  ['activate_failed', 'could not finish the activation of'],
  ['deactivate_failed', 'could not finish the deactivation of'],
  ['disable_failed', 'could not finish the disabling of'],
  ['delete_failed', 'could not finish the deletion of'],
  ['expose_failed', 'could not finish creating and deploying'],
  ['reconcile_failed', 'could not finish a repair of'],
  ['sign_in', 'signed in'],
  ['sign_out', 'signed out'],
  ['refuse_sign_in', 'was refused a sign-in'],
])

/** For a filter: what the trail calls it, and in words. */
export const KNOWN_ACTIONS: readonly (readonly [string, string])[] = [
  ...new Map([
    ...ACTIONS,
    ['repair', 'put back through Plumbline'],
    ['undo_edit', 'put back by itself'],
  ] as const),
]

/** It was accepted, and not carried out. */
export const isFailed = ({ action }: Pick<AuditEntry, 'action'>): boolean => action.endsWith('_failed')

export const auditText = (entry: EntryFacts): string =>
  `${actorName(entry.actor)} ${actionText(entry)}${wayText(entry)}`

/** Whether something was put back without anybody, or by somebody. */
function wayText({ actor, action, detail }: EntryFacts): string {
  if (!PUT_BACK.has(action)) return ''
  if (actor !== 'reconciler') return ' through Plumbline'
  return detail?.['asked'] === true ? ', as it was asked to' : ' by itself'
}

/** What the reconciler undid, and what somebody asked for by its plan. */
const PUT_BACK: ReadonlySet<string> = new Set(['undo_edit', 'repair'])

type EntryFacts = Pick<AuditEntry, 'actor' | 'action' | 'domain'> & { readonly detail?: AuditEntry['detail'] }

function actionText({ action, domain, detail }: EntryFacts): string {
  if ((action === 'set_mode' || action === 'end_mode') && detail !== undefined) return modeText(detail)
  const component = detail?.['component']
  const all = action.startsWith('reconcile') ? 'everything' : ''
  const what = domain ?? (typeof component === 'string' ? titleOf(component) : all)
  const at = action === 'refused' && what !== '' ? 'at ' : ''
  return `${ACTIONS.get(action) ?? pastText(action)} ${at}${what}`.trim()
}

const IRREGULAR = new Map([
  ['begin', 'began'],
  ['get', 'got'],
  ['make', 'made'],
  ['put', 'put'],
  ['read', 'read'],
  ['send', 'sent'],
  ['set', 'set'],
  ['take', 'took'],
])

/** `create_edge` is "created edge". */
function pastText(action: string): string {
  const [verb = '', ...rest] = plain(action).split(' ')
  const past =
    IRREGULAR.get(verb) ??
    (verb.endsWith('e') ? `${verb}d` : /[^aeiou]y$/.test(verb) ? verb.replace(/y$/, 'ied') : `${verb}ed`)
  return [verb.endsWith('ed') ? verb : past, ...rest].join(' ')
}

const titleOf = (scope: string): string => {
  const { title, detail } = componentWords(scope)
  return `${title} ${detail}`.trim()
}

function modeText({ scope, mode, ended }: Readonly<Record<string, unknown>>): string {
  const what = scope === '*' ? 'everything' : titleOf(String(scope))
  return typeof ended === 'string'
    ? `ended ${ended} of ${what}, which is at ${String(mode)} again`
    : `set ${what} to ${String(mode)}`
}

export interface MovedField {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

type Detail = AuditEntry['detail']

const isMove = (value: unknown): value is Omit<MovedField, 'field'> =>
  typeof value === 'object' && value !== null && 'before' in value && 'after' in value

/** The fields that an entry moved, as its detail has them: `{ backend_port: { before, after } }`. */
export const movedIn = (detail: Detail): readonly MovedField[] =>
  Object.entries(detail).flatMap(([field, value]) =>
    isMove(value) ? [{ field, before: value.before, after: value.after }] : [],
  )

/** What else its detail says. */
export const restOf = (detail: Detail): readonly (readonly [string, unknown])[] =>
  Object.entries(detail).filter(([, value]) => value !== null && !isMove(value))
