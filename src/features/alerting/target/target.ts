/** One file of alerting as something that is kept true: what the settings say, and nothing else. */
import { type Constant, constant } from '../../../engine/constant.ts'
import { fileTarget, observed } from '../../../engine/file-target.ts'
import type { ApplyContext, Target } from '../../../engine/target.ts'
import { explainFile, type FileChange, fileDifferences, fileText } from '../../../engine/whole-file.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { ALERTING } from '../../../model/component.ts'
import { type FileLook, lookStamp, type ManagedFile } from '../../../ports/files.ts'

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

export type AlertingTarget = Target<Constant, FileLook, FileChange>

export function alertingFileTarget(parts: AlertingFileParts): AlertingTarget {
  const { key, file, text, clock } = parts
  const digest = sha256([text])
  const wanted = (look: FileLook) => ({
    key,
    path: file.path,
    is_same: look.kind === 'file' && look.digest === digest,
    digest,
  })
  const target = fileTarget<Constant, FileLook, FileChange>({
    ...constant('settings', 'the files of alerting agree with the settings'),
    key,
    file,
    place: file.path,
    every_ms: EVERY_MS,
    full_look_every_ms: 600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, max_ms: 60_000 },
    whole: true,
    observe: (signal) =>
      observed({ clock }, signal, async () => {
        const look = await file.look(signal)
        return { state: look, digest: lookStamp(look) }
      }),
    diff: (_desired, look) => fileDifferences(look, wanted(look)),
    async apply(differences, _desired, context) {
      for (const { payload } of differences) await write(parts, payload, context)
      return differences.map((difference) => ({ key: difference.key, ok: true }))
    },
    explain: ({ observed: look }) =>
      explainFile(look, wanted(look), {
        was: fileText(look),
        is_to_say: text,
        missing: 'the file is missing',
        edited: 'the file does not say what the settings say',
      }),
  })
  return { ...target, name: ALERTING, artifact: ALERTING }
}

async function write(
  { file, text }: AlertingFileParts,
  kind: FileChange,
  { signal, evidence, kept }: ApplyContext,
): Promise<void> {
  if (kind === 'mode') return file.restoreMode(signal)
  const chunk = Buffer.from(text)
  await file.replace([chunk], { mode: MODE, evidence, kept, digest: sha256([chunk]) }, signal)
}
