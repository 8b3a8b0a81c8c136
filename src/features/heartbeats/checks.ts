/** Heartbeats that have fallen silent. */
import type { Milliseconds } from '../../kernel/clock.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import {
  countsOf,
  type HealthCheck,
  healthy,
  impaired,
  type LookedAt,
  named,
  notConfigured,
} from '../../core/check.ts'
import { type Finding, type FindingSource, known } from '../../core/finding.ts'
import type { HealthDifference } from '../../model/health.ts'
import type { KnownHeartbeat } from './contacts.ts'
import type { Heartbeats } from './heartbeats.ts'
import { heartbeatState, unheardWords } from './state.ts'
import { heartbeatRecords } from './records.ts'

const EVERY_MS: Milliseconds = 30_000

export const heartbeatsCheck = (heartbeats: Heartbeats): HealthCheck => ({
  name: 'heartbeats',
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  look: async () => evaluateHeartbeats(await knownHeartbeats(heartbeats)),
  // One that is silent is told by itself.
  advises: () => ({ remedy: remedyFor('NAME'), is_reported_apart: true }),
})

const knownHeartbeats = async ({
  store,
  contacts,
}: Pick<Heartbeats, 'store' | 'contacts'>): Promise<readonly KnownHeartbeat[]> =>
  (await store.of(heartbeatRecords).heartbeats()).map((row) => contacts.known(row))

const remedyFor = (name: string): string =>
  `See whether its host runs and reaches this API, and that its token is the present one; "plumbline heartbeats remove ${shellWord(name)}" ` +
  'where it is to be missed no more.'

/** Pure. */
export function evaluateHeartbeats(all: readonly KnownHeartbeat[]): LookedAt {
  if (all.length === 0) return notConfigured('There are no heartbeats.')
  const states = countsOf(all.map((one) => ({ cause: heartbeatState(one, one.silent_since) })))
  const silent = all.filter(({ silent_since }) => silent_since !== null)
  if (silent.length === 0) return healthy('None is silent.', { details: { states } })
  const differences = silent.map((one): HealthDifference => ({
    item: one.name,
    cause: 'silent',
    domains: [],
    detail: `It ${unheardWords(one)}.`,
  }))
  return impaired('silent', `${named(silent.map(({ name }) => name))}: silent for too long.`, {
    details: { states },
    differences,
    causes: countsOf(differences),
  })
}

/** One for each that is silent. */
export const heartbeatFindings =
  (heartbeats: Pick<Heartbeats, 'store' | 'contacts'>): FindingSource =>
  async () =>
    known(evaluateSilent(await knownHeartbeats(heartbeats)))

/** Pure. */
export const evaluateSilent = (all: readonly KnownHeartbeat[]): readonly Finding[] =>
  all.flatMap((one) =>
    one.silent_since === null
      ? []
      : [
          {
            id: `heartbeat/${one.id}`,
            kind: 'heartbeat_silent',
            severity: 'warning',
            component: 'heartbeats',
            key: one.name,
            domains: [],
            since: one.silent_since,
            message: `The heartbeat ${one.name} ${unheardWords(one)}.`,
            remedy: remedyFor(one.name),
            alert_after_ms: 0,
          },
        ],
  )
