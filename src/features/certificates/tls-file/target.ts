/** The proxy's file of our certificates as something that is kept true: one file, replaced as a whole. */
import { join, relative } from 'node:path'
import { causeOf } from '../../../engine/cause.ts'
import { observed } from '../../../engine/file-target.ts'
import type { Explanation, Observation, Sides, Target } from '../../../engine/target.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { hideInDiff } from '../../../kernel/text/hide-secrets.ts'
import { quote } from '../../../kernel/text/quoted.ts'
import { editionsDiff } from '../../../model/sides/editions-diff.ts'
import { covers } from '../../../model/network/certificate.ts'
import { type FileLook, lookStamp } from '../../../ports/files.ts'
import type { StoredVersion } from '../files/port.ts'
import { type CertificatesDesired, isOurs } from '../target/desire.ts'
import type { CertificatesFamily } from '../target/family.ts'
import { soundnessIn } from '../target/observe.ts'
import type { CertificateParts } from '../target/parts.ts'
import type { Reading } from '../target/inventory.ts'
import { namedDetail } from './named.ts'
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
export function renderFile(entries: readonly StoredVersion[], { directory, in_proxy }: Places): RenderedFile {
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
  const render = (desired: CertificatesDesired, { reading }: FileState): RenderedFile =>
    renderFile(entriesFor(desired, reading), { directory: files.directory, in_proxy })
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
    glance() {
      const stamp = file.glance()
      return stamp === null ? null : `${stamp} ${inventory.version}`
    },
    observe: (signal) => observe(parts, family, signal),
    diff: (desired, state) => difference(render(desired, state), state, file.path),
    isVacant: (_desired, { look }) => look.kind === 'absent',
    concerns: ({ fields }) => isOurs(fields, responsibility),
    async apply([change], desired, { signal, evidence, kept }) {
      if (change === undefined) return []
      const { chunks, checksum } = change.payload
      await file.replace(chunks, { mode: FILE_MODE, evidence, kept, digest: checksum }, signal)
      inventory.changed()
      await sweep(await inventory.read(signal), desired, parts)
      inventory.changed()
      family.changed()
      return [{ key: change.key, ok: true }]
    },
    explain: (sides) => explain(sides, render, file.path),
    watch(hint) {
      const watches = [file.watch(() => hint('glance')), family.watchInstalled(hint)]
      return { close: () => watches.forEach((one) => one.close()) }
    },
  }

  function observe(
    { file: own }: Pick<CertificateParts, 'file'>,
    { inventory: all }: CertificatesFamily,
    signal: AbortSignal,
  ): Promise<Observation<FileState>> {
    return observed({ clock }, signal, async () => {
      const look = await own.look(signal)
      return { state: { look, reading: await all.read(signal) }, digest: lookStamp(look) }
    })
  }
}

/** Without a certificate no file is needed, so none is made. */
const isTrue = ({ checksum }: RenderedFile, { look }: FileState): boolean =>
  look.kind === 'absent' ? checksum === EMPTY : lookStamp(look) === checksum

const EMPTY = renderFile([], { directory: '/', in_proxy: '/' }).checksum

function difference(rendered: RenderedFile, state: FileState, path: string) {
  if (isTrue(rendered, state)) return []
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
    return { ...nothing, differences: [] }
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

// Which certificates the proxy is to be given. Pure.

/**
 * Of every wanted certificate the version that is installed, and where one is not there yet or is for too few names, others
 * that cover what is missing: nothing that works is taken away before its successor stands. Ordered by name.
 */
export function entriesFor(
  { wishes }: CertificatesDesired,
  reading: Pick<Reading, 'certificates' | 'chains' | 'versions'>,
): readonly StoredVersion[] {
  const { certificates, versions } = reading
  const usable = new Map<string, { readonly version: StoredVersion; readonly names: readonly string[] }>()
  for (const version of versions) {
    const installed = certificates.get(version.name)
    if (installed?.fingerprint === version.fingerprint && isUsable(version, reading))
      usable.set(version.name, { version, names: installed.names })
  }
  const chosen = new Set(wishes.map(({ name }) => name).filter((name) => usable.has(name)))
  for (const { name: wanted, names } of wishes) {
    const given = usable.get(wanted)?.names ?? []
    const missing = names.filter((name) => !covers(given, name))
    for (const [other, { names: theirs }] of usable)
      if (missing.some((name) => covers(theirs, name))) chosen.add(other)
  }
  return [...chosen].sort().map((name) => usable.get(name)!.version)
}

/**
 * What is put right in a moment stays: taken out, its names would be answered with the proxy's own certificate until then.
 * So does what cannot be read just now, and a leaf that lost its intermediate, until its successor is there.
 */
function isUsable(
  version: StoredVersion,
  reading: Pick<Reading, 'certificates' | 'chains' | 'versions'>,
): boolean {
  const sound = soundnessIn(reading, version.name)
  return version.fault === null || version.unreadable !== null || (sound !== null && sound.mends.length > 0)
}
