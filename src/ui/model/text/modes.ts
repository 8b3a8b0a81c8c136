/** Modes in words, and what ends when one is resumed from. Pure. */
import type { AuditEntry, HealthComponent, Modes } from '../../api/types.ts'
import { absoluteText, leftText, parseTime, parseTimeOr } from '../ages.ts'
import { capital, componentWords } from '../words.ts'

/** The address of the entries that `setAtOf` reads. */
export const MODE_TRAIL = '/api/audit?action=set_mode&limit=50'

export type Mode = 'repair' | 'observe' | 'suspend'

export const MODE_WORDS = { repair: 'Repair', observe: 'Observe…', suspend: 'Suspend…' } as const

export const RESUME = 'Resume automatic repair'
export const RESUME_OBSERVING = 'Resume observing'
const RESUME_SUSPENSION = 'Resume the suspension'

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

/** It repairs for a time, over what is more careful and stands again then. */
export const repairsForNow = ({
  mode,
  expired,
  standing,
}: Pick<Setting, 'mode' | 'expired' | 'standing'>): boolean =>
  mode === 'repair' && !expired && standing !== null && standing.mode !== 'repair'

type Ending = Pick<Setting, 'scope' | 'mode' | 'expired'> & {
  readonly below?: readonly Pick<Setting, 'mode'>[]
}

/** What stands again when it alone is ended now, where that is no repair; null else. */
export const againOf = ({ below }: Pick<Ending, 'below'>): 'observe' | 'suspend' | null => {
  const mode = below?.[0]?.mode
  return mode === undefined || mode === 'repair' ? null : mode
}

/** What is set there for a time over something more careful than repair: it alone is ended. Undefined where nothing is. */
export const overStanding = <S extends Ending>(settings: readonly S[], scope: string): S | undefined =>
  settings.find((one) => one.scope === scope && !one.expired && againOf(one) !== null)

/** The press that ends it alone. */
export const resumeTitle = (over: Ending | undefined): string => {
  const again = over === undefined ? null : againOf(over)
  return again === null ? RESUME : again === 'observe' ? RESUME_OBSERVING : RESUME_SUSPENSION
}

/** What a press that resumes is called. */
export function resumeText(settings: readonly Ending[], scope: string): string {
  const title = resumeTitle(overStanding(settings, scope))
  return title === RESUME_OBSERVING ? `${title} ${scopeWords(scope)}` : `${title} of ${scopeWords(scope)}`
}

const STATES = { observe: 'only observed', suspend: 'suspended', repair: 'repaired' } as const
const DOES = { observe: 'only observes', suspend: 'is suspended', repair: 'repairs' } as const

export interface BandWords {
  readonly state: string
  /** Of the same sentence: until when, and what stands then. */
  readonly end: string
}

/** Of a mode that has to be told on every page. */
export function bandWords(
  { scope, mode, expires_at, standing }: Pick<Setting, 'scope' | 'mode' | 'expires_at' | 'standing'>,
  now: number,
): BandWords {
  const end = parseTimeOr(expires_at)
  if (mode === 'repair')
    return {
      state: `${capital(scopeWords(scope))}: repairs until ${end === null ? 'it is changed' : absoluteText(end)}`,
      end: standing === null ? '' : `, then ${DOES[standing.mode]}`,
    }
  const left = end === null ? '' : `, ${leftText(end, now)} left`
  return {
    state: `${subjectOf(scope)} ${STATES[mode]}`,
    end: `${left}${standing === null ? '' : `, then ${STATES[standing.mode]}`}`,
  }
}

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
