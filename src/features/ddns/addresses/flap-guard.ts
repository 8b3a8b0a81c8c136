/**
 * Whether a reported address becomes the present one. Pure; each record type of a host has a track of its own.
 *
 * | report                                             | result                                               |
 * |----------------------------------------------------|------------------------------------------------------|
 * | the present address                                | unchanged; nothing waits any more                    |
 * | another one, within 60 s of the last change        | cooling: it waits until the minute is over           |
 * | another one                                        | changed                                              |
 * | the third return to an earlier one within 10 min   | held: the address from before it all is put back     |
 * | another one while held                             | held: it waits until it was the newest for 10 min    |
 *
 * Routers remember what they reported and do not repeat it for weeks, and some end at the first refusal. So no report is
 * refused: what is not taken now waits here, the newest one alone, and `settle` takes it when it is due.
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { ManagedType } from '../../../model/network/dns.ts'

export const COOL_DOWN_MS: Milliseconds = 60_000
export const FLAP_WINDOW_MS: Milliseconds = 10 * 60_000
const MAX_FLIPS = 3

export interface Turn {
  /** Null for the first address of all. */
  readonly from: string | null
  readonly to: string
  readonly at: Instant
}

export interface Hold {
  /** The newest report. */
  readonly asked: string
  /** Since when it is. */
  readonly since: Instant
}

export interface Track {
  readonly address: string | null
  /** Changes of the last ten minutes, oldest first. */
  readonly turns: readonly Turn[]
  /** What was asked for within a minute of the last change, null for nothing. While it flaps, the hold knows. */
  readonly cooling: string | null
  /** Null while it does not flap. */
  readonly hold: Hold | null
}

/** What becomes the present address by itself, if nothing else is reported until then. */
export interface Waiting {
  readonly address: string
  readonly due_at: Instant
}

export type Tracks = Readonly<Record<ManagedType, Track>>

export const NO_TRACK: Track = { address: null, turns: [], cooling: null, hold: null }

export type FlapResult =
  | { readonly kind: 'unchanged' | 'changed'; readonly track: Track }
  | { readonly kind: 'cooling' | 'held'; readonly track: Track; readonly due_at: Instant }

export function evaluate(track: Track, asked: string, now: Instant): FlapResult {
  if (asked === track.address && track.hold === null)
    return { kind: 'unchanged', track: track.cooling === null ? track : { ...track, cooling: null } }
  const turns = track.turns.filter(({ at }) => isWithin(at, now, FLAP_WINDOW_MS))
  const present = { ...track, turns, cooling: null }
  if (track.hold !== null) return evaluateHeld({ ...present, hold: track.hold }, asked, now)
  const last = turns.at(-1)
  if (last !== undefined && isWithin(last.at, now, COOL_DOWN_MS))
    return { kind: 'cooling', track: { ...present, cooling: asked }, due_at: last.at + COOL_DOWN_MS }
  return turns.filter(isFlip).length + (isReturn(turns, asked) ? 1 : 0) >= MAX_FLIPS
    ? beginHold(present, asked, now)
    : { kind: 'changed', track: turned(present, asked, now) }
}

/** What waits, null for nothing. */
export function waitingOf({ address, turns, cooling, hold }: Track): Waiting | null {
  if (hold !== null)
    return hold.asked === address ? null : { address: hold.asked, due_at: hold.since + FLAP_WINDOW_MS }
  return cooling === null ? null : { address: cooling, due_at: (turns.at(-1)?.at ?? 0) + COOL_DOWN_MS }
}

/** When time alone changes something next, null for never. */
export const settlesAt = (track: Track): Instant | null =>
  track.hold === null ? (waitingOf(track)?.due_at ?? null) : track.hold.since + FLAP_WINDOW_MS

/** What time alone has made of it: as if what waits had been reported now. Null before it is due. */
export function settle(track: Track, now: Instant): FlapResult | null {
  if (track.hold !== null)
    return isWithin(track.hold.since, now, FLAP_WINDOW_MS) ? null : evaluate(track, track.hold.asked, now)
  const last = track.turns.at(-1)
  if (track.cooling === null || (last !== undefined && isWithin(last.at, now, COOL_DOWN_MS))) return null
  return evaluate(track, track.cooling, now)
}

/** While it flaps, and for how long the address has to be the newest until it is taken. */
function evaluateHeld(track: Track & { readonly hold: Hold }, asked: string, now: Instant): FlapResult {
  const { hold } = track
  const calm = asked === hold.asked && !isWithin(hold.since, now, FLAP_WINDOW_MS)
  if (calm) return evaluate({ ...track, turns: [], hold: null }, asked, now)
  const next = asked === hold.asked ? hold : { asked, since: now }
  const held = { ...track, hold: next }
  if (asked === track.address) return { kind: 'unchanged', track: held }
  return { kind: 'held', track: held, due_at: next.since + FLAP_WINDOW_MS }
}

/** What stood before the first of the changes stands again; where there was nothing, the first one. */
function beginHold(track: Track, asked: string, now: Instant): FlapResult {
  const [first] = track.turns
  const stable = first!.from ?? first!.to
  const settled = stable === track.address ? track : turned(track, stable, now)
  const held = { ...settled, hold: { asked, since: now } }
  return asked === stable
    ? { kind: 'changed', track: held }
    : { kind: 'held', track: held, due_at: now + FLAP_WINDOW_MS }
}

const turned = (track: Track, to: string, at: Instant): Track => ({
  ...track,
  address: to,
  turns: [...track.turns, { from: track.address, to, at }],
})

/** Back to an address that was the present one within the window. */
const isReturn = (turns: readonly Turn[], to: string): boolean => turns.some(({ from }) => from === to)

const isFlip = ({ to }: Turn, index: number, turns: readonly Turn[]): boolean =>
  isReturn(turns.slice(0, index), to)

/** A clock that was set back must not make a wait last for hours. */
const isWithin = (at: Instant, now: Instant, span: Milliseconds): boolean => now >= at && now - at < span
