/** One file of alerting as something that is kept true: what the settings say, and nothing else. */
import { fileTarget, observed } from '../../../engine/file-target.ts'
import type { ApplyContext, Codec, Difference, Explanation, Target } from '../../../engine/target.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { textDiff } from '../../../kernel/text/diff.ts'
import { ALERTING } from '../../../model/component.ts'
import type { DriftCause } from '../../../model/drift.ts'
import { type FileLook, lookStamp, type ManagedFile } from '../../../ports/files.ts'

export interface AlertingDesired {
  /** What is wanted is the same whatever domains there are. */
  readonly agrees_with: 'settings'
}
const DESIRED: AlertingDesired = { agrees_with: 'settings' }
const BYTES = Buffer.from('the files of alerting agree with the settings\n')
const codec: Codec<AlertingDesired> = {
  freeze: () => ({ digest: sha256([BYTES]), chunks: [BYTES] }),
  thaw: () => DESIRED,
}

export interface AlertingFileParts {
  /** Of several files of the component each has one. */
  readonly key: string
  readonly file: ManagedFile
  readonly text: string
  readonly clock: Clock
}

const EVERY_MS = 1_000
/** Its reader runs as somebody else, and no secret is in it. */
const MODE = 0o644

type NewContent = 'bytes' | 'mode'
export type AlertingTarget = Target<AlertingDesired, FileLook, NewContent>

export function alertingFileTarget(parts: AlertingFileParts): AlertingTarget {
  const { key, file, clock } = parts
  const target = fileTarget<AlertingDesired, FileLook, NewContent>({
    key,
    file,
    place: file.path,
    constant: true,
    every_ms: EVERY_MS,
    full_look_every_ms: 600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, max_ms: 60_000 },
    whole: true,
    reads: [],
    desire: () => DESIRED,
    codec,
    observe: (signal) =>
      observed({ clock }, signal, async () => {
        const look = await file.look(signal)
        return { state: look, digest: lookStamp(look) }
      }),
    diff: (_desired, look) => differencesIn(look, parts),
    concerns: () => false,
    async apply(differences, _desired, context) {
      for (const { payload } of differences) await write(parts, payload, context)
      return differences.map((difference) => ({ key: difference.key, ok: true }))
    },
    explain: ({ observed: look }) => explained(look, parts),
  })
  return { ...target, name: ALERTING, artifact: ALERTING }
}

function differencesIn(
  look: FileLook,
  { key, file, text }: AlertingFileParts,
): readonly Difference<NewContent>[] {
  const digest = sha256([text])
  const is_same = look.kind === 'file' && look.digest === digest
  const fault = look.kind === 'file' ? look.access : undefined
  if (is_same && fault === undefined) return []
  return [
    {
      key,
      verb: look.kind === 'absent' ? 'create' : 'update',
      item: file.path,
      before: look.kind === 'absent' ? null : is_same ? fault!.what : lookStamp(look).slice(0, 12),
      after: is_same ? 'its own mode' : digest.slice(0, 12),
      payload: is_same ? 'mode' : 'bytes',
    },
  ]
}

async function write(
  { file, text }: AlertingFileParts,
  kind: NewContent,
  { signal, evidence, kept }: ApplyContext,
): Promise<void> {
  if (kind === 'mode') return file.restoreMode(signal)
  const chunk = Buffer.from(text)
  await file.replace([chunk], { mode: MODE, evidence, kept, digest: sha256([chunk]) }, signal)
}

function explained(look: FileLook, parts: AlertingFileParts): Explanation {
  const [difference] = differencesIn(look, parts)
  if (difference === undefined) return { differences: [], unified_diff: null, note: null }
  const { path } = parts.file
  const is_mode = difference.payload === 'mode'
  const cause: DriftCause = look.kind === 'absent' ? 'lost' : is_mode ? 'access' : 'edited'
  const text =
    look.kind === 'absent' ? '' : look.kind === 'file' ? Buffer.from(look.bytes).toString('utf8') : null
  const { unified, note } =
    is_mode || text === null ? { unified: null, note: null } : textDiff(path, text, parts.text)
  const detail = detailOf(look, difference)
  return { differences: [{ item: path, cause, domains: [], detail }], unified_diff: unified, note }
}

function detailOf(look: FileLook, { payload, before }: Difference<NewContent>): string {
  if (look.kind === 'absent') return 'the file is missing'
  if (payload === 'mode') return `the file ${before}`
  return look.kind === 'file'
    ? 'the file does not say what the settings say'
    : `something that is no file of ours stands there (${lookStamp(look)})`
}
