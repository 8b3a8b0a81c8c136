/** What anonymous requests met, for every protected route that is deployed: open, closed, or not known and why. Pure. */
import type { Intent } from '../../../model/intent.ts'
import type { Quarantined } from '../records.ts'
import type { Unprovable } from '../proof/provable.ts'
import type { Proof, ProofService } from '../service.ts'
import type { Flag } from './evaluate-attachments.ts'
import { type SsoFindings, nothing, type SsoUnknown } from '../report.ts'

export interface ProofFacts {
  readonly released: Intent
  readonly flags: readonly Flag[]
  /** What anonymous requests met, by domain: just now, or when they were made last. */
  readonly proofs: ReadonlyMap<string, Proof>
  /** Routes that are taken out: of them only content counts, which somebody else serves then. */
  readonly quarantine: readonly Quarantined[]
}

/** Without an address to ask at, nothing is proven and nothing is claimed. */
export function evaluateProof(
  service: ProofService | null,
  { released, flags, proofs, quarantine }: ProofFacts,
): SsoFindings {
  if (service === null) return { ...nothing, unknown: [NO_PROOF] }
  const not_provable = service.notProvable(released)
  const asked = askedAmong(flags, [...not_provable, ...quarantine])
  return {
    entries: [
      ...openAmong(asked, proofs).map(({ domain, evidence }) => openRoute(domain, evidence)),
      ...openAmong(quarantine, proofs).map((open) => openThoughOut(open.domain, open.evidence, service)),
    ],
    unknown: [
      ...asked.flatMap(({ domain }) => unprovenBy(proofs.get(domain), domain)),
      ...not_provable.map(notProvable),
    ],
  }
}

interface Named {
  readonly domain: string
}

/** Protected routes that are deployed, but for those that nobody asks. */
function askedAmong(flags: readonly Flag[], others: readonly Named[]): readonly Flag[] {
  const nobody_asks = new Set(others.map(({ domain }) => domain))
  return flags.filter((flag) => flag.auth_required && flag.released === true && !nobody_asks.has(flag.domain))
}

const openAmong = (
  routes: readonly Named[],
  proofs: ProofFacts['proofs'],
): readonly { readonly domain: string; readonly evidence: string }[] =>
  routes.flatMap(({ domain }) => {
    const proof = proofs.get(domain)
    return proof?.result === 'open' ? [{ domain, evidence: proof.evidence }] : []
  })

const unprovenBy = (proof: Proof | undefined, domain: string): readonly SsoUnknown[] =>
  proof?.result === 'open' || proof?.result === 'closed'
    ? []
    : [unproven(domain, proof?.evidence ?? 'it has not been asked yet')]

const openRoute = (domain: string, evidence: string): SsoFindings['entries'][number] => ({
  list: 'open_route',
  domain,
  cause: 'answers_without_sign_in',
  detail: `It answers without signing in: ${evidence}.`,
  cure: 'Deactivate it until the reason is found, or set PLUMBLINE_SSO_QUARANTINE=on, which does that by itself.',
})

const openThoughOut = (
  domain: string,
  evidence: string,
  service: ProofService,
): SsoFindings['entries'][number] => ({
  list: 'open_route',
  domain,
  cause: 'answers_without_sign_in',
  detail: `It is in quarantine and answers without signing in all the same: ${evidence}.`,
  cure: service.notClosable(domain),
})

const unproven = (domain: string, evidence: string): SsoUnknown => ({
  part: 'proof',
  domain,
  cause: 'not_seen',
  detail: `It is not proven to be closed: ${evidence}.`,
  cure: 'It is asked again by itself.',
})

const notProvable = ({ domain, cause, detail, cure }: Unprovable): SsoUnknown => ({
  part: 'proof',
  domain,
  cause: cause === 'no_door' ? 'not_configured' : 'not_provable',
  detail: `Not provable. ${detail}`,
  cure,
})

const NO_PROOF: SsoUnknown = {
  part: 'proof',
  domain: null,
  cause: 'not_configured',
  detail: 'Nobody asks the routes without signing in.',
  cure: 'Set PLUMBLINE_SSO_PROBE.',
}
