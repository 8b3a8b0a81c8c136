/** Spans of time as people write them: `500ms`, `90s`, `10m`, `24h`, `7d`. */
import type { Milliseconds } from '../../kernel/clock.ts'
import { textual, wrong } from './refine.ts'

const UNITS: Readonly<Record<string, Milliseconds>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const FORM = /^(\d{1,6})(ms|[smhd])$/

export interface SpanLimits {
  /** Both in the form itself, for the message. */
  readonly least: string
  readonly most: string
}

/** Milliseconds. */
export const span = (limits: SpanLimits) => textual((text) => read(text, limits))

/** Milliseconds, or null for `off`. */
export const spanOrOff = (limits: SpanLimits) =>
  textual((text) => (text === 'off' ? null : read(text, limits, ', or off')))

function read(text: string, { least, most }: SpanLimits, or = '') {
  const ms = millisecondsOf(text)
  return ms !== null && ms >= millisecondsOf(least)! && ms <= millisecondsOf(most)!
    ? ms
    : wrong(`must be a time from ${least} to ${most}, such as 90s, 10m, 24h or 7d${or}`)
}

function millisecondsOf(text: string): Milliseconds | null {
  const [, figure, unit] = FORM.exec(text) ?? []
  return figure === undefined ? null : Number(figure) * UNITS[unit!]!
}

/** In the largest unit that leaves no rest. */
export function showSpan(ms: Milliseconds | null): string {
  if (ms === null) return 'off'
  const [unit, size] = Object.entries(UNITS)
    .toReversed()
    .find(([, one]) => ms % one === 0)!
  return `${ms / size}${unit}`
}
