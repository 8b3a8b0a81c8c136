/**
 * The table of certificates beside what keeps and watches single ones: it is never well while one of those drifts, or is not
 * known. Each still tells its own in its own words. Pure.
 */
import { mostUrgent } from '../../model/drift.ts'
import { type HealthComponent, MAX_DIFFERENCES } from '../../model/health.ts'
import { CERTIFICATES, CERTIFICATES_FILE } from './managed/list.ts'
import { CERTIFICATES_SERVED } from './wire/wire-drift.ts'
import { named } from '../../core/check.ts'

/** @param components in the order of the page */
export function withCertificates(components: readonly HealthComponent[]): readonly HealthComponent[] {
  const singles = components.filter((part) => part.configured && isSingle(part))
  return components.map((part) => (isTable(part) ? beside(part, singles) : part))
}

const isTable = ({ name, kind, configured }: HealthComponent): boolean =>
  name === CERTIFICATES && kind !== 'kept' && configured

const isSingle = ({ name, component, kind }: HealthComponent): boolean =>
  name === CERTIFICATES_SERVED ||
  (kind === 'kept' && (component === CERTIFICATES || component === CERTIFICATES_FILE))

function beside(table: HealthComponent, singles: readonly HealthComponent[]): HealthComponent {
  const drifting = singles.filter(({ drift }) => drift === true)
  if (drifting.length > 0) return differing(table, drifting)
  const unknown = singles.find(({ drift }) => drift === null)
  if (unknown === undefined || !table.ok) return table
  const { reason, message } = unknown
  return { ...table, ok: false, drift: null, reason, message: `${unknown.name}: ${message}` }
}

function differing(table: HealthComponent, drifting: readonly HealthComponent[]): HealthComponent {
  const causes: Record<string, number> = { ...table.causes }
  for (const part of drifting)
    for (const [cause, count] of Object.entries(part.causes)) causes[cause] = (causes[cause] ?? 0) + count
  const differences = [...table.differences, ...drifting.flatMap((part) => part.differences)]
  return {
    ...table,
    ok: false,
    drift: true,
    cause: mostUrgent(drifting.flatMap((part) => Object.keys(part.causes))) ?? drifting[0]!.cause,
    causes,
    reason: 'drifting',
    message: `${named(drifting.map(({ name }) => name))}: not as it should be.`,
    differences: differences.slice(0, MAX_DIFFERENCES),
  }
}
