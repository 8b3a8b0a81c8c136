/** What helps against each part of the page that is not as it should be. Pure. */
import { adviceOn, adviceOnKept } from '../../core/advice.ts'
import type { HealthCheck } from '../../core/check.ts'
import type { KeptWords } from '../../core/finding.ts'
import type { HealthComponent } from '../../model/health.ts'
import { DECIDE, UNDECIDED } from './world-check.ts'

interface Advised {
  readonly part: Pick<HealthComponent, 'name'>
  readonly check: Pick<HealthCheck, 'advises'>
}

/** By part; null for one that is well. */
export function remedies(
  components: readonly HealthComponent[],
  watched: readonly Advised[],
  words: Readonly<Record<string, KeptWords>>,
): (part: HealthComponent) => string | null {
  const checks = new Map(watched.map(({ part, check }) => [part.name, check]))
  const is_undecided = components.some(({ cause }) => cause === UNDECIDED)
  return (part) => {
    if (part.ok || !part.configured) return null
    if (part.kind !== 'kept') return adviceOn(part, checks.get(part.name) ?? {})?.remedy ?? null
    // Nothing is repaired before a person has decided.
    if (is_undecided && part.reason !== 'suspended') return DECIDE
    return remedyOfKept(part, words)
  }
}

function remedyOfKept(
  { component, reason, causes, mode }: HealthComponent,
  words: Readonly<Record<string, KeptWords>>,
): string | null {
  const state = { reason, causes: Object.keys(causes), mode: mode ?? 'repair', words: words[component] }
  return adviceOnKept(state)?.remedy ?? null
}
