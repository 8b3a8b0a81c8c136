/** The shape of one rule over the database's content, and how what breaks it is told. */
import type { Instant } from '../../kernel/clock.ts'
import type { Content } from './content.ts'

export interface Rule {
  /** Stable: alerts are written against it. */
  readonly name: string
  /** One sentence. */
  readonly promise: string
  /** One sentence or two. */
  readonly remedy: string
  /** Reads so much that it is looked at once a day while it holds. */
  readonly heavy?: true
  /**
   * What breaks it, each in a few words that hold no secret. Lazy, so that nobody counts a million faults. May throw:
   * then it is not known.
   */
  broken(content: Content): Iterable<string>
}

/** For what no call of ours can have done. */
export const FROM_OUTSIDE =
  'No call of this program does that: somebody edited the database, or it is damaged. Stop the daemon and restore a backup.'

const MAX_REPORTED = 3
const MAX_COUNTED = 1000
const MAX_FAULT = 200
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g

/** What breaks it and what helps; null where nothing does. */
export function detailOf(rule: Rule, content: Content): string | null {
  const reported: string[] = []
  let more = 0
  for (const fault of rule.broken(content)) {
    if (reported.length < MAX_REPORTED) reported.push(fault.replace(CONTROLS, ' ').slice(0, MAX_FAULT))
    else if (++more >= MAX_COUNTED) break
  }
  if (reported.length === 0) return null
  const others = more === 0 ? '' : ` and ${more}${more >= MAX_COUNTED ? ' or more' : ''} others`
  return `${reported.join('; ')}${others}. ${rule.remedy}`
}

/** One look: everything that a rule reads comes from the same moment. */
export interface Looked {
  readonly name: string
  readonly holds: boolean | null
  readonly detail: string | null
}

export interface LookOptions {
  readonly now: Instant
  /** Names of heavy rules that are left out. */
  readonly without: readonly string[]
}
