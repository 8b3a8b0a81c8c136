/** An edge as a lamp and a sentence: alive, silent, drained; and the release that it runs against ours. */
import type { Edge } from '../../api/types.ts'
import type { Lamp } from '../lamps.ts'

type Row = Pick<Edge, 'state' | 'desired_state' | 'up_to_date' | 'reason'>

/** One that is wanted and silent is wrong; one that runs an older release differs. */
export function edgeLamp({ state, desired_state, up_to_date }: Row): Lamp {
  if (desired_state === 'offline') return 'off'
  if (state === 'offline') return 'bad'
  if (state === 'pending') return 'moving'
  if (up_to_date === false) return 'drift'
  if (up_to_date === null) return 'unknown'
  return state === 'draining' ? 'pending' : 'ok'
}

const RUNS = { true: 'ours', false: 'an older one', null: 'not known' } as const

export const runsWords = ({ up_to_date }: Pick<Edge, 'up_to_date'>): string =>
  RUNS[String(up_to_date) as keyof typeof RUNS]

/** The next thing that its owner can want of it. */
export function nextWishes({ desired_state }: Pick<Edge, 'desired_state'>) {
  const all = [
    ['active', 'Resume'],
    ['draining', 'Drain'],
    ['offline', 'Take it out'],
  ] as const
  return all.filter(([wish]) => wish !== desired_state)
}

export const WISH_MEANS = {
  active: 'It counts as one that serves again; silence is an alert from then on.',
  draining: 'It goes on fetching and serving, and is told as on its way out. Point no new names at it.',
  offline: 'It is expected to be silent: nothing is alerted about it.',
} as const

/** What its owner can do about how it is; null for one that is as it should be. */
export function edgeHelp(edge: Row): string | null {
  const { state, desired_state, up_to_date } = edge
  if (desired_state === 'offline') return null
  if (state === 'offline')
    return 'See whether its host runs and its proxy reaches this API. Where it is to stay silent, take it out.'
  if (state === 'pending') return 'Paste the lines with its token into the configuration of its proxy.'
  return up_to_date === false ? 'It serves an earlier release: its proxy and its log say why.' : null
}
