/**
 * Tells whoever listens just then whose lamps, and which parts of the health page, read otherwise now. Nothing is made while
 * nobody listens, and nothing is kept: whoever connects has read how it is.
 */
import type { EventLog } from '../../core/events/event-log.ts'
import { Loop } from '../../kernel/async/loop.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Lifecycle } from '../../feature/feature.ts'

/** As a part of the health page is compared. */
export interface PartState {
  readonly name: string
  readonly state: 'ok' | 'drift' | 'wrong' | 'unknown' | 'not_configured'
}

/** What a row says but for its age: whole, and of the lamps that have hints of their own. */
export interface LampText extends Readonly<Record<OwnHint, string>> {
  readonly row: string
}

const OWN_HINTS = ['dns', 'certificate'] as const
type OwnHint = (typeof OWN_HINTS)[number]

export interface HintParts {
  readonly events: Pick<EventLog, 'has_listeners' | 'hint'>
  readonly clock: Clock
  readonly log: Log
  /** By id. */
  readonly lamps: () => Promise<ReadonlyMap<number, LampText>>
  readonly health: () => readonly PartState[]
}

const EVERY_MS: Milliseconds = 1000
/** At most this part of the time goes into comparing. */
const SHARE = 20
/** Of more at once nobody is named: whoever shows any reads them again. */
const MAX_NAMED = 500

export function lampHints({ events, clock, log, lamps, health }: HintParts): Lifecycle {
  let before: {
    readonly rows: ReadonlyMap<number, LampText>
    readonly parts: ReadonlyMap<string, string>
  } | null = null
  const loop = new Loop({
    clock,
    failed: (error) => {
      log.warn('lamps not compared', { error })
      return EVERY_MS
    },
    round: async () => {
      if (!events.has_listeners) {
        before = null
        return EVERY_MS
      }
      const began_ms = clock.elapsed()
      const rows = await lamps()
      const parts = new Map(health().map(({ name, state }) => [name, state]))
      if (before !== null) {
        const ids = changedIn('row', before.rows, rows)
        if (ids.length > 0) events.hint('lamps', lampWords(ids.length), named(ids))
        for (const kind of ids.length === 0 ? [] : OWN_HINTS) {
          const moved = changedIn(kind, before.rows, rows)
          if (moved.length > 0) events.hint(kind, `${kind} of ${moved.length} reads otherwise.`, named(moved))
        }
        for (const name of changed(before.parts, parts))
          events.hint('health', `${name} reads otherwise.`, {
            name,
            from: before.parts.get(name) ?? null,
            to: parts.get(name) ?? null,
          })
      }
      before = { rows, parts }
      return Math.max(EVERY_MS, SHARE * (clock.elapsed() - began_ms))
    },
  })
  return { start: () => loop.start(), stop: () => loop.stop() }
}

const named = (ids: readonly number[]) => ({ ids: ids.length > MAX_NAMED ? null : ids })

const changedIn = (
  part: keyof LampText,
  before: ReadonlyMap<number, LampText>,
  after: ReadonlyMap<number, LampText>,
): readonly number[] => changed(textsOf(part, before), textsOf(part, after))

const textsOf = (part: keyof LampText, rows: ReadonlyMap<number, LampText>): ReadonlyMap<number, string> =>
  new Map([...rows].map(([id, text]) => [id, text[part]]))

const lampWords = (count: number): string =>
  count === 1 ? 'Lamps of one domain read otherwise.' : `Lamps of ${count} domains read otherwise.`

/** Also what came and what went. Pure. */
export function changed<Key>(
  before: ReadonlyMap<Key, string>,
  after: ReadonlyMap<Key, string>,
): readonly Key[] {
  const moved = [...after].filter(([key, text]) => before.get(key) !== text).map(([key]) => key)
  return [...moved, ...[...before.keys()].filter((key) => !after.has(key))]
}
