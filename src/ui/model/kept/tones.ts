/** The colour of the words beside a lamp: what is as it should be stays quiet. */
import type { Lamp } from '../lamps.ts'

const TONES: Readonly<Record<Lamp, string>> = {
  ok: 'q2',
  off: 'q2',
  pending: 'c-pending',
  moving: 'c-pending',
  drift: 'c-drift',
  bad: 'c-bad',
  unknown: 'c-unknown',
}

export const toneOf = (lamp: Lamp): string => TONES[lamp]
