/** Cloudflare's error codes, as far as they are known: there is no official list. */
import type { FailureCode } from '../../../../kernel/failure.ts'
import type { Refusal } from './wire.ts'

/** Malformed, unknown or overused credentials, and those that lack a permission. */
const CREDENTIALS = [6003, 6103, 6111, 9106, 9109, 10000]
const NO_SUCH_ROUTE = [7000, 7001]
export const NO_SUCH_RECORD = 81044
const RECORD_EXISTS = 81057
const SAME_RECORD_EXISTS = 81058
/** The zone is not as it was listed: look again. */
const CHANGED = [NO_SUCH_RECORD, RECORD_EXISTS, SAME_RECORD_EXISTS]

/** All codes, those in the chains included: 1004 says nothing without its chain. */
const codesOf = ({ errors }: Refusal): number[] =>
  errors.flatMap((error) => [error.code, ...(error.error_chain ?? []).map((link) => link.code)])

export const hasCode = (refusal: Refusal | null, code: number): boolean =>
  refusal !== null && codesOf(refusal).includes(code)

const hasOneOf = (refusal: Refusal | null, codes: readonly number[]): boolean =>
  codes.some((code) => hasCode(refusal, code))

export const codeOf = (refusal: Refusal): FailureCode | null =>
  hasOneOf(refusal, CREDENTIALS) ? 'provider_credentials' : null

export const isChanged = (refusal: Refusal | null): boolean => hasOneOf(refusal, CHANGED)

/** The batch call itself is not to be had here, whatever stands in it: single calls may still work. */
export const isWithoutBatch = (status: number, refusal: Refusal | null): boolean =>
  status === 405 || status === 413 || status === 501 || hasOneOf(refusal, NO_SUCH_ROUTE)

export const words = ({ errors }: Refusal): string =>
  errors
    .flatMap((error) => [error, ...(error.error_chain ?? [])])
    .map((error) => `${error.message.replace(/\.$/, '')} [${error.code}]`)
    .join(': ')
