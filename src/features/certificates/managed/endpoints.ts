/** Certificates of our own: what there is, and bringing them to what is released. */
import { z } from 'zod'
import { OUTCOMES } from '../../../model/report.ts'
import { LISTED_STATES } from './read-certificates.ts'
import { reconcileTls } from './reconcile.ts'
import type { Deps } from '../deps.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { countsOf, flag } from '../../../http/body/scalars.ts'
import { callerOf, Changing } from '../../../http/access/caller-of.ts'
import { certificateFacts, certificateState } from '../endpoints.ts'
import { ok } from '../../../http/ok.ts'
import { Plan } from '../../../http/common-views.ts'
import { acts, differenceWithActs, driftCause, driftState } from '../../../http/difference-views.ts'
import { noted } from '../../../core/noted.ts'
import { evaluateCertificates } from '../checks.ts'
import { noteServed } from '../wire/check.ts'
import { actsOnCertificate, withActs } from '../../../model/acts/acts.ts'
import { withSides } from '../../../model/sides/sides.ts'
import { actGround } from '../../../engine/act-ground.ts'
import { type CertificatesAnswer, readCertificates } from './read-certificates.ts'

const tags = ['Certificates']

const instant = () => z.string().describe('RFC 3339, UTC')
const users = z.array(z.object({ domain_id: z.int(), domain: z.string() }))

const Certificates = z
  .object({
    manager: z.object({
      configured: z.boolean().describe('False while PLUMBLINE_ACME_DIRECTORY is not set'),
      directory: z.string().nullable(),
      detail: z.string().nullable().describe('Why something of it could not be read'),
    }),
    drift: driftState().describe(
      'Of the manager’s, of the file that names them, and of what is served; null where neither is configured',
    ),
    differences: z.array(differenceWithActs),
    wire: z
      .object({
        configured: z.boolean().describe('False while PLUMBLINE_TLS_ADDRESS is not set'),
        address: z.object({ host: z.string(), port: z.int() }).nullable(),
        drift: driftState(),
        names: z.int().describe('Deployed with TLS'),
        not_served: z.int().describe('Those that are shown another certificate than their own'),
        detail: z.string().nullable().describe('Why it is not known'),
        observed_at: instant().nullable().describe('The oldest handshake that is told of here'),
      })
      .describe('What the proxy serves, by a handshake with each name'),
    store: z.object({
      configured: z.boolean().describe('False while PLUMBLINE_ACME_STORE is not set'),
      fresh: z
        .boolean()
        .nullable()
        .describe('False: what is told of the proxy’s is an older reading, or nothing'),
      detail: z.string().nullable(),
    }),
    counts: countsOf(LISTED_STATES),
    certificates: z.array(
      z.object({
        source: z.enum(['manager', 'proxy']).describe('Who obtains and renews it'),
        name: z.string().describe('The first of its names, which it is called by'),
        names: z.array(z.string()),
        state: z.enum(LISTED_STATES).describe('missing: wanted, and not there yet'),
        drift: driftState().describe('Null for the proxy’s own, which nothing here keeps'),
        cause: driftCause.nullable().describe('Why it is not as it should be; null where it is'),
        certificate: z.object({ ...certificateFacts, state: certificateState }).nullable(),
        domains: users.describe('Deployed domains that it serves'),
        wanted: z.boolean(),
        in_use: z.boolean().nullable().describe('The proxy’s file names it; null for the proxy’s own'),
        directory: z.string().nullable().describe('The authority’s'),
        resolver: z.string().nullable().describe('The proxy’s'),
        order_step: z.string().nullable().describe('The last step of the order that runs'),
        next_attempt_at: instant()
          .nullable()
          .describe('Of the renewal, or of the next try; null when not known'),
        last_error: z.string().nullable().describe('In plain words, with what would help'),
        acts,
      }),
    ),
  })
  .meta({ id: 'Certificates' })

const TlsReconciled = z
  .object({
    success: z.boolean().describe('All that are wanted are there, and the file names them'),
    configured: z.boolean().describe('False while PLUMBLINE_ACME_DIRECTORY is not set'),
    message: z.string(),
    results: z.array(
      z.object({
        name: z.string(),
        names: z.array(z.string()),
        domains: users,
        outcome: z.enum(OUTCOMES).nullable(),
        message: z.string().nullable().describe('Why it did not end well, or how far it came'),
        serial: z.string().nullable().describe('Of what is there; null where nothing is'),
        not_after: instant().nullable(),
        next_attempt_at: instant().nullable(),
      }),
    ),
    file: z.object({ outcome: z.enum(OUTCOMES), message: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'TlsReconciled' })

const TlsPlanned = z
  .object({ dry_run: z.literal(true), plan: Plan, file_plan: Plan })
  .meta({ id: 'TlsPlanned' })

export const managedCertificateEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/certificates',
    id: 'listCertificates',
    summary: 'Every certificate, ours and the proxy’s: how long it lasts, whom it serves, what comes next',
    description:
      'Those that our own manager keeps, and those in the store of the proxy. Keys never leave their files.',
    level: 'keyed',
    tags,
    replies: { 200: Certificates },
    handler: async ({ signal }) => ok(await withItsActs(deps, await tellCertificates(deps, signal))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/tls/reconcile',
    id: 'reconcileTls',
    summary: 'Obtain and renew what is due, then bring the certificates file up to date',
    description:
      'Waits for it, with a result for each certificate. What is right already is left alone. A name that failed is not tried before its time, unless retry asks for it; a wait that the authority asked for always holds.',
    level: 'keyed',
    tags,
    query: Changing.extend({
      retry: flag().optional().describe('Try again now what waits after a failure'),
    }),
    respond_async: 'asked',
    replies: { 200: TlsReconciled.or(TlsPlanned) },
    problems: ['storage_full', 'storage_unwritable', 'suspended'],
    handler: async (call) =>
      ok(await reconcileTls(deps, { retry: call.query.retry === true }, callerOf(call))),
  }),
]

async function tellCertificates(deps: Deps, signal: AbortSignal): Promise<CertificatesAnswer> {
  const answer = await noted(deps, () => readCertificates(deps, signal), {
    certificates: evaluateCertificates,
  })
  await noteServed(deps, signal)
  return answer
}

async function withItsActs(deps: Deps, answer: CertificatesAnswer) {
  const ground = await actGround(deps)
  const certificates = answer.certificates.map((one) => ({ ...one, acts: actsOnCertificate(ground, one) }))
  return {
    ...answer,
    certificates,
    differences: withSides(withActs(ground, 'certificates', answer.differences), undefined),
  }
}
