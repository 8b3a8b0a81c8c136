/** The thread that hashes: one password in, one PHC string out, as long as somebody asks. What goes wrong ends it. */
import { constants, getPriority, platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, type Options } from '@node-rs/argon2'

/** Authelia's defaults (`authentication_backend.file.password.argon2`); the library's salt has 16 bytes. */
const AUTHELIA = {
  // Argon2id. The library declares it as a constant that is gone at run time.
  algorithm: 2,
  memoryCost: 65_536,
  timeCost: 3,
  parallelism: 4,
  outputLen: 32,
} as const satisfies Options

/** Of two that want the same core, this one gets a tenth: so much above the rest of the daemon, whatever that has. */
const NICER_BY = 10

// On Linux this concerns the calling thread and those that it starts, so the library's lanes, too; elsewhere it would
// slow the whole daemon down. Where it is forbidden, hashing is merely less polite.
if (platform() === 'linux')
  try {
    setPriority(Math.min(getPriority() + NICER_BY, constants.priority.PRIORITY_LOW))
  } catch {}

parentPort?.on('message', (password: string) => parentPort?.postMessage(hashSync(password, AUTHELIA)))
