/** Why something of a domain differs, in the word that the engine has for it: one drift has one cause everywhere. Pure. */
import { type DriftCause, type ExplainedDifference, mostUrgent } from '../../../model/drift.ts'

/**
 * By the differences at the name itself, else by those of the file as a whole.
 * @param name a record's name, or what a rule is written for
 */
export function keptCause(differences: readonly ExplainedDifference[], name: string): DriftCause | null {
  const own = differences.filter(({ item, domains }) => item === name || domains.includes(name))
  const shared = differences.filter(({ domains }) => domains.length === 0)
  return causeIn(own) ?? causeIn(shared)
}

const causeIn = (differences: readonly ExplainedDifference[]): DriftCause | null =>
  mostUrgent(differences.map(({ cause }) => cause))
