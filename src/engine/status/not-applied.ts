/** Why the newest release was never seen at a key. Pure. */
import { asSentence } from '../../kernel/text/sentence.ts'
import type { Report } from '../../model/report.ts'
import type { Attempt, ModeSetting } from '../../ports/store.ts'

export interface NotApplied {
  /** A sentence for people. */
  readonly because: string
  /** Nobody has tried it in vain, and nothing keeps it from being tried. */
  readonly is_under_way: boolean
}

export interface AppliedFacts {
  readonly applied: boolean
  readonly mode: ModeSetting
  /** Of the tries to write it; null where there was none. */
  readonly attempt: Pick<Attempt, 'message'> | null
  /** The last one of the key; null where this process has made none. */
  readonly report: Pick<Report, 'failure'> | null
}

/** Null where it was seen there. */
export function whyNotApplied({ applied, mode, attempt, report }: AppliedFacts): NotApplied | null {
  if (applied) return null
  if (mode.mode === 'suspend')
    return { because: `${mode.actor} suspended it: ${asSentence(mode.reason)}`, is_under_way: false }
  const message = attempt?.message ?? report?.failure?.message ?? null
  return message === null ? UNDER_WAY : { because: message, is_under_way: false }
}

const UNDER_WAY: NotApplied = { because: 'It is about to be written.', is_under_way: true }
