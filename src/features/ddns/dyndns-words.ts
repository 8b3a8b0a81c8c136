/** The words of the dyndns2 protocol: first on their line, and none for trouble that a client could take for success. */
import type { FailureCode } from '../../kernel/failure.ts'
import type { UpdateAnswer } from './addresses/update-address.ts'
import type { ProblemLine } from '../../http/contract.ts'
import { PROBLEMS } from '../../http/problem.ts'

export const successWord = ({ changed, addresses }: UpdateAnswer): string =>
  `${changed ? 'good' : 'nochg'} ${addresses.map(({ address }) => address).join(',')}`

const WORDS: Readonly<Partial<Record<FailureCode, string>>> = {
  unauthenticated: 'badauth',
  wrong_key: 'badauth',
  token_not_for_name: 'nohost',
  read_only_key: 'nohost',
  not_found: 'nohost',
  ddns_disabled: 'nohost',
  validation_failed: 'dnserr',
  rate_limited: 'abuse',
}

/** `911` asks a client to come again later; what a repeat would not change is `badagent`, with the code for people. */
const dyndnsWord = (code: FailureCode): string =>
  WORDS[code] ?? `${PROBLEMS[code].status >= 500 ? '911' : 'badagent'} ${code}`

/** Clients read `badauth` at 401 and every other word at 200 alone; at 5xx they come again later. */
export function dyndnsLine(code: FailureCode): ProblemLine {
  const { status } = PROBLEMS[code]
  const text = dyndnsWord(code)
  if (status >= 500) return { status: 503, text }
  return { status: status === 401 || WORDS[code] === undefined ? status : 200, text }
}

export const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
