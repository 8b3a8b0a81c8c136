/** Where a router listens and whether it answers HTTPS there. */
import type { ImportContext } from '../../../../ports/import-context.ts'
import { named } from '../../../routes/grammar/named.ts'
import { renamedNotes } from '../their-entrypoints.ts'
import { type Fields, isMapping, listOf, shape, textOf } from '../../../routes/grammar/tree.ts'

export interface Binding {
  readonly tls: boolean
  /** Null: every default entrypoint, whichever those are. */
  readonly entrypoints: readonly string[] | null
  /** The router names none: these are the default ones. */
  readonly by_default: boolean
  /** Whether it answers HTTPS stands where nobody has looked. */
  readonly tls_unknown: boolean
}

const TLS = ['certResolver', 'domains', 'options'] as const

/** TLS is asked for by the router, or given by an entrypoint that it is on. */
export function readBinding(fields: Fields<'tls' | 'entryPoints'>, context: ImportContext): Binding {
  const listed = fields.entryPoints === undefined ? [] : listOf(fields.entryPoints)
  const by_default = listed?.length === 0
  // An empty list is as good as none; what is no list is told apart by having no names.
  const entrypoints = by_default ? (context.static_setup?.defaults ?? null) : (listed ?? [])
  const tls = fields.tls !== undefined || entrypoints?.some((name) => isSecure(name, context)) === true
  return { entrypoints, tls, by_default, tls_unknown: entrypoints === null && fields.tls === undefined }
}

/** Without the static configuration an entrypoint for HTTPS is taken to bring TLS along. */
function isSecure(name: string, { entrypoints, static_setup }: ImportContext): boolean {
  const known = static_setup?.entrypoints.find((entry) => entry.name === name)
  return static_setup === null
    ? entrypoints.some((entry) => entry.name === name && entry.kind === 'https')
    : known?.tls !== undefined
}

export const TLS_UNKNOWN =
  "names neither entryPoints nor tls, so whether it answers HTTPS stands in Traefik's static configuration; give it with --static FILE, or name them"

/** What no record can say, as the end of a sentence about the router. */
export function bindingFault(
  tls: unknown,
  { entrypoints, by_default, tls: secure }: Binding,
  context: ImportContext,
): string | null {
  const known = context.entrypoints
  const kindOf = (name: string) => known.find((entry) => entry.name === name)?.kind
  const other = entrypoints?.find((name) => !['http', 'https'].includes(kindOf(name) ?? ''))
  if (other !== undefined && !by_default)
    return `is on the entrypoint ${named(other)}, which is not one of this installation's for HTTP (${forHttp(known)})`
  if (entrypoints?.length === 0) return 'has entryPoints that are no list of names'
  const kinds = entrypoints?.map(kindOf)
  const wanted = secure ? 'https' : 'http'
  if (by_default && kinds?.includes(wanted) === false)
    return `is on the default entrypoints (${entrypoints!.map(named).join(', ')}), of which none is this installation's for it (${forHttp(known)})`
  if (tls !== undefined && kinds?.includes('https') === false)
    return 'asks for TLS on an entrypoint for plain HTTP'
  if (!secure && kinds?.includes('http') === false) return 'answers plain HTTP on an entrypoint for HTTPS'
  const door = standingOn(wanted, context)
  if (entrypoints !== null && door !== null && !entrypoints.includes(door))
    return `is on ${entrypoints.map(named).join(', ')}, and records stand on ${named(door)}: it would be reached by others`
  return tlsFault(tls) ?? entrypointFault({ entrypoints, tls }, context)
}

/** Of each kind the first one has the routers of records. */
const standingOn = (kind: 'http' | 'https', { entrypoints }: ImportContext): string | null =>
  entrypoints.find((entry) => entry.kind === kind)?.name ?? null

/** TLS options that the entrypoint gives to a router without TLS of its own. */
function entrypointFault(
  { entrypoints, tls }: { readonly entrypoints: Binding['entrypoints']; readonly tls: unknown },
  { static_setup }: ImportContext,
): string | null {
  if (tls !== undefined) return null
  const given = static_setup?.entrypoints.filter(({ name }) => entrypoints?.includes(name)) ?? []
  const options = given.map((entry) => optionsIn(entry.tls)).find((name) => name !== null) ?? null
  return options === null
    ? null
    : `gets the TLS options ${named(options)} from its entrypoint, which a record cannot say`
}

function optionsIn(tls: unknown): string | null {
  const read = shape(tls ?? {}, TLS)
  const options = read.ok ? textOf(read.fields.options) : null
  return options === null || ['', 'default', 'default@file'].includes(options) ? null : options
}

const forHttp = (known: ImportContext['entrypoints']): string =>
  known
    .filter(({ kind }) => kind !== 'tcp')
    .map(({ name, ours = name, port }) => `${ours} on port ${port}`)
    .join(', ')

function tlsFault(tls: unknown): string | null {
  if (tls === undefined) return null
  if (!isMapping(tls)) return 'has a tls that is no mapping'
  const read = shape(tls, TLS)
  if (!read.ok) return `has a tls that ${read.reason}`
  const options = textOf(read.fields.options)
  return options === null || ['default', 'default@file'].includes(options)
    ? null
    : `has the TLS options ${named(options)}, which a record cannot say`
}

/** What differs about TLS under the record. */
export function bindingNotes(
  value: unknown,
  binding: Binding,
  { context, internal }: { readonly context: ImportContext; readonly internal: boolean },
): string[] {
  const read = shape(value ?? entrypointTls(binding, context) ?? {}, TLS)
  const { certResolver, domains } = read.ok ? read.fields : {}
  const is_known = value !== undefined || context.static_setup !== null
  return [
    ...(binding.tls && value === undefined ? [ENTRYPOINT_TLS_NOTE] : []),
    ...(binding.tls && value === undefined && answersPlain(binding, context) ? [PLAIN_NOTE] : []),
    ...(binding.tls && is_known ? resolverNotes(certResolver, context, internal) : []),
    ...(domains === undefined ? [] : [DOMAINS_NOTE]),
    ...renamedNotes(binding.entrypoints, context),
    ...doorNotes(binding, context, value !== undefined),
  ]
}

const ENTRYPOINT_TLS_NOTE = "TLS is the entrypoint's, not the router's; the record has it itself"

function entrypointTls({ entrypoints }: Binding, { static_setup }: ImportContext): unknown {
  return static_setup?.entrypoints.find(({ name, tls }) => tls !== undefined && entrypoints?.includes(name))
    ?.tls
}

/** A router without TLS of its own answers plain HTTP wherever no entrypoint gives it any, or sends it elsewhere. */
function answersPlain(
  { entrypoints }: Binding,
  { entrypoints: known, static_setup }: ImportContext,
): boolean {
  const door = known.find((one) => one.kind === 'http')?.name
  if (door === undefined || entrypoints?.includes(door) !== true) return false
  const entry = static_setup?.entrypoints.find((one) => one.name === door)
  return entry?.redirects !== true && entry?.tls === undefined
}

/** What the entrypoints do to every request, and which of them the record leaves. */
function doorNotes(
  { entrypoints, by_default, tls }: Binding,
  context: ImportContext,
  has_own_tls: boolean,
): string[] {
  const kept = [standingOn('http', context), ...(tls ? [standingOn('https', context)] : [])]
  const kindOf = (name: string) => context.entrypoints.find((one) => one.name === name)?.kind
  // A plain door of a router with TLS of its own never answered.
  const answered = (name: string) => (kindOf(name) === 'https' ? tls : !has_own_tls)
  const left = (entrypoints ?? []).filter((name) => !kept.includes(name) && (by_default || answered(name)))
  const here = context.static_setup?.entrypoints.filter(({ name }) => entrypoints?.includes(name)) ?? []
  return [
    ...(left.length > 0 ? [`it no longer answers on ${left.map(named).join(', ')}`] : []),
    ...here
      .filter(({ middlewares, name }) => middlewares.length > 0 && !left.includes(name))
      .map(
        ({ name, middlewares }) =>
          `the entrypoint ${named(name)} puts ${middlewares.map(named).join(', ')} before the record, too`,
      ),
  ]
}

export const DOMAINS_NOTE = "the certificate is for the record's own name, not for tls.domains"
export const PLAIN_NOTE = 'plain HTTP, which answered like HTTPS, now redirects to it'

/** Who obtains the certificate now and with the record. */
export function resolverNotes(
  value: unknown,
  { cert_resolver: ours }: Pick<ImportContext, 'cert_resolver'>,
  internal = false,
): string[] {
  const theirs = textOf(value) === '' ? null : textOf(value)
  if (internal)
    return theirs === null
      ? []
      : [`the certificate resolver ${named(theirs)} is dropped: an internal service names none`]
  if (theirs === ours) return []
  if (theirs === null)
    return [
      `the router named no certificate resolver; the record's certificate is obtained by ${named(ours!)}`,
    ]
  return ours === null
    ? [
        `the certificate resolver ${named(theirs)} is dropped and nobody obtains a certificate: the installation has none (PLUMBLINE_CERT_RESOLVER)`,
      ]
    : [`the certificate resolver ${named(theirs)} becomes the installation's, ${named(ours)}`]
}
