/** What resuming means: for which worlds, how much is put back by it, and what stands again. Pure. */
import type { HealthComponent, Modes } from '../../api/types.ts'
import { driftCount, lampOfHealth } from '../lamps.ts'
import { capital, componentWords, count, listed } from '../words.ts'
import { isUnusual, scopeWords, subjectOf, type Setting } from './modes.ts'

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
  settings: readonly Pick<Setting, 'scope' | 'mode' | 'expired'>[],
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
  return others.length === 0 ? written : `${written} ${stayText(others)}`
}

const stayText = (others: readonly string[]): string =>
  `${capital(listed(others.map(scopeWords)))} ${others.length === 1 && others[0] === '*' ? 'stays' : 'stay'} as set.`

const STATES = { repair: 'put back by itself', observe: 'only observed', suspend: 'suspended' } as const

/** What stands again when the mode that is set for a time is ended now, and what else stays. */
export function againText(
  { scope, below }: Pick<Setting, 'scope'> & { readonly below: readonly Pick<Setting, 'mode'>[] },
  settings: readonly Pick<Setting, 'scope' | 'mode' | 'expired'>[],
): string {
  const others = settings.filter((one) => isUnusual(one) && one.scope !== scope).map((one) => one.scope)
  const again = `${subjectOf(scope)} ${STATES[below[0]!.mode]} again from then on.`
  return others.length === 0 ? again : `${again} ${stayText(others)}`
}

export interface Resumed {
  readonly lamp: 'ok' | 'unknown'
  readonly text: string
}

/** What is in force afterwards, as the daemon tells it: one line for each mode, and none is called well that is another one. */
export function resumedLines(
  scope: string,
  wanted: Setting['mode'],
  { settings, components }: Pick<Modes, 'settings' | 'components'>,
): readonly Resumed[] {
  const own = settings.find((one) => one.scope === scope && !one.expired)
  const set = own?.mode ?? 'repair'
  const end = own?.expires_at ?? null
  const inForce = Map.groupBy(
    components.filter(({ component }) => scope === '*' || component === scope),
    ({ mode }) => mode,
  )
  return [
    {
      lamp: set === wanted ? 'ok' : 'unknown',
      text: `${subjectOf(scope)} set to be ${STATES[set]}${end === null ? ', with no end' : ''}.`,
    },
    ...[...inForce].map(([mode, rows]) => ({
      lamp: mode === wanted ? ('ok' as const) : ('unknown' as const),
      text: `In force now, ${STATES[mode]}: ${listed([...new Set(rows.map(({ component }) => componentWords(component).title))], 8)}.`,
    })),
  ]
}
