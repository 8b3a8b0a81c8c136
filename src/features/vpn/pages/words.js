/** How the dashboard says things: ages, sizes, keys, and the states of a site. Pure. */

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** `14 s`, `12 min`, `5 h`, `9 d`. */
export function age(seconds) {
  if (seconds < MINUTE) return `${Math.floor(seconds)} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`
  return `${Math.floor(seconds / DAY)} d`
}

export const ago = (seconds) => (seconds < 1 ? 'now' : `${age(seconds)} ago`)

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

export const timeOfDay = (ms) => clock.format(ms)
export const wholeTime = (ms) => moment.format(ms)

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
const figure = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

export function bytes(count) {
  let value = count
  let unit = 0
  // What would be shown as 1,000 of a unit is one of the next.
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000
  return `${figure.format(value)} ${UNITS[unit]}`
}

export const both = (into, out, each = '') => `${bytes(into)}${each} in, ${bytes(out)}${each} out`

/** Its beginning is what people compare. */
export const shortKey = (key) => `${key.slice(0, 8)}…${key.slice(-4)}`

export const peers = (count) => (count === 1 ? '1 peer' : `${count} peers`)

/** What a state looks like, what it means, and what can be done. `detail` of the API stands between the last two. */
export const STATES = {
  ok: { lamp: 'ok', word: 'As it should be', means: null, help: null },
  stale: {
    lamp: 'unknown',
    word: 'Stale',
    means: 'The gateway could not be read since. What stands here is what it said last.',
    help: 'Sync reads it again.',
  },
  unreachable: {
    lamp: 'unknown',
    word: 'Unknown',
    means: 'The gateway does not answer, so its peers are not known.',
    help: 'Is it on, and is the host in the settings right? Sync reads it again.',
  },
  refused: {
    lamp: 'wrong',
    word: 'Refused',
    means: 'The gateway does not let us in, or it is another one than before.',
    help: 'Sync reads it again.',
  },
  unreadable: {
    lamp: 'unknown',
    word: 'Unreadable',
    means: 'The gateway answers, and what it says is no export.',
    help: 'plumbline vpn gateway-script prints the script that belongs there.',
  },
  not_configured: { lamp: 'off', word: 'Not set up', means: null, help: null },
}

/** Warnings with which a file connects nobody, or to somebody else. */
export const GRAVE = new Set(['private_key_mismatch', 'server_key_changed'])
