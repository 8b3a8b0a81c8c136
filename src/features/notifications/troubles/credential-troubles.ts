/** Credentials that are older than the quarter and have no successor, but for those of gateways, which have rules of their own. Pure. */
import type { Instant } from '../../../kernel/clock.ts'
import type { Credential } from '../../keys/credentials/read.ts'
import { latestRotation } from '../../../kernel/quarterly.ts'
import type { SightedTrouble } from '../sighting.ts'

export const credentialTroubles = (
  credentials: readonly Credential[],
  now: Instant,
): readonly SightedTrouble[] =>
  credentials
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
      ripe_at: latestRotation(now),
    }))

const WHAT = {
  api_key: 'The API key',
  ddns_key: 'The key of',
  edge_token: 'The token of the edge',
  external: 'What was given in',
} as const
