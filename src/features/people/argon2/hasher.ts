/** Argon2id with the parameters that Authelia itself uses, one hash after the other. Each takes 64 MiB while it lasts. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { Thread } from '../../../kernel/async/thread.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import type { PasswordHasher } from './port.ts'

/**
 * Nothing is gained by more than one at a time: the library works on the lanes of one in parallel (on two cores one at a
 * time made 37 a second, two made 30).
 */
const MAX_IN_HAND = 256
const RETRY_MS = 15_000
const IDLE_MS: Milliseconds = 10_000
/** It takes a tenth of a second of a core, but on a busy machine it gets only what others leave. */
const MAX_MS: Milliseconds = 30_000

/** @param code what the thread runs: by itself, the one that hashes */
export function argon2Hasher(code: URL = new URL('hashing-thread.ts', import.meta.url)): PasswordHasher {
  const thread = new Thread<string, string>(code, IDLE_MS)
  let in_hand = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    async hash(password, signal) {
      signal.throwIfAborted()
      if (in_hand === MAX_IN_HAND) throw busy()
      in_hand++
      const turn = last.then(() => {
        signal.throwIfAborted()
        return hashed(thread, password.reveal())
      })
      last = turn.catch(() => undefined).finally(() => in_hand--)
      return untilAborted(turn, signal)
    },
    close: () => thread.end(),
  }
}

const busy = (): Failure =>
  new Failure('component_unavailable', `${MAX_IN_HAND} passwords wait to be hashed already.`, {
    retry_after_ms: RETRY_MS,
  })

/** A thread that dies is replaced once: nothing has happened yet that could happen twice. */
async function hashed(thread: Thread<string, string>, password: string): Promise<string> {
  const deadline = AbortSignal.timeout(MAX_MS)
  try {
    return await thread.ask(password, deadline).catch(() => thread.ask(password, deadline))
  } catch (cause) {
    const why = deadline.aborted ? `it took longer than ${MAX_MS / 1000} s` : (cause as Error).message
    throw new Failure('component_unavailable', `A password could not be hashed: ${why}.`, {
      cause,
      retry_after_ms: RETRY_MS,
    })
  }
}
