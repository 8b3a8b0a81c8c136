/** The words of the dyndns2 protocol: first on their line, and none for trouble that a client could take for success. */
import type { FailureCode } from '../../kernel/failure.ts'
import type { UpdateAnswer } from '../../operations/ddns/update-address.ts'
import { PROBLEMS } from '../problem.ts'

export const successWord = ({ changed, addresses }: UpdateAnswer): string =>
  `${changed ? 'good' : 'nochg'} ${addresses.map(({ address }) => address).join(',')}`

const WORDS: Readonly<Partial<Record<FailureCode, string>>> = {
  unauthenticated: 'badauth',
  wrong_key: 'badauth',
  token_not_for_name: 'nohost',
  not_found: 'nohost',
  ddns_disabled: 'nohost',
  validation_failed: 'dnserr',
  rate_limited: 'abuse',
}

/** `911` asks a client to come again later; what a repeat would not change is `badagent`, with the code for people. */
export const dyndnsWord = (code: FailureCode): string =>
  WORDS[code] ?? `${PROBLEMS[code].status >= 500 ? '911' : 'badagent'} ${code}`

export const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
