/** The proxy's file of our certificates as something that is kept true: one file, replaced as a whole. */
import { join, relative } from 'node:path'
import { causeOf } from '../../../engine/cause.ts'
import { observed } from '../../../engine/file-target.ts'
import type { Explanation, Sides, Target } from '../../../engine/target.ts'
import { digestOf, sha256 } from '../../../kernel/digest.ts'
import { glanceAt } from '../../../kernel/glance.ts'
import { Failure } from '../../../kernel/failure.ts'
import { hideInDiff } from '../../../kernel/text/hide-secrets.ts'
import { quote } from '../../../kernel/text/quoted.ts'
import { editionsDiff } from '../../../model/sides/editions-diff.ts'
import { type FileLook, lookStamp } from '../../../ports/files.ts'
import type { VersionFiles } from '../files/port.ts'
import { type CertificatesDesired, isOurs } from '../target/desire.ts'
import type { CertificatesFamily } from '../target/family.ts'
import type { CertificateParts } from '../target/parts.ts'
import type { Reading } from '../target/inventory.ts'
import { entriesFor } from './entries.ts'
import { namedDetail } from './named.ts'
import { ReturnedFiles } from './returned.ts'
import { sweep } from './sweep.ts'

// The file that tells the proxy of our certificates (`tls.certificates` of Traefik's dynamic configuration). Pure.
//
// Versions have paths of their own, so the rename of this file is what switches from one to the next, and its new text is
// what makes the proxy read them: it watches this file, never the files that it names.

/** Constant: anything variable in a comment would be a difference that changes nothing. */
const HEADER = '# Written by Plumbline; edits are undone.\n'

interface Places {
  /** Where the versions are, for us. */
  readonly directory: string
  /** The same directory as the proxy sees it. */
  readonly in_proxy: string
}

interface RenderedFile {
  readonly chunks: readonly Uint8Array[]
  readonly checksum: string
}

/** Without any entry there is no map at all: an empty one would be refused. */
export function renderFile(entries: readonly VersionFiles[], { directory, in_proxy }: Places): RenderedFile {
  const path = (file: string): string => quote(join(in_proxy, relative(directory, file)))
  const lines = entries.map(
    ({ chain_file, key_file }) => `    - certFile: ${path(chain_file)}\n      keyFile: ${path(key_file)}\n`,
  )
  const text = lines.length === 0 ? HEADER : `${HEADER}tls:\n  certificates:\n${lines.join('')}`
  const chunks = [Buffer.from(text)]
  return { chunks, checksum: sha256(chunks) }
}

const CERTIFICATES_FILE_KEY = 'certificates-file'

/** Traefik runs as another user and only reads; the keys have no such mode. */
const FILE_MODE = 0o644

export interface FileState {
  readonly look: FileLook
  readonly reading: Pick<Reading, 'certificates' | 'chains' | 'versions'>
  /** Files that it names were gone and are back: the proxy is to read it once more. */
  readonly returned: boolean
}

export type CertificatesFileTarget = Target<CertificatesDesired, FileState, RenderedFile>

export interface FileTargetParts extends CertificateParts {
  /** The directory of certificates as the proxy sees it. */
  readonly in_proxy: string
}

export function certificatesFileTarget(
  family: CertificatesFamily,
  parts: FileTargetParts,
): CertificatesFileTarget {
  const { file, clock, files, in_proxy, responsibility } = parts
  const { inventory } = family
  const returned = new ReturnedFiles()
  const render = (desired: CertificatesDesired, { reading }: FileState): RenderedFile =>
    renderFile(
      entriesFor(desired, reading, (version) => files.paths(version)),
      { directory: files.directory, in_proxy },
    )
  return {
    name: CERTIFICATES_FILE_KEY,
    key: CERTIFICATES_FILE_KEY,
    artifact: family.artifact,
    desire: (intent) => family.desire(intent),
    codec: family.codec,
    every_ms: 5_000,
    full_look_every_ms: 15 * 60_000,
    deadline_ms: 20_000,
    backoff: { first_ms: 1_000, max_ms: 60_000 },
    whole: true,
    place: file.path,
    reads: ['domains'],
    // Which records they are for is not written.
    portion: ({ wishes }) => digestOf(wishes.map(({ names }) => names)),
    glance() {
      const stamp = file.glance()
      const folder = glanceAt(files.directory)
      return stamp === null || folder === null ? null : `${stamp} ${folder} ${inventory.version}`
    },
    observe: (signal) =>
      observed({ clock }, signal, async () => {
        const look = await file.look(signal)
        const reading = await readAll(signal)
        return { state: { look, reading, returned: returned.observe(reading) }, digest: lookStamp(look) }
      }),
    diff: (desired, state) => difference(render(desired, state), state, file.path),
    isVacant: (_desired, { look }) => look.kind === 'absent',
    concerns: ({ fields }) => isOurs(fields, responsibility),
    async apply([change], desired, { signal, evidence, kept }) {
      if (change === undefined) return []
      const { chunks, checksum } = change.payload
      await file.replace(chunks, { mode: FILE_MODE, evidence, kept, digest: checksum }, signal)
      returned.written()
      inventory.changed()
      await sweep(await inventory.read(signal), desired, parts)
      inventory.changed()
      family.changed()
      return [{ key: change.key, ok: true }]
    },
    explain: (sides) => explain(sides, render, file.path),
    watch(hint) {
      const watches = [file.watch(hint), family.watchInstalled(hint)]
      return { close: () => watches.forEach((one) => one.close()) }
    },
  }

  async function readAll(signal: AbortSignal): Promise<Reading> {
    try {
      return await inventory.read(signal)
    } catch (error) {
      if (error instanceof Failure && error.details.facts?.['absent'] === true) returned.allAbsent()
      throw error
    }
  }
}

/** Without a certificate no file is needed, so none is made. */
const isTrue = ({ checksum }: RenderedFile, { look }: FileState): boolean =>
  look.kind === 'absent' ? checksum === EMPTY : lookStamp(look) === checksum

const isToBeReadAgain = ({ look, returned }: FileState): boolean => returned && look.kind !== 'absent'

const EMPTY = renderFile([], { directory: '/', in_proxy: '/' }).checksum

function difference(rendered: RenderedFile, state: FileState, path: string) {
  if (isTrue(rendered, state) && !isToBeReadAgain(state)) return []
  const { look } = state
  const verb = look.kind === 'absent' ? ('create' as const) : ('update' as const)
  const before = look.kind === 'absent' ? null : lookStamp(look).slice(0, 20)
  const after = rendered.checksum.slice(0, 12)
  return [{ key: CERTIFICATES_FILE_KEY, verb, item: path, before, after, payload: rendered }]
}

function explain(
  { working, released, observed, rows_moved, wanted_as }: Sides<CertificatesDesired, FileState>,
  render: (desired: CertificatesDesired, state: FileState) => RenderedFile,
  path: string,
): Explanation {
  const nothing = { unified_diff: null, note: null }
  const wanted = render(working, observed)
  const before = released && render(released, observed)
  if (isTrue(wanted, observed) && (before === null || isTrue(before, observed)))
    return { ...nothing, differences: isToBeReadAgain(observed) ? [readAgain(path)] : [] }
  const texts = {
    working: wanted.checksum,
    released: before && before.checksum,
    observed: observed.look.kind === 'absent' ? null : lookStamp(observed.look),
  }
  const cause = causeOf(texts, rows_moved) ?? 'renderer_changed'
  const { look } = observed
  const closed = look.kind === 'file' && look.digest === wanted.checksum ? look.access : undefined
  const reported =
    closed === undefined
      ? { cause, detail: detailOf(look, wanted) }
      : { cause: 'access' as const, detail: `the file ${closed.what}` }
  const there = textThere(look)
  const diff =
    there === null || closed !== undefined
      ? { unified: null, note: null }
      : editionsDiff({ path, there, released: before && textOf(before), working: textOf(wanted), wanted_as })
  return {
    differences: [{ item: path, domains: [], ...reported }],
    // Of a hand edit, which may hold anything.
    unified_diff: diff.unified && hideInDiff(diff.unified),
    note: diff.note,
  }
}

const readAgain = (path: string) => ({
  item: path,
  domains: [],
  cause: 'access' as const,
  detail:
    'keys or certificates that it names were gone and are back; the proxy reads them when this file is written again',
})

const textOf = ({ chunks }: RenderedFile): string => Buffer.concat(chunks).toString('utf8')

/** Null where something else than a file stands there. */
function textThere(look: FileLook): string | null {
  if (look.kind === 'absent') return ''
  return look.kind === 'file' ? Buffer.from(look.bytes).toString('utf8') : null
}

function detailOf(look: FileLook, wanted: RenderedFile): string {
  const there = textThere(look)
  return there === null
    ? 'it does not name exactly the certificates that are installed'
    : namedDetail(there, textOf(wanted))
}
