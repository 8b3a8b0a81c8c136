/**
 * When each credential was first seen, in a file that only its owner can read. Beside each stands a salted scrypt of it, cut
 * short: enough to tell that it is another one, and of no use to whoever tries passwords on a copy of the file.
 */
import { randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { systemErrorCode } from '../../../kernel/failure.ts'
import type { CredentialAges, ForeignCredential } from './ages-port.ts'
import { writeAtomically } from '../../../io/files/write-atomically.ts'

interface Noted {
  readonly since: number
  readonly salt: string
  readonly mark: string
}

/** A chance of one in four billion that another one is taken for the same. */
const MARK_BYTES = 4
const derive = promisify<string, string, number, Buffer>(scrypt)

const markOf = async ({ secret }: ForeignCredential, salt: string): Promise<string> =>
  (await derive(secret.reveal(), salt, MARK_BYTES)).toString('hex')

export const credentialAges = (path: string): CredentialAges => ({
  async observe(credentials, now) {
    const before = await notedIn(path)
    const after: Record<string, Noted> = {}
    for (const credential of credentials) {
      const known = before[credential.name]
      const is_same = known !== undefined && known.mark === (await markOf(credential, known.salt))
      after[credential.name] = is_same ? known : await noted(credential, now)
    }
    if (JSON.stringify(after) !== JSON.stringify(before))
      await writeAtomically(path, [Buffer.from(`${JSON.stringify(after, null, 2)}\n`)], { mode: 0o600 })
    return new Map(Object.entries(after).map(([name, { since }]) => [name, since]))
  },
})

async function noted(credential: ForeignCredential, since: number): Promise<Noted> {
  const salt = randomBytes(16).toString('hex')
  return { since, salt, mark: await markOf(credential, salt) }
}

/** A file that is gone or damaged only lets the ages begin anew. */
async function notedIn(path: string): Promise<Readonly<Record<string, Noted | undefined>>> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Object.fromEntries(Object.entries(found as object).filter(([, one]) => isNoted(one)))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || error instanceof SyntaxError) return {}
    throw error
  }
}

function isNoted(value: unknown): value is Noted {
  const { since, salt, mark } = (value ?? {}) as Partial<Record<keyof Noted, unknown>>
  return Number.isSafeInteger(since) && typeof salt === 'string' && typeof mark === 'string'
}
