/** Where a router listens and whether it answers HTTPS there. */
import type { ImportContext } from './context.ts'
import { named } from './place.ts'
import { type Fields, isMapping, listOf, shape, textOf } from './tree.ts'

export interface Binding {
  readonly tls: boolean
  /** Null: every default entrypoint. */
  readonly entrypoints: readonly string[] | null
}

const TLS = ['certResolver', 'domains', 'options'] as const

/** TLS is asked for by the router, or given by an HTTPS entrypoint that it is bound to by name. */
export function readBinding(
  fields: Fields<'tls' | 'entryPoints'>,
  { entrypoints: known }: ImportContext,
): Binding {
  const listed = fields.entryPoints === undefined ? [] : listOf(fields.entryPoints)
  // An empty list is as good as none; what is no list is told apart by having no names.
  const entrypoints = listed?.length === 0 ? null : (listed ?? [])
  const secure = (name: string): boolean =>
    known.some((entry) => entry.name === name && entry.kind === 'https')
  return { entrypoints, tls: fields.tls !== undefined || entrypoints?.some(secure) === true }
}

/** What no record can say, as the end of a sentence about the router. */
export function bindingFault(
  tls: unknown,
  { entrypoints }: Binding,
  { entrypoints: known }: ImportContext,
): string | null {
  const kinds = entrypoints?.map((name) => known.find((entry) => entry.name === name)?.kind)
  const other = entrypoints?.find((_name, i) => kinds![i] === undefined || kinds![i] === 'tcp')
  if (other !== undefined)
    return `is on the entrypoint ${named(other)}, which is not one of this installation's for HTTP (${forHttp(known)})`
  if (entrypoints?.length === 0) return 'has entryPoints that are no list of names'
  if (tls !== undefined && kinds?.includes('https') === false)
    return 'asks for TLS on an entrypoint for plain HTTP'
  return tlsFault(tls)
}

const forHttp = (known: ImportContext['entrypoints']): string =>
  known
    .filter(({ kind }) => kind !== 'tcp')
    .map(({ name, port }) => `${name} on port ${port}`)
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
  const known = context.entrypoints
  if (value === undefined) {
    const plain = binding.entrypoints?.some((name) =>
      known.some((entry) => entry.name === name && entry.kind === 'http'),
    )
    if (!binding.tls) return []
    return [
      "TLS is the entrypoint's, not the router's; the record has it itself",
      ...(plain === true ? [PLAIN_NOTE] : []),
    ]
  }
  const read = shape(value, TLS)
  const { certResolver, domains } = read.ok ? read.fields : {}
  return [...resolverNotes(certResolver, context, internal), ...(domains === undefined ? [] : [DOMAINS_NOTE])]
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
