/** One file of the SSH gateway as something that is kept true: nothing but the released targets, in our own words. */
import { type Constant, constant } from '../../../engine/constant.ts'
import { fileTarget, type Looking, observed } from '../../../engine/file-target.ts'
import type { ApplyContext, Difference, Explanation, Target } from '../../../engine/target.ts'
import {
  explainFile,
  type FileChange,
  fileDifferences,
  fileText,
  UNCHANGED,
} from '../../../engine/whole-file.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { SSH_PROXY } from '../../../model/component.ts'
import { readStamp, type WorldStamp } from '../../../model/world-stamp.ts'
import { type FileLook, lookStamp, type ManagedFile } from '../../../ports/files.ts'
import type { ReaderOf } from '../../../ports/record-set.ts'
import { headed, isOurs, withoutStamp } from '../model/render.ts'
import type { ProxyHost, sshTargetRecords } from '../records.ts'

export interface ProxyFileState {
  readonly look: FileLook
  /** What should stand below the header; null where nothing was ever released, so that nothing is wanted. */
  readonly body: string | null
}

/** Here, or on another machine. */
export type ProxyFile = Pick<ManagedFile, 'path' | 'glance' | 'look' | 'replace' | 'restoreMode' | 'watch'>

export interface ProxyFileParts {
  /** Of several files of the component each has one. */
  readonly key: string
  readonly file: ProxyFile
  readonly every_ms: Milliseconds
  /** What a look that fails says of the world. Left out: it is unreadable. */
  readonly reasonOf?: Looking['reasonOf']
  readonly render: (hosts: readonly ProxyHost[]) => string
  readonly store: ReaderOf<typeof sshTargetRecords>
  readonly clock: Clock
  /** How far the database is. */
  readonly stamp: () => Promise<WorldStamp | null>
}

export const PROXY_FILE_MODE = 0o644

interface NewContent {
  readonly kind: FileChange
  readonly body: string
}
export type ProxyTarget = Target<Constant, ProxyFileState, NewContent>

export function proxyFileTarget(parts: ProxyFileParts): ProxyTarget {
  const { key, file, clock, every_ms, reasonOf } = parts
  const target = fileTarget<Constant, ProxyFileState, NewContent>({
    // The released targets are read with each look.
    ...constant('database', 'the files of the SSH gateway agree with the database'),
    key,
    file,
    place: file.path,
    every_ms,
    full_look_every_ms: 600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, max_ms: 60_000 },
    whole: true,
    observe: (signal) =>
      observed({ clock, ...(reasonOf && { reasonOf }) }, signal, async () => {
        const state = await stateOf(parts, signal)
        return { state, digest: digestOf(state) }
      }),
    diff: (_desired, state) => differencesIn(state, parts),
    isVacant: (_desired, { body }) => body === null,
    stampIn: ({ look }) => {
      const text = fileText(look)
      return text !== null && isOurs(text) ? readStamp(text.split('\n', 1)[0]!) : null
    },
    bears_number: true,
    // What somebody put there may run a program of theirs, or pass for another machine.
    opens: (_desired, state) => differencesIn(state, parts).some(({ verb }) => verb !== 'create'),
    async apply(differences, _desired, context) {
      for (const { payload } of differences) await write(parts, payload, context)
      return differences.map((difference) => ({ key: difference.key, ok: true }))
    },
    explain: ({ observed: state }) => explained(state, parts),
  })
  return { ...target, name: SSH_PROXY, artifact: SSH_PROXY }
}

async function stateOf(
  { file, store, render }: ProxyFileParts,
  signal: AbortSignal,
): Promise<ProxyFileState> {
  const look = await file.look(signal)
  const hosts = await store.sshProxyHosts()
  const text = fileText(look)
  const is_wanted = hosts.length > 0 || (text !== null && isOurs(text))
  return { look, body: is_wanted ? render(hosts) : null }
}

/** How far the world is stands in the file and is no part of what it says. */
function digestOf({ look }: ProxyFileState): string {
  const text = fileText(look)
  return text === null || look.kind !== 'file'
    ? lookStamp(look)
    : lookStamp({ ...look, digest: sha256([withoutStamp(text)]) })
}

/** Null where nothing was ever released. */
function wantedFile({ look, body }: ProxyFileState, { key, file }: Pick<ProxyFileParts, 'key' | 'file'>) {
  if (body === null) return null
  const text = fileText(look)
  const is_to_say = headed(body, null)
  const is_same = text !== null && withoutStamp(text) === is_to_say
  return { key, path: file.path, is_same, digest: sha256([is_to_say]), is_to_say, body }
}

function differencesIn(state: ProxyFileState, parts: ProxyFileParts): readonly Difference<NewContent>[] {
  const wanted = wantedFile(state, parts)
  if (wanted === null) return []
  return fileDifferences(state.look, wanted).map((one) => ({
    ...one,
    payload: { kind: one.payload, body: wanted.body },
  }))
}

async function write(
  { file, stamp }: ProxyFileParts,
  { kind, body }: NewContent,
  { signal, evidence, kept }: ApplyContext,
): Promise<void> {
  if (kind === 'mode') return file.restoreMode(signal)
  const chunk = Buffer.from(headed(body, await stamp()))
  await file.replace([chunk], { mode: PROXY_FILE_MODE, evidence, kept, digest: sha256([chunk]) }, signal)
}

function explained(state: ProxyFileState, parts: ProxyFileParts): Explanation {
  const wanted = wantedFile(state, parts)
  if (wanted === null) return UNCHANGED
  const text = fileText(state.look)
  return explainFile(state.look, wanted, {
    was: text === null ? null : withoutStamp(text),
    is_to_say: wanted.is_to_say,
    missing: 'the file is missing: no target is reached by its name',
    edited: 'the file does not say what was released',
  })
}
