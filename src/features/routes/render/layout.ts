/**
 * The file as a whole: sections in order around the runs, definitions of what was used, and the generation marker.
 *
 * Every kind of object is a run of its own, in domain order. Put one after another in the order of their marks (cors,
 * extra, generation, home, the shared ones; then `ROUTER_KINDS`), the keys of each map come out sorted by code unit.
 */
import { sha256 } from '../../../kernel/digest.ts'
import { quote } from '../../../kernel/text/quoted.ts'
import { catalogue } from '../middlewares/catalogue.ts'
import { type Chunk, chunkOf } from '../fast/chunks.ts'
import { block } from '../fast/emit.ts'
import { API_TRANSPORT_CONFIG, INTERNAL_ONLY, sharedMiddlewares } from '../middlewares/middlewares.ts'
import { API_TRANSPORT, extraName, GENERATION_HEADER, GENERATION_MARK, SHARED } from './names.ts'
import type { PlainMap, RoutesSettings } from './settings.ts'
import { ROUTER_KINDS, type Sheet } from './sheet.ts'

/** Constant: anything variable in a comment would be a difference that changes nothing. */
const HEADER =
  '# Written by Plumbline; edits are undone.\n# Change domains through its API, its console or its command line.\n'

export interface LaidOut {
  readonly chunks: readonly Uint8Array[]
  readonly checksum: string
  readonly generation: string
}

type Chunks = readonly Chunk[]

export function layOut(sheet: Sheet, settings: RoutesSettings): LaidOut {
  const head = [
    ...text(`${HEADER}http:\n  middlewares:\n`),
    ...sheet.http.cors.end(),
    ...extras(sheet, settings),
  ]
  const rest = [...sheet.http.home.end(), ...shared(sheet, settings), ...http(sheet), ...tcp(sheet)]
  const generation = generationOf([...head, ...rest])
  const chunks = [...head, ...text(marker(generation)), ...rest].map(({ bytes }) => bytes)
  return { chunks, checksum: sha256(chunks), generation }
}

/**
 * Sixteen hexadecimal digits of a SHA-256 over the marks of every chunk but the marker's own. The marker stands in the
 * middle of what it describes, so a SHA-256 of the rest itself would mean hashing everything twice; nobody gains from
 * forging a marker, and by chance one survives a change of its file once in four thousand million times.
 */
const generationOf = (chunks: Chunks): string =>
  sha256([chunks.map(({ mark }) => mark).join('\n')]).slice(0, 16)

const text = (part: string): Chunks => (part === '' ? [] : [chunkOf(part)])

/** An entry of `http.middlewares` or of `http.serversTransports`. */
const entry = (name: string, config: PlainMap): string => `    ${quote(name)}:\n${block(config, '      ')}`

/**
 * A middleware that no router uses. Its name carries a digest of everything else in the file, so finding it in the
 * proxy's API proves that exactly this rendering was loaded: written is not loaded.
 */
const marker = (generation: string): string =>
  entry(GENERATION_MARK + generation, {
    headers: { customRequestHeaders: { [GENERATION_HEADER]: generation } },
  })

const extras = (sheet: Sheet, settings: RoutesSettings): Chunks =>
  text(
    catalogue(settings)
      .filter(({ name }) => sheet.extras.has(name))
      .map(({ name, type, config }) => entry(extraName(name), { [type]: config }))
      .join(''),
  )

function shared(sheet: Sheet, settings: RoutesSettings): Chunks {
  const configs = sharedMiddlewares(settings)
  const names = [...sheet.shared].sort()
  return text(names.map((name) => entry(name, configs[name])).join(''))
}

function http(sheet: Sheet): Chunks {
  if (sheet.http_routers === 0) return []
  const own = sheet.http.transport.end()
  const api = sheet.has_api ? entry(API_TRANSPORT, API_TRANSPORT_CONFIG) : ''
  const transports = api !== '' || own.length > 0 ? `  serversTransports:\n${api}` : ''
  return [
    ...text('  routers:\n'),
    ...ROUTER_KINDS.flatMap((kind) => sheet.http[kind].end()),
    // One chunk where no record has a transport of its own: its mark is in the generation of files that are out there.
    ...(own.length === 0
      ? text(`${transports}  services:\n`)
      : [...text(transports), ...own, ...text('  services:\n')]),
    ...sheet.http.service.end(),
  ]
}

function tcp(sheet: Sheet): Chunks {
  if (sheet.tcp_routers === 0) return []
  const middlewares = sheet.has_internal_tcp
    ? `  middlewares:\n${entry(SHARED.internal_only, INTERNAL_ONLY)}`
    : ''
  return [
    ...text(`tcp:\n${middlewares}  routers:\n`),
    ...sheet.tcp.router.end(),
    ...text('  services:\n'),
    ...sheet.tcp.service.end(),
  ]
}
