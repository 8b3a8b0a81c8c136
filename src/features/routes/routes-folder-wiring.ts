/** From the routes file to the look at what else lies in its folder, judged as the proxy reads it. */
import { dirname } from 'node:path'
import { neighbours } from './folder/neighbours.ts'
import { readToml } from '../../io/toml/read.ts'
import { readGoYamlAside } from '../../io/yaml/aside.ts'
import { readGoYaml } from '../../io/yaml/go-tree.ts'
import type { Source } from '../../engine/components.ts'
import { Failure } from '../../kernel/failure.ts'
import type { HealthCheck } from '../../core/check.ts'
import { type RivalsAmong, routesFolderCheck } from './folder-check.ts'
import type { RoutingService } from './proxy/service.ts'
import { MAX_DOCUMENT_BYTES } from '../../ports/documents.ts'
import type { ManagedFile } from '../../ports/files.ts'
import type { FileEvaluation, FileNode, FileRead, ReadProxyFile } from '../../ports/proxy-files.ts'
import type { Entrypoints } from '../../ports/entrypoints.ts'
import type { EvaluatedFile } from './folder/port.ts'
import { middlewaresIn, routesInFile } from './traefik/file-routes.ts'
import { type FolderRivals, NO_RIVALS, rivalsByFolder } from './proxy/shadow/by-folder.ts'
import { shortPath } from './proxy/shadow/definers.ts'
import { evaluateDynamicFile } from './opens/dynamic-file.ts'
import { knowsAllKeys } from './opens/dynamic-keys.ts'

/** Each file of ours has a look of its own, whichever of them lie there. */
export function folderCheck(
  { path }: ManagedFile,
  targets: readonly Source[],
  { proxy, entrypoints }: { readonly proxy: RoutingService; readonly entrypoints: () => Entrypoints },
): HealthCheck {
  const ours = targets.flatMap((source) => ('place' in source ? [source.place] : []))
  const beside = neighbours({ folder: dirname(path), ours: [path, ...ours] })
  const evaluator = { version: () => versionOf(proxy), evaluate }
  return routesFolderCheck(beside, evaluator, folderRivals(path, proxy, entrypoints))
}

/** Where its API is set, the proxy itself shows who is asked first. The last answer stands while neither side has changed. */
function folderRivals(
  path: string,
  { watch, released, static_entrypoints, written_for }: RoutingService,
  entrypoints: () => Entrypoints,
): RivalsAmong {
  let last: { readonly of: readonly unknown[]; readonly found: FolderRivals } | null = null
  return async (files, unread) => {
    const has_any = files.length + unread.length > 0
    const newest = watch === null && has_any ? await released.newest() : null
    if (newest === null) return NO_RIVALS
    const objects = newest.objects()
    const of = [
      objects,
      ...files.flatMap(({ file, routes }) => [file, routes]),
      ...unread.flatMap(({ file, text, why }) => [file, text, why]),
    ]
    if (last?.of.length === of.length && of.every((one, i) => one === last!.of[i])) return last.found
    const { entrypoint_ports, https_entrypoint } = entrypoints()
    const found = await rivalsByFolder(
      files.map(({ file, routes }) => ({ file: shortPath(file, path), routes })),
      {
        version: written_for,
        entrypoints: static_entrypoints,
        own_entrypoints: Object.keys(entrypoint_ports),
        https_entrypoint,
        objects,
        own_middlewares: middlewaresIn(objects),
      },
      unread.map((one) => ({ ...one, file: shortPath(one.file, path) })),
    )
    last = { of, found }
    return found
  }
}

/** Of a large file: what its reader takes memory for. A megabyte of nothing else took hundreds of them. */
const STRUCTURE = /[[{,:\n]/g
const MAX_PARTS = 50_000

/** Of the proxy that runs; where nobody has seen it, of the one that is written for. */
function versionOf({ watch, written_for }: RoutingService): string {
  const seen = watch?.last ?? null
  return seen?.known === true ? seen.snapshot.version : written_for
}

async function evaluate(
  { path, text }: { readonly path: string; readonly text: string },
  version: string,
  signal: AbortSignal,
): Promise<EvaluatedFile> {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES && (text.match(STRUCTURE)?.length ?? 0) > MAX_PARTS)
    return { kind: 'not_judged', why: `is of more than ${MAX_PARTS} parts` }
  // Its reader has no thread, and would keep others waiting.
  if (isToml(path) && Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    return { kind: 'not_judged', why: `is TOML of more than ${MAX_DOCUMENT_BYTES} bytes` }
  return evaluated(isToml(path) ? readToml(text) : await readGoYamlAside(text, signal), version)
}

/** As a command reads it, which holds up nobody. */
export const evaluateFile = (file: string, text: string, version: string): FileEvaluation =>
  evaluated(readerOf(file)(text), version)

function evaluated(read: FileRead, version: string): EvaluatedFile {
  if (read.ok) {
    const evaluation = evaluateDynamicFile(read.root, knowsAllKeys(version))
    return evaluation.kind === 'taken'
      ? { ...evaluation, routes: routesInFile(valueOf(read.root)) }
      : evaluation
  }
  const { refused, line, why } = read
  return refused ? { kind: 'refused', line, why } : { kind: 'not_judged', why }
}

const isToml = (file: string): boolean => file.toLowerCase().endsWith('.toml')
const readerOf = (file: string): ReadProxyFile => (isToml(file) ? readToml : readGoYaml)

/** What stands in a file of the proxy's, every value as text. Throws `validation_failed` for what its reader refuses. */
export function treeOf(file: string, text: string): unknown {
  const read = readerOf(file)(text)
  if (read.ok) return valueOf(read.root)
  const { line, why } = read
  throw new Failure('validation_failed', `${file}${line === null ? '' : `, line ${line}`}: ${why}`)
}

/** The same with the event loop free for others meanwhile; null for what its reader refuses. */
export async function treeAside(file: string, text: string, signal: AbortSignal): Promise<unknown> {
  const read = isToml(file) ? readToml(text) : await readGoYamlAside(text, signal)
  return read.ok ? valueOf(read.root) : null
}

function valueOf(node: FileNode): unknown {
  switch (node.kind) {
    case 'null':
    case 'time':
      return null
    case 'text':
      return node.text
    case 'list':
      return node.items.map(valueOf)
    case 'map':
      return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, valueOf(value)]))
  }
}
