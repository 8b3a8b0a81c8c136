/** Modes in words, and what ends when one is resumed from. Pure. */
import type { AuditEntry, HealthComponent, Modes } from '../../api/types.ts'
import { parseTime } from '../ages.ts'
import { capital, componentWords } from '../words.ts'

/** The address of the entries that `setAtOf` reads. */
export const MODE_TRAIL = '/api/audit?action=set_mode&limit=50'

export type Mode = 'repair' | 'observe' | 'suspend'

export const MODE_WORDS = { repair: 'Repair', observe: 'Observe…', suspend: 'Suspend…' } as const

export const RESUME = 'Resume automatic repair'
export const RESUME_OBSERVING = 'Resume observing'

export type Setting = Modes['settings'][number]

/** `/api/modes/dns` is of "dns"; null for any other address. */
export function scopeOfPath(path: string): string | null {
  const found = /^\/api\/modes\/([^/?]+)$/.exec(path)
  return found === null ? null : decodeURIComponent(found[1]!)
}

/** "everything", or "Routes". */
export const scopeWords = (scope: string): string =>
  scope === '*' ? 'everything' : componentWords(scope).title

/** "Routes are", "DNS is", "Everything is": the beginning of a sentence. */
export function subjectOf(scope: string): string {
  const title = capital(scopeWords(scope))
  return `${title} ${/s$|^People$/.test(title) ? 'are' : 'is'}`
}

export const isUnusual = ({ mode, expired }: Pick<Setting, 'mode' | 'expired'>): boolean =>
  mode !== 'repair' && !expired

/** Whether any part is in a mode that has to be told. */
export const hasMode = (
  health: { readonly components: readonly Pick<HealthComponent, 'mode'>[] } | undefined,
): boolean => health?.components.some(({ mode }) => mode !== null && mode !== 'repair') ?? false

type Ending = Pick<Setting, 'scope' | 'mode' | 'expired'> &
  Partial<Pick<Setting, 'expires_at'>> & {
    readonly standing?: Pick<NonNullable<Setting['standing']>, 'mode'> | null
  }

/** What is set there for a time over something that only observes: it alone is ended. Undefined where nothing is. */
export const overStanding = <S extends Ending>(settings: readonly S[], scope: string): S | undefined =>
  settings.find((one) => one.scope === scope && isUnusual(one) && one.standing?.mode === 'observe')

/** What a press that resumes is called. */
export const resumeText = (settings: readonly Ending[], scope: string): string =>
  overStanding(settings, scope) === undefined
    ? `${RESUME} of ${scopeWords(scope)}`
    : `${RESUME_OBSERVING} ${scopeWords(scope)}`

/** When this mode of this scope was set last; null where the trail shows none. The newest entry comes first. */
export function setAtOf(
  trail: readonly Pick<AuditEntry, 'action' | 'at' | 'detail'>[],
  { scope, mode }: Pick<Setting, 'scope' | 'mode'>,
): number | null {
  const found = trail.find(
    ({ action, detail }) => action === 'set_mode' && detail['scope'] === scope && detail['mode'] === mode,
  )
  return found === undefined ? null : parseTime(found.at)
}
