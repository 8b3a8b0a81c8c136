/** The hashing library by itself, with Authelia's parameters: what our hasher is measured against. */
import { hash } from '@node-rs/argon2'

const AUTHELIA = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 4, outputLen: 32 } as const

/** So many hashes, `at_once` at a time. */
export async function bareHash(password: string, count: number, at_once: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: at_once }, async () => {
      while (left-- > 0) await hash(password, AUTHELIA)
    }),
  )
}
