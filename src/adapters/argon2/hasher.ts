/** Argon2id with the parameters that Authelia itself uses, one after the other. Each takes 64 MiB and a thread of libuv's pool. */
import { hash, type Options } from '@node-rs/argon2'
import { Failure } from '../../kernel/failure.ts'
import type { PasswordHasher } from '../../ports/password-hasher.ts'

/** Authelia's defaults (`authentication_backend.file.password.argon2`); the library's salt has 16 bytes. */
const AUTHELIA = {
  // Argon2id. The library declares it as a constant that is gone at run time.
  algorithm: 2,
  memoryCost: 65_536,
  timeCost: 3,
  parallelism: 4,
  outputLen: 32,
} as const satisfies Options

/**
 * The library works on the lanes of one hash in parallel: on two cores one at a time made 37 a second and two made 30. The
 * other threads of libuv's pool go on reading files and names.
 */
const AT_ONCE = 1
const MOST_WAITING = 256
const RETRY_MS = 15_000

export function argon2Hasher(): PasswordHasher {
  const waiting: (() => void)[] = []
  let running = 0
  const turn = async (): Promise<void> => {
    if (running < AT_ONCE) return void running++
    if (waiting.length >= MOST_WAITING)
      throw new Failure('component_unavailable', `${MOST_WAITING} passwords wait to be hashed already.`, {
        retry_after_ms: RETRY_MS,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  // A place is handed on, so that nobody comes in between.
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
  return {
    async hash(password, signal) {
      signal.throwIfAborted()
      await turn()
      try {
        signal.throwIfAborted()
        return await hash(password.reveal(), AUTHELIA)
      } finally {
        leave()
      }
    },
  }
}
