/** Why nobody obtains a certificate for a live name that asks for TLS: its visitors are served the proxy's default one. */
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import { covers } from '../../model/network/certificate.ts'
import { readCertificates } from '../certificates/managed/read-certificates.ts'
import type { CertificateService } from '../certificates/service.ts'
import { isOurs } from '../certificates/target/desire.ts'
import type { Deps } from './deps.ts'
import type { ExplainedComponent } from './explained.ts'

const WITHIN_MS: Milliseconds = 5000

export interface LiveName {
  /** As deployed; null for one that is not live. */
  readonly fields: DomainFields | null
  readonly components: readonly Pick<ExplainedComponent, 'component' | 'desired' | 'released'>[]
}

/** In words that go on after the name, with what helps; null where one is obtained, one that is held covers it, or none is wanted. */
export async function whyNotIssued(
  deps: Deps,
  { fields, components }: LiveName,
  signal: AbortSignal,
): Promise<string | null> {
  if (fields === null) return null
  const { manager, cert_resolver } = deps.certificates
  const ours = components.filter(({ component }) => component === 'certificates')
  const means = {
    manager,
    cert_resolver,
    routed_to: await resolverOf(deps, fields.domain),
    unproven: whyUnproven(deps, fields.domain),
    is_unreleased:
      ours.some(({ desired }) => desired !== null) && ours.every(({ released }) => released === null),
  }
  const why = nobodyFor(means, fields)
  return why === null || (await isCovered(deps, fields.domain, signal)) ? null : why
}

/** Why nobody would obtain one for a name that is to be deployed; null where somebody would. */
export const whyNeverIssued = (
  deps: Pick<Deps, 'certificates' | 'dns'>,
  fields: DomainFields,
): string | null =>
  nobodyFor(
    {
      ...deps.certificates,
      routed_to: undefined,
      unproven: whyUnproven(deps, fields.domain),
      is_unreleased: false,
    },
    fields,
  )

export interface Means extends Pick<CertificateService, 'manager' | 'cert_resolver'> {
  /** The resolver that the released routes of the name ask; null where they ask none, undefined where none are released. */
  readonly routed_to: string | null | undefined
  /** Why our manager cannot prove the name to an authority; null where it can, or that is not known. */
  readonly unproven: string | null
  /** Our manager is to have it with the next deploy alone. */
  readonly is_unreleased: boolean
}

/** By what is set up and what is released. Pure. */
export function nobodyFor(means: Means, fields: DomainFields): string | null {
  const { manager, cert_resolver, routed_to, unproven, is_unreleased } = means
  const { ssl_enabled, service_type } = fields
  if (!ssl_enabled || service_type === 'manual') return null
  if (typeof routed_to === 'string') return null
  if (manager !== null && isOurs(fields, manager.responsibility))
    return unproven ?? (is_unreleased ? 'the authority was set up after its last deploy: deploy it' : null)
  if (service_type === 'internal')
    return 'no authority is set up, and the proxy’s resolver is for public names: set PLUMBLINE_ACME_DIRECTORY, or give the proxy a certificate for it'
  if (cert_resolver !== null)
    return routed_to === undefined
      ? null
      : `its routes were deployed before PLUMBLINE_CERT_RESOLVER named ${cert_resolver}, and ask no resolver: deploy it`
  if (manager !== null)
    return 'public names are left to the proxy, and no resolver of it is named: name it in PLUMBLINE_CERT_RESOLVER and deploy, or set PLUMBLINE_CERTIFICATES=manager'
  return 'neither a resolver of the proxy nor an authority is set up: name the proxy’s in PLUMBLINE_CERT_RESOLVER and deploy, or set PLUMBLINE_ACME_DIRECTORY and PLUMBLINE_CERTIFICATES=manager'
}

/** As the routes of the newest release say. */
async function resolverOf(
  { proxy }: Pick<Deps, 'proxy'>,
  domain: string,
): Promise<string | null | undefined> {
  const objects = (await proxy.released.newest())?.objects()
  if (objects === undefined) return undefined
  const texts = proxy
    .routerNames(domain)
    .flatMap((name) => ['http', 'tcp'].flatMap((kind) => objects.get(`${kind}.routers.${name}`)?.text ?? []))
  if (texts.length === 0) return undefined
  return texts.map((text) => RESOLVER.exec(text)?.[1] ?? null).find((name) => name !== null) ?? null
}

const RESOLVER = /^ *certResolver: *"?([^"\s]+)/m

/** By records in DNS alone (DNS-01): it answers no other challenge. */
function whyUnproven({ dns }: Pick<Deps, 'dns'>, domain: string): string | null {
  if (dns.providers.length === 0)
    return 'it is proven to the authority by a record in DNS (DNS-01), and no DNS account is set up: set one up in PLUMBLINE_DNS_PROVIDER'
  const is_known = dns.discovery.accounts().every(({ ok }) => ok === true)
  return is_known && dns.zoneFor(`_acme-challenge.${domain.replace(/^\*\./, '')}`) === null
    ? 'it is proven to the authority by a record in DNS (DNS-01), and no DNS account has a zone for it: set up the account that has it'
    : null
}

/** Somebody may have brought one: what cannot be read in time covers nothing that is known. */
const isCovered = (deps: Deps, domain: string, signal: AbortSignal): Promise<boolean> =>
  withTimeout(
    { clock: deps.clock, ms: WITHIN_MS, signal },
    async (ends) => {
      const { certificates } = await readCertificates(deps, ends, { afresh: false })
      const is_held = certificates.some(
        ({ names, certificate, state }) =>
          certificate !== null && state !== 'expired' && covers(names, domain),
      )
      return is_held || isBrought(deps, domain, ends)
    },
    () => false,
  ).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return false
  })

/** By another file of the routes folder. */
export const isBrought = async (deps: Deps, domain: string, signal: AbortSignal): Promise<boolean> =>
  (await deps.proxy.broughtCertificates(signal)).some(({ pem }) => coversNow(deps, pem, domain))

function coversNow({ certificates, clock }: Deps, pem: string, domain: string): boolean {
  try {
    const { names, not_before, not_after } = certificates.read(pem)
    const now = clock.now()
    return not_before <= now && now < not_after && covers(names, domain)
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
