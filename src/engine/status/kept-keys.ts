/** How everything that is kept true stands by what is known already: nobody is asked, nothing is written. Pure. */
import type { Instant } from '../../kernel/clock.ts'
import type { Condition } from '../../model/condition.ts'
import type { DriftCause, ExplainedDifference } from '../../model/drift.ts'
import type { Intent } from '../../model/intent.ts'
import type { ModeSetting } from '../../ports/store.ts'
import type { AwaitingRelease, Waits } from './awaiting.ts'
import type { CallerLook } from './caller-look.ts'
import { type Chapter, componentCondition, stalenessLimit } from './present-conditions.ts'

/** Differences that the last look found, as far as they are kept. */
export interface FoundDifferences {
  /** How many of each cause. */
  readonly causes: ReadonlyMap<DriftCause, number>
  /** The first of them. */
  readonly differences: readonly ExplainedDifference[]
  /** The working edition that the world was compared with. */
  readonly working: Intent
}

export interface KeptKey {
  readonly component: string
  readonly key: string
  /** Whether the world is what was released, aged by now. Null for a key that only the working edition has. */
  readonly condition: Condition | null
  /** Between the world and the working edition; null while that is not known. */
  readonly found: Omit<FoundDifferences, 'working'> | null
  /** The newest look, where it was no pass's. */
  readonly look: CallerLook | null
  /** What was saved and waits for a deploy; null for nothing, or where that could not be told. */
  readonly waits: Waits | null
  readonly seen_at: Instant | null
  /** From when on what is known here says nothing any more; null before the first look. */
  readonly stale_after: Instant | null
  readonly next_attempt_at: Instant | null
  readonly mode: ModeSetting
}

export interface KeptFacts {
  readonly chapters: readonly Chapter[]
  /** Null where the editions could not be read: then only what looks have found is told. */
  readonly awaiting: AwaitingRelease | null
  readonly dueAt: (key: string) => Instant | null
  readonly modeOf: (component: string) => ModeSetting
}

/** In the order of work. */
export function keptKeys({ chapters, awaiting, dueAt, modeOf }: KeptFacts, now: Instant): readonly KeptKey[] {
  const waiting = new Map(awaiting?.keys.map((one) => [one.key, one]))
  const known = chapters.map((chapter): KeptKey => {
    const { component, key, seen_at, every_ms, found, look } = chapter
    const waits = waiting.get(key)?.waits ?? null
    return {
      component,
      key,
      condition: componentCondition(chapter, now),
      found: found && presentDifferences(found, waits, awaiting),
      look,
      waits,
      seen_at,
      stale_after: seen_at === null ? null : seen_at + stalenessLimit(every_ms),
      next_attempt_at: dueAt(key),
      mode: modeOf(component),
    }
  })
  const opened = new Set(chapters.map(({ key }) => key))
  const unopened = (awaiting?.keys ?? []).filter(({ key }) => !opened.has(key))
  return [...known, ...unopened.map(({ component, key, waits }) => unreleased(component, key, waits, modeOf))]
}

/** Its first look comes with the deploy that brings it. */
const unreleased = (
  component: string,
  key: string,
  waits: Waits | null,
  modeOf: KeptFacts['modeOf'],
): KeptKey => ({
  component,
  key,
  condition: null,
  found: null,
  look: null,
  waits: waits ?? { cause: 'pending_deploy', domains: [] },
  seen_at: null,
  stale_after: null,
  next_attempt_at: null,
  mode: modeOf(component),
})

const WAITING: ReadonlySet<DriftCause> = new Set(['pending_deploy', 'renderer_changed'])

/** What waits is told by the editions of now: the look may have been made for earlier ones. */
function presentDifferences(
  { causes, differences, working }: FoundDifferences,
  waits: Waits | null,
  awaiting: AwaitingRelease | null,
): Omit<FoundDifferences, 'working'> {
  if (awaiting === null || (working === awaiting.working && waits !== null)) return { causes, differences }
  return {
    causes: new Map([...causes].filter(([cause]) => !WAITING.has(cause))),
    differences: differences.filter(({ cause }) => !WAITING.has(cause)),
  }
}
