/**
 * Whether a reported address becomes the present one. Pure; each record type of a host has a track of its own.
 *
 * | report                                             | verdict                                              |
 * |----------------------------------------------------|------------------------------------------------------|
 * | the present address                                | unchanged                                            |
 * | another one, within 60 s of the last change        | cooling: to be reported again later                  |
 * | another one                                        | changed                                              |
 * | the third return to an earlier one within 10 min   | held: the address from before it all is put back     |
 * | another one while held                             | held, until the same one was asked for 10 min long   |
 *
 * A report that is not taken must be answered as a failure: routers remember what was taken and do not repeat it for
 * weeks, so their own retry is what makes a final address arrive.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { ManagedType } from '../../model/dns.ts'

export const COOL_DOWN_MS: Milliseconds = 60_000
export const FLAP_WINDOW_MS: Milliseconds = 10 * 60_000
const MOST_FLIPS = 3

export interface Turn {
  /** Null for the first address of all. */
  readonly from: string | null
  readonly to: string
  readonly at: Instant
}

export interface Hold {
  /** What is asked for again and again. */
  readonly asked: string
  /** Since when that one, and no other, was asked for. */
  readonly since: Instant
}

export interface Track {
  readonly address: string | null
  /** Changes of the last ten minutes, oldest first. */
  readonly turns: readonly Turn[]
  /** Null while it does not flap. */
  readonly hold: Hold | null
}

export type Tracks = Readonly<Record<ManagedType, Track>>

export const NO_TRACK: Track = { address: null, turns: [], hold: null }

export type Verdict =
  | { readonly kind: 'unchanged' | 'changed'; readonly track: Track }
  | { readonly kind: 'cooling'; readonly track: Track; readonly wait_ms: Milliseconds }
  | {
      readonly kind: 'held'
      readonly track: Track
      readonly wait_ms: Milliseconds
      /** It began with this report: the held address may have been put back by it. */
      readonly began: boolean
    }

export function judge(track: Track, asked: string, now: Instant): Verdict {
  if (asked === track.address && track.hold === null) return { kind: 'unchanged', track }
  const present = { ...track, turns: track.turns.filter(({ at }) => isWithin(at, now, FLAP_WINDOW_MS)) }
  if (track.hold !== null) return judgeHeld({ ...present, hold: track.hold }, asked, now)
  const last = present.turns.at(-1)
  if (last !== undefined && isWithin(last.at, now, COOL_DOWN_MS))
    return { kind: 'cooling', track: present, wait_ms: COOL_DOWN_MS - (now - last.at) }
  return present.turns.filter(isFlip).length + (isReturn(present.turns, asked) ? 1 : 0) >= MOST_FLIPS
    ? beginHold(present, asked, now)
    : { kind: 'changed', track: turned(present, asked, now) }
}

/** While it flaps, and for how long the address has to be asked for until it is taken. */
function judgeHeld(track: Track & { readonly hold: Hold }, asked: string, now: Instant): Verdict {
  const { hold } = track
  const calm = asked === hold.asked && !isWithin(hold.since, now, FLAP_WINDOW_MS)
  if (calm) return judge({ ...track, turns: [], hold: null }, asked, now)
  const next = asked === hold.asked ? hold : { asked, since: now }
  const held = { ...track, hold: next }
  if (asked === track.address) return { kind: 'unchanged', track: held }
  return { kind: 'held', track: held, wait_ms: FLAP_WINDOW_MS - (now - next.since), began: false }
}

/** What stood before the first of the changes stands again; where there was nothing, the first one. */
function beginHold(track: Track, asked: string, now: Instant): Verdict {
  const [first] = track.turns
  const stable = first!.from ?? first!.to
  const settled = stable === track.address ? track : turned(track, stable, now)
  const held = { ...settled, hold: { asked, since: now } }
  return asked === stable
    ? { kind: 'changed', track: held }
    : { kind: 'held', track: held, wait_ms: FLAP_WINDOW_MS, began: true }
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
