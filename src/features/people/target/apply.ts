/**
 * Writing the users file: read, edited, compared, renamed over. Its provider writes it too, whenever somebody changes a
 * password, so what is edited is always what stands there now, and a change that comes in between is never lost.
 */
import { randomBytes } from 'node:crypto'
import type { ApplyContext, Difference, Repair } from '../../../engine/target.ts'
import { Failure } from '../../../kernel/failure.ts'
import { Secret } from '../../../kernel/secret.ts'
import type { ManagedFile } from '../../../ports/files.ts'
import type { PasswordHasher } from '../argon2/port.ts'
import type { UsersDocuments } from '../../../ports/users-file.ts'
import type { Change } from './changes.ts'
import { editOf } from './diff.ts'
import { type PeopleSeen, seePeople, type UsersSource } from './seen.ts'

export interface Hand extends UsersSource {
  readonly file: ManagedFile
  readonly documents: UsersDocuments
  readonly hasher: PasswordHasher
  /**
   * Awaited before each write: the provider may have to be told, and may need a pause between two. What it answers is
   * called when the write is over, however it went.
   */
  readonly writing: (signal: AbortSignal) => Promise<() => void>
}

/** Password hashes are in it. */
const NEW_FILE_MODE = 0o600
const MAX_TRIES = 5

export async function applyChanges(
  hand: Hand,
  differences: readonly Difference<Change>[],
  { signal, evidence, kept, whole_file }: ApplyContext & { readonly whole_file: boolean },
): Promise<readonly Repair[]> {
  // Any edit respells the file and puts it back in its place, also one of nothing.
  if (differences.length === 0 && !whole_file) return []
  const hashes = await newHashes(hand.hasher, differences, signal)
  for (let tries = 1; ; tries++) {
    const wrote = await hand.writing(signal)
    try {
      await writeOnce(hand, { differences, hashes, evidence, kept }, signal)
      return differences.map(({ key }) => ({ key, ok: true }))
    } catch (error) {
      if (!(error instanceof Overtaken) || tries === MAX_TRIES) throw error
    } finally {
      wrote()
    }
  }
}

interface Work {
  readonly differences: readonly Difference<Change>[]
  readonly hashes: Hashes
  readonly evidence: boolean
  readonly kept: ApplyContext['kept']
}

/** Somebody else has written the file since it was read. */
class Overtaken extends Failure {}

async function writeOnce(hand: Hand, { evidence, kept, ...work }: Work, signal: AbortSignal): Promise<void> {
  const seen = await seePeople(hand, signal)
  if (!seen.known) throw new Failure('component_unavailable', seen.detail)
  const text = edited(hand, seen.state, work)
  const expected = seen.state.displaced === undefined ? seen.state.digest : 'intruder'
  const options = { mode: NEW_FILE_MODE, keeps_mode: true, evidence, kept, expected } as const
  await hand.file.replace([Buffer.from(text)], options, signal).catch((error: unknown) => {
    const overtaken = error instanceof Failure && error.code === 'conflict'
    throw overtaken ? new Overtaken(error.code, error.message, error.details) : error
  })
}

/** Throws `conflict` where the result is nothing that the provider would take. */
function edited(
  { documents, file: { path } }: Hand,
  { text, is_misspelt }: PeopleSeen,
  { differences, hashes }: Omit<Work, 'evidence' | 'kept'>,
): string {
  if (differences.length === 0 && is_misspelt !== true) return text
  const edits = differences.map(({ payload }) => editOf(payload, hashes.get(payload.person.username)))
  const result = documents.edit(text, edits)
  if (!result.ok) throw new Failure('conflict', `${path} ${result.msg}.`)
  const read = documents.read(result.text)
  if (!read.ok) throw new Failure('conflict', `${path} ${read.msg} after the change, so it is left as it is.`)
  const ours = new Set(differences.map(({ payload }) => payload.person.username))
  const broken = read.faults.find(({ username }) => username === null || ours.has(username))
  if (broken === undefined || onlyDisables(differences)) return result.text
  throw new Failure('conflict', `${path} would not be taken: user ${broken.username} ${broken.msg}.`)
}

/** An entry that was broken before may be disabled all the same. */
const onlyDisables = (differences: readonly Difference<Change>[]): boolean =>
  differences.every(({ payload }) => payload.kind === 'disable')

type Hashes = ReadonlyMap<string, string>

/** For those who were lost: of a password that nobody will ever know. They set their own by the provider's reset. */
async function newHashes(
  hasher: PasswordHasher,
  differences: readonly Difference<Change>[],
  signal: AbortSignal,
): Promise<Hashes> {
  const hashes = new Map<string, string>()
  for (const { payload } of differences)
    if (payload.kind === 'add' && payload.person.password_hash === null)
      hashes.set(payload.person.username, await hasher.hash(randomPassword(), signal))
  return hashes
}

/** 128 bits. */
const randomPassword = (): Secret => new Secret(randomBytes(16).toString('base64url'))
