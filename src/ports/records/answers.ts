/** Answers to calls with an Idempotency-Key. Part of the store's contract. */
import type { Instant } from '../../kernel/clock.ts'

export interface RememberedAnswer {
  readonly request_digest: string
  /** Null while the first call is under way, or when it died before it answered. Its body is empty where it is not kept. */
  readonly answer: { readonly status: number; readonly body: string } | null
}

export interface AnswerReader {
  rememberedAnswer(key: string): Promise<RememberedAnswer | null>
}

export interface AnswerWriter {
  /** Reserves an idempotency key; false when it is taken already. */
  reserveAnswer(key: string, request_digest: string, at: Instant): Promise<boolean>
  saveAnswer(key: string, answer: { status: number; body: string }): Promise<void>
  /** Gives up a reservation whose call changed nothing, so that it may be tried again. */
  dropAnswer(key: string): Promise<void>
  forgetAnswers(before: Instant): Promise<void>
  /** Forgets all but the newest `kept` answers whose key begins so. A call that has no answer yet is not forgotten. */
  forgetMoreAnswers(beginning: string, kept: number): Promise<void>
  /** Empties the bodies of all but the newest that have so many bytes together. That they were given is not forgotten. */
  forgetAnswerBodies(kept_bytes: number): Promise<void>
}
