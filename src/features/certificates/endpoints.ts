/** Certificates: what the proxy's store holds, and what is served for a domain. */
import { z } from 'zod'
import { CERTIFICATE_STATES } from './managed/shown.ts'
import type { Deps } from './deps.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { DomainId, countsOf, instant } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'
import { driftCause, driftState } from '../../http/difference-views.ts'
import { isoTime } from '../../kernel/clock.ts'
import { noted } from '../../core/noted.ts'
import { evaluateAcme, OLDEST_CONTENT_MS } from './checks.ts'
import { readDomainCertificate } from './domain-certificate.ts'
import { readAcmeStatus } from './managed/acme-status.ts'
import { noteServed } from './wire/check.ts'

const tags = [
  { name: 'Certificates', description: 'Certificates of our own and of the proxy, and what is served' },
]

export const certificateFacts = {
  names: z.array(z.string()),
  not_before: instant(),
  not_after: instant(),
  issuer: z.string(),
  serial: z.string().describe('Hexadecimal'),
  key_type: z.string().describe('EC P-256'),
  fingerprint: z.string().describe('SHA-256'),
}
export const certificateState = z.enum(CERTIFICATE_STATES)

const AcmeStatus = z
  .object({
    configured: z.boolean().describe('False while PLUMBLINE_ACME_STORE is not set'),
    acme_storage_present: z
      .boolean()
      .nullable()
      .describe('False when the file is not found; null where that cannot be told'),
    error: z
      .enum(['acme_store_temporarily_unreadable', 'acme_store_refused'])
      .nullable()
      .describe(
        'temporarily_unreadable: the proxy is writing it; what is told then is the last good reading',
      ),
    detail: z.string().nullable(),
    resolvers: z.array(
      z.object({
        name: z.string(),
        registration: z.string().nullable().describe('Status of the account, such as valid'),
        cert_count: z.int(),
        undecodable: z.int(),
      }),
    ),
    cert_resolver: z
      .object({
        name: z.string(),
        known: z
          .boolean()
          .nullable()
          .describe('False also before its first order; null when the store is unavailable'),
      })
      .nullable()
      .describe('The resolver that routes name (PLUMBLINE_CERT_RESOLVER); null where they name none'),
    cert_count: z.int(),
    counts: countsOf(CERTIFICATE_STATES),
    unused_count: z.int().describe('Certificates that no deployed domain uses'),
    certificates: z.array(
      z.object({
        resolver: z.string(),
        ...certificateFacts,
        state: certificateState,
        domains: z
          .array(z.object({ domain_id: z.int(), domain: z.string() }))
          .describe('Deployed domains that it serves'),
        unused: z.boolean().describe('By no deployed domain; the proxy keeps and renews it nevertheless'),
      }),
    ),
    file: z
      .object({
        path: z.string(),
        size: z.int(),
        mtime: instant(),
        mode: z.string().describe('0600'),
        owner: z.int().describe('Numeric user id'),
      })
      .nullable(),
    read_at: instant().nullable().describe('When what is told here was read'),
    fresh: z.boolean().describe('False: the file could not be read now'),
  })
  .meta({ id: 'AcmeStatus' })

const DomainCertificate = z
  .object({
    domain_id: z.int(),
    domain: z.string(),
    reachable: z
      .boolean()
      .describe(
        'By a TLS handshake with the name; false for internal names, whatever is served of them here',
      ),
    managed_by_acme: z.boolean().nullable().describe('Null when not known'),
    in_acme_store: z.boolean().nullable().describe('Null when the store is unavailable'),
    asked: z.object({ host: z.string(), port: z.int(), name: z.string() }).nullable(),
    served: z
      .object({ ...certificateFacts, state: certificateState, covers_name: z.boolean() })
      .nullable()
      .describe('What the handshake showed'),
    chain: z.array(z.object(certificateFacts)),
    protocol: z.string().nullable(),
    distrust: z.string().nullable().describe('Why this host would not trust it'),
    stored: z
      .object({ ...certificateFacts, state: certificateState })
      .nullable()
      .describe('What the proxy’s store holds for the name'),
    covered_by_wildcard: z.boolean().nullable().describe('By nothing but a wildcard'),
    matches: z.boolean().nullable().describe('Is the serial on the wire the one in the store?'),
    store_read_at: instant().nullable(),
    manager: z
      .object({
        name: z.string(),
        directory: z.string(),
        installed: z.object({ ...certificateFacts, state: certificateState }).nullable(),
        order_step: z.string().nullable().describe('The last step of the order that runs'),
        next_attempt_at: instant().nullable(),
        last_error: z.string().nullable(),
      })
      .nullable()
      .describe('What our own certificate manager knows of it; null for names that are none of its'),
    drift: driftState().describe(
      'Of a certificate of our own manager, and of what is served where PLUMBLINE_TLS_ADDRESS is set; null for neither, or where it is not known',
    ),
    cause: driftCause.nullable().describe('Why it is not as it should be; null where it is'),
    last_error: z.string().nullable().describe('In plain words, with what would help'),
  })
  .meta({ id: 'DomainCertificate' })

export const certificateEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/acme/status',
    id: 'acmeStatus',
    summary: 'What the proxy’s own certificate store holds',
    description: 'Read only. Keys and account data never leave the reader.',
    level: 'keyed',
    tags,
    replies: { 200: AcmeStatus },
    handler: async ({ signal }) => ok(await tellAcmeStatus(deps, signal)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}/cert',
    id: 'domainCertificate',
    summary: 'The certificate of a domain: served, and stored',
    description:
      'Shakes hands with the proxy under the name, and compares what is served with what is stored.',
    level: 'keyed',
    tags,
    params: DomainId,
    replies: { 200: DomainCertificate },
    problems: ['not_found'],
    handler: async ({ params, signal }) => ok(await tellDomainCertificate(deps, params.domain_id, signal)),
  }),
]

async function tellDomainCertificate(
  deps: Deps,
  domain_id: number,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof readDomainCertificate>>> {
  const answer = await readDomainCertificate(deps, domain_id, signal)
  await noteServed(deps, signal)
  return answer
}

const tellAcmeStatus = (deps: Deps, signal: AbortSignal): ReturnType<typeof readAcmeStatus> =>
  noted(deps, () => readAcmeStatus(deps, signal), {
    acme: (status) => evaluateAcme(status, isoTime(deps.clock.now() - OLDEST_CONTENT_MS)),
  })
