/** Certificates of our own: what there is, and bringing them to what is released. */
import { type CertificatesAnswer, readCertificates } from './read-certificates.ts'
import { reconcileTls } from './reconcile.ts'
import type { Deps, PlanningDeps } from '../deps.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { flag } from '../../../http/body/scalars.ts'
import { callerOf, Changing } from '../../../http/access/caller-of.ts'
import { ok } from '../../../http/ok.ts'
import { noted } from '../../../core/noted.ts'
import { evaluateCertificates } from '../checks.ts'
import { noteServed } from '../wire/check.ts'
import { actsOnCertificate, withActs } from '../../../model/acts/acts.ts'
import { withSides } from '../../../model/sides/sides.ts'
import { actGround } from '../../../engine/act-ground.ts'
import { TlsAnswer, TlsPlanned, Certificates } from './views.ts'

const tags = ['Certificates']

export const managedCertificateEndpoints = (deps: PlanningDeps): readonly Endpoint[] => [
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
    replies: { 200: TlsAnswer.or(TlsPlanned) },
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
