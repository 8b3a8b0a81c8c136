/**
 * From what is watched for the health page to its troubles, as each check advises. Pure.
 *
 * One cause is told once. What is told thing by thing, or by a kept key, is left out here, and so is what only follows from
 * something that is told already; nothing of that is over meanwhile.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { HealthComponent } from '../../model/health.ts'
import { adviceOn } from '../../core/advice.ts'
import type { Watched } from '../../core/check.ts'
import type { Finding, FindingAsk, Findings } from '../../core/finding.ts'

export function watchedFindings(
  watched: readonly Watched[],
  { overview, awake_since }: Pick<FindingAsk, 'overview' | 'awake_since'>,
): Findings {
  const asked = watched.filter(({ part }) => part.configured)
  const follows = ({ check, part }: Watched): boolean => check.follows?.(part, overview) === true
  return {
    findings: asked
      .filter((one) => !follows(one))
      .flatMap(({ check, part }) => findingOf(part, check, awake_since) ?? []),
    unsure: asked
      .filter((one) => one.part.drift === null || follows(one))
      .map(({ part }) => `watch/${part.name}/`),
  }
}

function findingOf(part: HealthComponent, check: Watched['check'], awake_since: Instant): Finding | null {
  const advice = adviceOn(part, check)
  if (advice === null || advice.is_told_apart) return null
  const { kind, severity, alert_after_ms, remedy } = advice
  const { name, component, message, differences } = part
  return {
    id: `watch/${name}/0`,
    kind,
    severity,
    component,
    key: name,
    domains: [...new Set(differences.flatMap(({ domains }) => domains))].sort(),
    since: sinceOf(part, awake_since),
    message,
    remedy,
    alert_after_ms,
  }
}

/** While the host slept nobody could look, and what was never looked at has been so since the start. */
const sinceOf = ({ drift, since }: HealthComponent, awake_since: Instant): Instant =>
  since === null || drift === null ? Math.max(since ?? 0, awake_since) : since

/** Whether a part is unknown for so long that people are told of it. */
export function isBlind(
  watched: readonly Watched[],
  name: string,
  { now, awake_since, after_ms }: Pick<FindingAsk, 'now' | 'awake_since'> & { after_ms: Milliseconds },
): boolean {
  const one = watched.find(({ part }) => part.name === name)
  if (one?.part.configured !== true || one.part.drift !== null) return false
  return sinceOf(one.part, awake_since) + after_ms <= now
}
