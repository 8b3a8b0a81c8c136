/** What the command answers to the shell. Stable: people's CI depends on it, so README.md beside it lists the same table. */
import type { Failure, FailureCode } from '../kernel/failure.ts'

export const EXIT = {
  ok: 0,
  /** The call failed; the message says why. */
  failed: 1,
  /** What asks how it is: it differs. `plan`: there is something to do. */
  drift: 2,
  /** It could not be found out: how it is, or whether a change was carried out. Unknown is not clean. */
  unknown: 3,
  usage: 64,
  database_corrupt: 65,
  database_missing: 66,
  /** Of a start with `PLUMBLINE_OLDER_DATABASE=exit`, and of a change while nothing is written outside. */
  restored_from_backup: 66,
  schema_too_new: 70,
  data_directory_in_use: 75,
  bad_configuration: 78,
  /** Ctrl-C, as a shell tells of SIGINT. */
  interrupted: 130,
  /** Nobody reads the answer any more, as a shell tells of SIGPIPE. */
  closed_pipe: 141,
} as const

export const exitCodeOf = ({ code, details }: Failure): number =>
  details.facts?.['outcome'] === 'unknown'
    ? EXIT.unknown
    : ((EXIT as Partial<Record<FailureCode, number>>)[code] ?? EXIT.failed)

/** Whether the daemon refused words of the command line as no command could take them: wrong usage, whoever of the two sees it. */
export const isWrongWords = ({ details: { facts = {} } }: Failure): boolean =>
  facts['code'] === 'validation_failed'

/** Of what asks how it is. What is known to be wrong goes before what is not known. */
export function exitCodeOfLook(states: readonly (boolean | null)[]): number {
  if (states.includes(false)) return EXIT.drift
  return states.includes(null) ? EXIT.unknown : EXIT.ok
}

/** Of a deployment that was carried out: failed where the proxy did not load it, or does not serve all that it is about. */
export function exitCodeAfter(answer: object): number {
  const is_refused = 'success' in answer && answer.success === false
  const is_unloaded = 'loaded' in answer && answer.loaded === false
  return is_refused || is_unloaded ? EXIT.failed : EXIT.ok
}
