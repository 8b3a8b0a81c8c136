/** Credentials that are older than the quarter and have no successor, but for those of gateways, which have rules of their own. Pure. */
import type { Instant } from '../../../kernel/clock.ts'
import { latestRotation } from '../../../kernel/quarterly.ts'
import { type Finding, type FindingSource, known } from '../../../core/finding.ts'
import { type Credential, type CredentialParts, credentials } from './read.ts'

export const credentialFindings =
  (parts: CredentialParts): FindingSource =>
  async ({ now }) =>
    known(evaluateAges(await credentials(parts, now), now))

export const evaluateAges = (all: readonly Credential[], now: Instant): readonly Finding[] =>
  all
    .filter(({ kind, state }) => kind !== 'ddns_key' && state === 'rotation_due')
    .map(({ kind, id, name, remedy }) => ({
      id: `credential/${kind}/${id}`,
      kind: 'rotation_due',
      severity: 'notice',
      component: 'credentials',
      key: 'credentials',
      domains: [],
      since: latestRotation(now),
      message: `${WHAT[kind]} ${name} is older than the quarter and has no successor; until it has one, it stays valid.`,
      remedy,
      alert_after_ms: 0,
    }))

const WHAT = {
  api_key: 'The API key',
  ddns_key: 'The key of',
  edge_token: 'The token of the edge',
  heartbeat_token: 'The token of the heartbeat',
  external: 'What was given in',
} as const
