/** The report of an import of Traefik's files: lines for a terminal, and the same facts as data. */
import { hostPort } from '../../model/network/address.ts'
import { IDENTITY_HEADERS } from '../../model/domain/identity-headers.ts'
import type { CreateInput } from './entry.ts'
import { headerNoteRank } from './traefik/middlewares/header-notes.ts'
import { type Leftover, type FilePosition, placeKey } from './traefik/place.ts'
import type { ImportedRecord, TraefikImport } from './traefik/result.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

export interface ImportReport {
  readonly counts: { readonly records: number; readonly leftovers: number; readonly removable: number }
  readonly records: readonly {
    readonly record: CreateInput
    readonly file: string
    readonly routers: readonly string[]
    readonly notes: readonly string[]
  }[]
  readonly leftovers: readonly Leftover[]
  /** What the files no longer need once the records are deployed, by file and place. */
  readonly removable: readonly FilePosition[]
  /** What nobody looked at. */
  readonly not_known: readonly string[]
}

export function importReport({ records, leftovers, not_known }: TraefikImport): ImportReport {
  const left = new Set(leftovers.map(placeKey))
  const used = new Map(records.flatMap(({ uses }) => uses).map((place) => [placeKey(place), place]))
  const removable = [...used].filter(([key]) => !left.has(key)).map(([, place]) => place)
  const text = ({ file, where }: FilePosition): string => `${file}\u0000${where}`
  removable.sort((a, b) => (text(a) < text(b) ? -1 : 1))
  return {
    counts: { records: records.length, leftovers: leftovers.length, removable: removable.length },
    records: records.map(({ input, source: { file, routers }, notes }) => ({
      record: input,
      file,
      routers,
      notes,
    })),
    leftovers,
    removable,
    not_known,
  }
}

/** One fact per line. What comes from the files is shown without control characters. */
export function reportLines(result: TraefikImport): readonly string[] {
  const report = importReport(result)
  const { counts } = report
  const lines = [
    `${plural(counts.records, 'record')} can be made; ${plural(counts.leftovers, 'thing')} ${counts.leftovers === 1 ? 'stays' : 'stay'} in the files.`,
    ...section('Records', result.records.map(recordLine)),
    ...section('What every HTTP record does', everyRecord(result.records)),
    ...section('What differs under the records', noteLines(result.records)),
    ...section('Left in the files', leftoverLines(report.leftovers)),
    ...section('Not known', report.not_known),
    ...section(
      'No longer needed by these files once the records are deployed (labels and files that were not given may still name it)',
      namesByFile(report.removable),
    ),
  ]
  return lines.map(printable)
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

function recordLine({ input, source }: ImportedRecord): string {
  const backend = hostPort(input.backend_host ?? '', input.backend_port ?? 0)
  const traits = [
    input.service_type,
    input.protocol === 'tcp' ? `on ${input.tcp_entrypoint}` : null,
    input.backend_scheme ? `backend over ${input.backend_scheme}` : null,
    input.backend_tls ? `trust ${input.backend_tls.trust}` : null,
    input.ssl_enabled === true ? 'TLS' : 'no TLS',
    input.protocol === 'tcp' ? null : input.auth_required === true ? 'SSO' : 'no SSO',
    input.cors_enabled === true ? `CORS ${input.cors_origin ?? '*'}` : null,
    typeof input.default_path === 'string' ? `/ to ${input.default_path}` : null,
    typeof input.health_check_path === 'string' ? `checked at ${input.health_check_path}` : null,
    ...(input.middleware_config?.extra_middlewares ?? []),
  ]
  return `${input.domain} -> ${backend}  (${traits.filter((trait) => trait !== null).join(', ')})  from ${source.file}: ${source.routers.join(', ')}`
}

/** Whatever the files said. */
function everyRecord(records: readonly ImportedRecord[]): string[] {
  const http = records.filter(({ input }) => input.protocol !== 'tcp')
  if (http.length === 0) return []
  return [
    `it takes ${IDENTITY_HEADERS.join(', ')} from the client's requests, so that nobody says who they are but the SSO`,
    ...(http.some(({ input }) => input.ssl_enabled === true)
      ? ['with TLS it answers plain HTTP with a redirect to HTTPS, also where nothing answered before']
      : []),
    ...(http.some(({ input }) => input.service_type === 'internal')
      ? ['as an internal service it refuses strangers over plain HTTP, too, before any redirect']
      : []),
  ]
}

/** Each note once, with the domains that it holds for. */
function noteLines(records: readonly ImportedRecord[]): string[] {
  const noted = records.flatMap(({ input, notes }) => notes.map((note) => ({ note, domain: input.domain })))
  const all = [...Map.groupBy(noted, ({ note }) => note)]
  const gravest = all.toSorted(([a], [b]) => headerNoteRank(a) - headerNoteRank(b))
  return gravest.map(([note, same]) => `${note}: ${some(same.map(({ domain }) => domain))}`)
}

const MAX_NAMED = 8
const some = (names: readonly string[]): string => firstNames(names, MAX_NAMED)

/** Each thing with its reason; what only stays because others need it is named together. */
function leftoverLines(leftovers: readonly Leftover[]): string[] {
  return [...Map.groupBy(leftovers, ({ file }) => file)].flatMap(([file, here]) => {
    const kept = here.filter((leftover) => leftover.kept === true)
    const own = here.filter((leftover) => leftover.kept !== true)
    return [
      file,
      ...own.map(({ where, reason }) => `  ${where === '' ? reason : `${where} ${reason}`}`),
      ...(kept.length === 0
        ? []
        : ['  needed by what stays:', ...namesByKind(kept).map((line) => `    ${line}`)]),
    ]
  })
}

const namesByFile = (places: readonly FilePosition[]): string[] =>
  [...Map.groupBy(places, ({ file }) => file)].flatMap(([file, here]) => [
    file,
    ...namesByKind(here).map((line) => `  ${line}`),
  ])

/** `http.services: a, b`, from places such as `http.services.a`. */
function namesByKind(places: readonly FilePosition[]): string[] {
  const kindOf = ({ where }: FilePosition): string => where.split('.', 2).join('.')
  return [...Map.groupBy(places, kindOf)].map(
    ([kind, same]) => `${kind}: ${same.map(({ where }) => where.slice(kind.length + 1)).join(', ')}`,
  )
}

const UNPRINTABLE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

const printable = (line: string): string =>
  line.replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
