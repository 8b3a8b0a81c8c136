/** The three sides of one difference as text: what is saved, what is released, and what is there; and the step to what should be. */
import { hideSecrets } from '../../kernel/text/hide-secrets.ts'
import { hunksBetween, type Hunk } from '../../kernel/text/diff.ts'
import { visible } from '../../kernel/text/visible.ts'
import { AWAITS_DEPLOY, type DriftCause, type ExplainedDifference } from '../drift.ts'

/** Null for nothing. */
export interface Sides {
  readonly saved: string | null
  readonly released: string | null
  readonly there: string | null
  /** Where it stands in a file, from 1; null where it does not, or in none. */
  readonly line: number | null
  /** It says nothing but that something else differs. */
  readonly noise: boolean
}

/** Of a thing that differs, by its name; null where it has no text of its own. */
export type SidesOf = (item: string) => Sides | null

export interface Shown extends Sides {
  /** From what is there to what the first repair or deploy would write; null where there is no text to compare. */
  readonly hunks: readonly Hunk[] | null
}

const NO_TEXT: Shown = { saved: null, released: null, there: null, line: null, noise: false, hunks: null }

/** Beyond so many characters of a side no more is shown, and nothing compared. */
const MAX_SIDE = 8 * 1024
/** Of all sides of one answer's component; further differences are told without. */
const MAX_ALL = 512 * 1024

/** Each with its sides. Secrets that somebody wrote there are not shown. */
export function withSides<D extends Pick<ExplainedDifference, 'item' | 'cause'>>(
  differences: readonly D[],
  sidesOf: SidesOf | undefined,
): readonly (D & Shown)[] {
  let left = MAX_ALL
  return differences.map((one) => {
    const sides = left > 0 ? (sidesOf?.(one.item) ?? null) : null
    if (sides === null) return { ...one, ...NO_TEXT }
    const shown = shownSides(sides, one.cause)
    left -= [shown.saved, shown.released, shown.there].reduce((sum, text) => sum + (text?.length ?? 0), 0)
    return { ...one, ...shown }
  })
}

/** What waits for a deploy is to become what is saved; all else goes back to what is released. */
function shownSides({ line, noise, ...texts }: Sides, cause: DriftCause): Shown {
  const wanted = AWAITS_DEPLOY.has(cause) ? texts.saved : texts.released
  const is_long = [texts.there, wanted].some((text) => text !== null && text.length > MAX_SIDE)
  const saved = shown(texts.saved)
  const released = shown(texts.released)
  const there = shown(texts.there)
  const after = AWAITS_DEPLOY.has(cause) ? saved : released
  const hunks = is_long ? null : hunksBetween(there ?? '', after ?? '', { first_line: line ?? 1, noise })
  return { saved, released, there, line, noise, hunks }
}

function shown(text: string | null): string | null {
  if (text === null) return null
  const harmless = hideSecrets(visible(text))
  return harmless.length <= MAX_SIDE ? harmless : `${harmless.slice(0, MAX_SIDE).toWellFormed()}…`
}
