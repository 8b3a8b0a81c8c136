/** What a lamp can show, the word for each, and which is worse. */

export type Lamp = 'ok' | 'pending' | 'moving' | 'drift' | 'bad' | 'unknown' | 'off'

/** In the API one letter stands for each, in the order of `LAMPS`. */
export const LAMPS = ['route', 'dns', 'certificate', 'sign_in', 'probe'] as const
export type LampName = (typeof LAMPS)[number]

export const LAMP_WORDS: Readonly<Record<Lamp, string>> = {
  ok: 'as it should be',
  pending: 'waits for a deploy',
  moving: 'on its way',
  drift: 'differs',
  bad: 'wrong',
  unknown: 'unknown',
  off: 'not used',
}

export const LAMP_NAMES: Readonly<Record<LampName, string>> = {
  route: 'Route',
  dns: 'DNS',
  certificate: 'Certificate',
  sign_in: 'Sign-in',
  probe: 'Probe',
}

export const LAMP_LETTERS: Readonly<Record<LampName, string>> = {
  route: 'R',
  dns: 'D',
  certificate: 'C',
  sign_in: 'S',
  probe: 'P',
}

/** The worst first. */
const BY_WEIGHT: readonly Lamp[] = ['bad', 'drift', 'unknown', 'pending', 'moving', 'ok', 'off']

export const worstOf = (lamps: readonly Lamp[]): Lamp =>
  BY_WEIGHT.find((lamp) => lamps.includes(lamp)) ?? 'off'

export const weightOf = (lamp: Lamp): number => BY_WEIGHT.length - BY_WEIGHT.indexOf(lamp)

/** What needs somebody: waiting for a deploy and being on its way do not. */
export const needsSomebody = (lamp: Lamp): boolean => lamp === 'bad' || lamp === 'drift' || lamp === 'unknown'

const OF_REASON = new Map<string, Lamp>([
  ['in_sync', 'ok'],
  ['healthy', 'ok'],
  ['pending_deploy', 'pending'],
  ['propagating', 'moving'],
  ['unfinished', 'moving'],
  ['drifting', 'drift'],
  ['contested', 'drift'],
  ['refused', 'drift'],
  ['failing', 'bad'],
  ['broken', 'bad'],
  ['impaired', 'bad'],
  ['unreachable', 'bad'],
  ['timed_out', 'bad'],
  ['malformed', 'bad'],
  ['unreadable', 'unknown'],
  ['stale', 'unknown'],
  ['never_looked', 'unknown'],
  ['suspended', 'unknown'],
  ['not_rendered', 'off'],
  ['not_configured', 'off'],
])

/** A reason that this version of the console does not know is not well: it is unknown. */
export const lampOfReason = (reason: string): Lamp => OF_REASON.get(reason) ?? 'unknown'

interface HealthRow {
  readonly configured: boolean
  readonly ok: boolean
  readonly drift: boolean | null
  readonly reason: string
  readonly stale: boolean
}

/** Nothing is green that was not seen: what is stale is unknown, whatever it was when it was seen. */
export function lampOfHealth({ configured, ok, drift, reason, stale }: HealthRow): Lamp {
  if (!configured) return 'off'
  if (stale || drift === null) return 'unknown'
  const lamp = lampOfReason(reason)
  if (lamp === 'ok') return ok && !drift ? 'ok' : 'drift'
  return lamp
}

export const lampOfRule = ({ holds }: { readonly holds: boolean | null }): Lamp =>
  holds === null ? 'unknown' : holds ? 'ok' : 'bad'

/** These wait for a deploy: they are no drift, and are under Changes. */
export const WAITING: ReadonlySet<string> = new Set(['pending_deploy', 'renderer_changed'])

/** How many differences of it are drift, by how many it has of each cause. One that differs has at least one. */
export const driftCount = (causes: Readonly<Record<string, number>>): number =>
  Math.max(
    1,
    Object.entries(causes).reduce((sum, [cause, many]) => sum + (WAITING.has(cause) ? 0 : many), 0),
  )

const OF_LETTER = new Map<string, Lamp>([
  ['o', 'ok'],
  ['w', 'pending'],
  ['p', 'pending'],
  ['m', 'moving'],
  ['d', 'drift'],
  ['x', 'bad'],
  ['u', 'unknown'],
  ['-', 'off'],
])

export const lampOfLetter = (letter: string): Lamp => OF_LETTER.get(letter) ?? 'unknown'
