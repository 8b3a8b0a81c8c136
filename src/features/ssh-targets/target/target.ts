/** One file of the SSH gateway as something that is kept true: nothing but the released targets, in our own words. */
import { fileTarget, type Looking, observed } from '../../../engine/file-target.ts'
import type { ApplyContext, Codec, Difference, Explanation, Target } from '../../../engine/target.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { textDiff } from '../../../kernel/text/diff.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { SSH_PROXY } from '../../../model/component.ts'
import type { DriftCause } from '../../../model/drift.ts'
import { readStamp, type WorldStamp } from '../../../model/world-stamp.ts'
import { type FileLook, lookStamp, type ManagedFile } from '../../../ports/files.ts'
import type { ReaderOf } from '../../../ports/record-set.ts'
import { headed, isOurs, withoutStamp } from '../model/render.ts'
import type { ProxyHost, sshTargetRecords } from '../records.ts'

export interface ProxyDesired {
  /** What is wanted is the same whatever domains there are; the released targets are read with each look. */
  readonly agrees_with: 'database'
}
const DESIRED: ProxyDesired = { agrees_with: 'database' }
const BYTES = Buffer.from('the files of the SSH gateway agree with the database\n')
const codec: Codec<ProxyDesired> = {
  freeze: () => ({ digest: sha256([BYTES]), chunks: [BYTES] }),
  thaw: () => DESIRED,
}

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
  readonly kind: 'bytes' | 'mode'
  readonly body: string
}
export type ProxyTarget = Target<ProxyDesired, ProxyFileState, NewContent>

export function proxyFileTarget(parts: ProxyFileParts): ProxyTarget {
  const { key, file, clock, every_ms, reasonOf } = parts
  const target = fileTarget<ProxyDesired, ProxyFileState, NewContent>({
    key,
    file,
    place: file.path,
    constant: true,
    every_ms,
    full_look_every_ms: 600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, max_ms: 60_000 },
    whole: true,
    reads: [],
    desire: () => DESIRED,
    codec,
    observe: (signal) =>
      observed({ clock, ...(reasonOf && { reasonOf }) }, signal, async () => {
        const state = await stateOf(parts, signal)
        return { state, digest: digestOf(state) }
      }),
    diff: (_desired, state) => differencesIn(state, parts),
    isVacant: (_desired, { body }) => body === null,
    stampIn: ({ look }) => {
      const text = textOf(look)
      return text !== null && isOurs(text) ? readStamp(text.split('\n', 1)[0]!) : null
    },
    bears_number: true,
    // What somebody put there may run a program of theirs, or pass for another machine.
    opens: (_desired, state) => differencesIn(state, parts).some(({ verb }) => verb !== 'create'),
    concerns: () => false,
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
  const text = textOf(look)
  const is_wanted = hosts.length > 0 || (text !== null && isOurs(text))
  return { look, body: is_wanted ? render(hosts) : null }
}

const textOf = (look: FileLook): string | null =>
  look.kind === 'file' ? Buffer.from(look.bytes).toString('utf8') : null

/** How far the world is stands in the file and is no part of what it says. */
function digestOf({ look }: ProxyFileState): string {
  const text = textOf(look)
  return text === null || look.kind !== 'file'
    ? lookStamp(look)
    : lookStamp({ ...look, digest: sha256([withoutStamp(text)]) })
}

function differencesIn(
  { look, body }: ProxyFileState,
  { key, file }: Pick<ProxyFileParts, 'key' | 'file'>,
): readonly Difference<NewContent>[] {
  if (body === null) return []
  const text = textOf(look)
  const is_same = text !== null && withoutStamp(text) === headed(body, null)
  const fault = look.kind === 'file' ? look.access : undefined
  if (is_same && fault === undefined) return []
  const kind = is_same ? 'mode' : 'bytes'
  return [
    {
      key,
      verb: look.kind === 'absent' ? 'create' : 'update',
      item: file.path,
      before: look.kind === 'absent' ? null : is_same ? fault!.what : lookStamp(look).slice(0, 12),
      after: is_same ? 'its own mode' : sha256([headed(body, null)]).slice(0, 12),
      payload: { kind, body },
    },
  ]
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
  const [difference] = differencesIn(state, parts)
  if (difference === undefined) return { differences: [], unified_diff: null, note: null }
  const { look } = state
  const { path } = parts.file
  const { kind, body } = difference.payload
  const cause: DriftCause = look.kind === 'absent' ? 'lost' : kind === 'mode' ? 'access' : 'edited'
  const detail =
    look.kind === 'absent'
      ? 'the file is missing: no target is reached by its name'
      : kind === 'mode'
        ? `the file ${difference.before}`
        : look.kind === 'file'
          ? 'the file does not say what was released'
          : `something that is no file of ours stands there (${lookStamp(look)})`
  const text = look.kind === 'absent' ? '' : textOf(look)
  const { unified, note } =
    kind === 'mode' || text === null
      ? { unified: null, note: null }
      : textDiff(path, withoutStamp(text), headed(body, null))
  return { differences: [{ item: path, cause, domains: [], detail }], unified_diff: unified, note }
}
