/** What a look or a pass leaves of the differences that it found. Pure. */
import type { ExplainedDifference } from '../../model/drift.ts'
import type { Intent } from '../../model/intent.ts'
import { isGood, type Report } from '../../model/report.ts'
import type { CallerLook } from './caller-look.ts'
import type { FoundDifferences } from './kept-keys.ts'
import type { Standing } from './standing.ts'

export function foundBy({ deviates, differences }: CallerLook, working: Intent): FoundDifferences | null {
  return deviates === null ? null : kept(differences, working)
}

export function foundOf(report: Report, standing: Standing | null, working: Intent): FoundDifferences | null {
  if (standing === null) return isGood(report) ? { causes: new Map(), differences: [], working } : null
  return standing.drift === null ? null : kept(standing.differences, working)
}

function kept(differences: readonly ExplainedDifference[], working: Intent): FoundDifferences {
  const groups = Map.groupBy(differences, ({ cause }) => cause)
  const causes = new Map([...groups].map(([cause, theirs]) => [cause, theirs.length]))
  return { causes, differences: differences.slice(0, MOST_SHOWN), working }
}

/** Of the differences that are kept for people; all of them are counted. */
const MOST_SHOWN = 20
