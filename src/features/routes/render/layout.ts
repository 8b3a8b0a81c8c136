/**
 * The file as a whole: sections in order around the runs, definitions of what was used, and the generation marker.
 *
 * Every kind of object is a run of its own, in domain order. Put one after another in the order of their marks (cors,
 * extra, generation, home, the shared ones; then `ROUTER_KINDS`), the keys of each map come out sorted by code unit.
 */
import { sha256 } from '../../../kernel/digest.ts'
import { catalogue } from '../middlewares/catalogue.ts'
import { type Chunk, chunkOf, type RecordChunk } from '../fast/chunks.ts'
import { API_TRANSPORT_CONFIG, INTERNAL_ONLY, sharedMiddlewares } from '../middlewares/middlewares.ts'
import { entry } from './emit.ts'
import { type RecordKind, ROUTER_KINDS } from './kinds.ts'
import { API_TRANSPORT, extraName, GENERATION_HEADER, GENERATION_MARK, SHARED } from './names.ts'
import type { PlainMap, RoutesSettings } from './settings.ts'
import type { RenderBuffer } from './buffer.ts'

/** Constant: anything variable in a comment would be a difference that changes nothing. */
export const HEADER =
  '# Written by Plumbline; edits are undone.\n# Change domains through its API, its console or its command line.\n'

export interface LaidOut {
  readonly parts: readonly Part[]
  readonly chunks: readonly Uint8Array[]
  readonly checksum: string
  readonly generation: string
}

/** A chunk of the file, and what stands in it. */
export type Part =
  | { readonly kind: null; readonly chunk: Chunk; readonly pieces: readonly Piece[] }
  | { readonly kind: RecordKind; readonly chunk: RecordChunk }

/** An object that is no single record's, or the text between objects. */
export type Piece = Definition | string

export interface Definition {
  /** `http.middlewares` */
  readonly section: string
  readonly name: string
  readonly config: PlainMap
}

type Parts = readonly Part[]

export function layOut(buffer: RenderBuffer, settings: RoutesSettings): LaidOut {
  const head = [
    ...fixed(`${HEADER}http:\n  middlewares:\n`),
    ...run(buffer, 'cors'),
    ...fixed(...extras(buffer, settings)),
  ]
  const rest = [
    ...run(buffer, 'home'),
    ...fixed(...shared(buffer, settings)),
    ...http(buffer),
    ...tcp(buffer),
  ]
  const generation = generationOf([...head, ...rest])
  const parts = [...head, ...fixed(marker(generation)), ...rest]
  const chunks = parts.map(({ chunk }) => chunk.bytes)
  return { parts, chunks, checksum: sha256(chunks), generation }
}

/**
 * Sixteen hexadecimal digits of a SHA-256 over the marks of every chunk but the marker's own. The marker stands in the
 * middle of what it describes, so a SHA-256 of the rest itself would mean hashing everything twice; nobody gains from
 * forging a marker, and by chance one survives a change of its file once in four thousand million times.
 */
const generationOf = (parts: Parts): string =>
  sha256([parts.map(({ chunk }) => chunk.mark).join('\n')]).slice(0, 16)

/** One chunk of these, none of nothing. */
function fixed(...pieces: readonly Piece[]): Parts {
  const text = pieces.map(textOfPiece).join('')
  return text === '' ? [] : [{ kind: null, chunk: chunkOf(text), pieces }]
}

export const textOfPiece = (piece: Piece): string =>
  typeof piece === 'string' ? piece : entry(piece.name, piece.config)

const run = (buffer: RenderBuffer, kind: RecordKind): Parts =>
  buffer.runs[kind].end().map((chunk) => ({ kind, chunk }))

const middleware = (name: string, config: PlainMap): Definition => ({
  section: 'http.middlewares',
  name,
  config,
})

/**
 * A middleware that no router uses. Its name carries a digest of everything else in the file, so finding it in the
 * proxy's API proves that exactly this rendering was loaded: written is not loaded.
 */
const marker = (generation: string): Definition =>
  middleware(GENERATION_MARK + generation, {
    headers: { customRequestHeaders: { [GENERATION_HEADER]: generation } },
  })

const extras = (buffer: RenderBuffer, settings: RoutesSettings): readonly Definition[] =>
  catalogue(settings)
    .filter(({ name }) => buffer.extras.has(name))
    .map(({ name, type, config }) => middleware(extraName(name), { [type]: config }))

function shared(buffer: RenderBuffer, settings: RoutesSettings): readonly Definition[] {
  const configs = sharedMiddlewares(settings)
  return [...buffer.shared].sort().map((name) => middleware(name, configs[name]))
}

function http(buffer: RenderBuffer): Parts {
  if (buffer.http_routers === 0) return []
  const own = run(buffer, 'transport')
  const api: readonly Piece[] = buffer.has_api
    ? [{ section: 'http.serversTransports', name: API_TRANSPORT, config: API_TRANSPORT_CONFIG }]
    : []
  const transports = buffer.has_api || own.length > 0 ? ['  serversTransports:\n', ...api] : []
  return [
    ...fixed('  routers:\n'),
    ...ROUTER_KINDS.flatMap((kind) => run(buffer, kind)),
    // One chunk where no record has a transport of its own: its mark is in the generation of files that are out there.
    ...(own.length === 0
      ? fixed(...transports, '  services:\n')
      : [...fixed(...transports), ...own, ...fixed('  services:\n')]),
    ...run(buffer, 'service'),
  ]
}

function tcp(buffer: RenderBuffer): Parts {
  if (buffer.tcp_routers === 0) return []
  const middlewares: readonly Piece[] = buffer.has_internal_tcp
    ? ['  middlewares:\n', { section: 'tcp.middlewares', name: SHARED.internal_only, config: INTERNAL_ONLY }]
    : []
  return [
    ...fixed('tcp:\n', ...middlewares, '  routers:\n'),
    ...run(buffer, 'tcp_router'),
    ...fixed('  services:\n'),
    ...run(buffer, 'tcp_service'),
  ]
}
