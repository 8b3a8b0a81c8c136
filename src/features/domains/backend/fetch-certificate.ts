/**
 * A record may name the certificate of its backend by the fingerprint alone: the certificate is then fetched from the
 * backend when the record is saved, and taken if that is its fingerprint. Trust on the caller's word, not on the first use.
 */
import { fieldError, invalid } from '../../../kernel/failure.ts'
import { hostPort } from '../../../model/network/address.ts'
import type { BackendTls } from '../../../model/domain/backend-tls.ts'
import { type DomainFields, FIELDS } from '../../../model/domain/record.ts'
import type { Caller } from '../../../core/caller.ts'
import type { BackendService } from './service.ts'
import { backendIn, type Unfit, vetted } from './vetted.ts'

export interface ToFetch<Input> {
  readonly input: Input
  /** What is saved under the name already; null for a new record. */
  readonly present: DomainFields | null
  /** Where the field stands in the call. */
  readonly loc: readonly (string | number)[]
}

/** The input with the certificate in it, where one is to be fetched. Throws `validation_failed`, `rate_limited`. */
export async function withCertificate<Input extends Readonly<Record<string, unknown>>>(
  service: BackendService,
  { input, present, loc }: ToFetch<Input>,
  { signal, dry_run }: Pick<Caller, 'signal' | 'dry_run'>,
): Promise<Input> {
  const tls = wishIn(input)
  if (tls === null) return input
  const saved_pem = pemOf(present?.backend_tls, tls)
  if (saved_pem !== undefined) return { ...input, backend_tls: { ...tls, pem: saved_pem } }
  const refuse = (fault: string) => invalid([fieldError([...loc], fault, 'certificate')])
  // Whoever may only look must not choose whom this host asks.
  if (dry_run) throw refuse('is fetched when the record is saved, and a dry run asks nobody: send pem')
  const place = backendIn({ ...present, ...input })
  // The rules of the record name what is missing.
  if (place === null) return input
  const found = await fetched(service, { ...place, server_name: tls.server_name ?? place.host }, signal)
  if ('fault' in found) throw refuse(found.fault)
  if (found.fingerprint !== tls.fingerprint) throw refuse(mismatch(found.fingerprint, place))
  return { ...input, backend_tls: { ...tls, pem: found.pem } }
}

/** What is saved, where it is the same certificate. */
const pemOf = (saved: BackendTls | null | undefined, { fingerprint }: BackendTls): string | undefined =>
  saved?.fingerprint === fingerprint ? saved?.pem : undefined

/** The certificate that is asked for, and not there. What has not its form is for the rules to say. */
function wishIn(input: Readonly<Record<string, unknown>>): BackendTls | null {
  const given = input['backend_tls']
  const parsed = given === undefined || given === null ? null : FIELDS.backend_tls.parse(given)
  if (parsed?.ok !== true || parsed.value?.trust !== 'certificate') return null
  return parsed.value.pem === undefined ? parsed.value : null
}

interface Shown {
  readonly pem: string
  readonly fingerprint: string
}

interface HandshakeQuestion {
  readonly host: string
  readonly port: number
  readonly server_name: string
}

const fetched = (
  service: BackendService,
  { host, port, server_name }: HandshakeQuestion,
  signal: AbortSignal,
) =>
  service.gate.pass(async (): Promise<Shown | { readonly fault: string }> => {
    const found = await vetted({ host, port }, service, signal)
    if (!found.ok) return { fault: `cannot be fetched from ${host}: ${UNFIT_WORDS[found.reason]}; send pem` }
    const seen = await service.probe.handshake(found.place, { server_name, roots: null }, signal)
    if (seen.ok) return { pem: seen.pem, fingerprint: seen.fingerprint }
    return {
      fault: `cannot be fetched from ${hostPort(host, port)} (${seen.failure.replaceAll('_', ' ')}): see that the backend runs and speaks TLS there, or send pem`,
    }
  })

const UNFIT_WORDS: Readonly<Record<Unfit, string>> = {
  no_such_name: 'this host finds no address for it',
  forbidden_address: 'it has an address that is not asked',
  own_service: 'it is this daemon or the API of the proxy',
}

const mismatch = (shown: string, { host, port }: { readonly host: string; readonly port: number }): string =>
  `fingerprint is not that of the certificate that ${hostPort(host, port)} shows, which is ${shown}: somebody else may answer there, or it has a new one`
