/** What resuming the automatic repair means: for which worlds, and how much is put back by it. Pure. */
import type { AuditEntry, HealthComponent, Modes } from '../../api/types.ts'
import { parseTime } from '../ages.ts'
import { driftCount, lampOfHealth } from '../lamps.ts'
import { capital, componentWords, count, listed } from '../words.ts'

/** The address of the entries that `setAtOf` reads. */
export const MODE_TRAIL = '/api/audit?action=set_mode&limit=50'

export type Mode = 'repair' | 'observe' | 'suspend'

export const MODE_WORDS = { repair: 'Repair', observe: 'Observe…', suspend: 'Suspend…' } as const

export const RESUME = 'Resume automatic repair'

type Setting = Pick<Modes['settings'][number], 'scope' | 'mode' | 'expired'>

/** `/api/modes/dns` is of "dns"; null for any other address. */
export function scopeOfPath(path: string): string | null {
  const found = /^\/api\/modes\/([^/?]+)$/.exec(path)
  return found === null ? null : decodeURIComponent(found[1]!)
}

/** "everything", or "Routes". */
export const scopeWords = (scope: string): string =>
  scope === '*' ? 'everything' : componentWords(scope).title

const isUnusual = ({ mode, expired }: Setting): boolean => mode !== 'repair' && !expired

const differsOf = (rows: readonly HealthComponent[]): number =>
  rows.filter((row) => lampOfHealth(row) === 'drift').reduce((sum, { causes }) => sum + driftCount(causes), 0)

interface ResumeWords {
  readonly worlds: string
  /** One sentence. */
  readonly writes: string
}

/** @param rows undefined while they are not known */
export function resumeWords(
  scope: string,
  rows: readonly HealthComponent[] | undefined,
  settings: readonly Setting[],
): ResumeWords {
  const kept = (rows ?? []).filter(({ kind, configured }) => kind === 'kept' && configured)
  const inScope = kept.filter(({ component }) => scope === '*' || component === scope)
  // The most careful mode of all holds: what another one keeps as it is, this one does not free.
  const others = settings.filter((one) => isUnusual(one) && one.scope !== scope).map((one) => one.scope)
  const freed = inScope.filter(({ component }) => !others.includes('*') && !others.includes(component))
  const titles = [...new Set(inScope.map(({ name }) => componentWords(name).title))]
  const names = listed(titles, 8)
  return {
    worlds: scope === '*' ? `everything${names === '' ? '' : `: ${names}`}` : scopeWords(scope),
    writes: rows === undefined ? '' : writesText(freed, others),
  }
}

function writesText(freed: readonly HealthComponent[], others: readonly string[]): string {
  const many = differsOf(freed)
  const written =
    many === 0
      ? 'Nothing of it differs now, so nothing is written at once.'
      : `${count(many, 'difference')} ${many === 1 ? 'is' : 'are'} put back at once: ${listed(
          freed
            .filter((row) => lampOfHealth(row) === 'drift')
            .map(({ name }) => Object.values(componentWords(name)).filter(Boolean).join(' ')),
          5,
        )}.`
  return others.length === 0
    ? written
    : `${written} ${capital(listed(others.map(scopeWords)))} ${others.length === 1 && others[0] === '*' ? 'stays' : 'stay'} as set.`
}

/** When the mode of this scope was set last; null where the trail shows none. The newest entry comes first. */
export function setAtOf(
  trail: readonly Pick<AuditEntry, 'action' | 'at' | 'detail'>[],
  scope: string,
): number | null {
  const found = trail.find(({ action, detail }) => action === 'set_mode' && detail['scope'] === scope)
  return found === undefined || found.detail['mode'] === 'repair' ? null : parseTime(found.at)
}
