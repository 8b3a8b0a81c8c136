/** Why the access policy turns a request away. */
import type { Milliseconds } from '../kernel/clock.ts'
import type { FailureCode, FieldError } from '../kernel/failure.ts'

export interface Refusal {
  readonly code: FailureCode
  /** For the caller: what was refused, and the setting to change where it is one. */
  readonly detail: string
  /** When it is worth another try. */
  readonly retry_after_ms?: Milliseconds
  /** The inputs that do not fit, where the code is `validation_failed`. */
  readonly errors?: readonly FieldError[]
}

export const refusal = (code: FailureCode, detail: string): Refusal => ({ code, detail })

/** Text of a caller inside a sentence: short and quoted. */
export const quoted = (text: string): string => `"${text.slice(0, 100)}"`
