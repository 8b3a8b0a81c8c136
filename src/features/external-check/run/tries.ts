/**
 * The probes of the hub, each tried up to three times with a pause between: what has passed, and what another try would find
 * the same, is not asked again. An address that answered earlier is used where the name does not resolve, so that a broken
 * resolver and a dead hub are two things.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import {
  EXTERNAL_PROBES,
  type ExternalProbe,
  type ExternalProbes,
  type ProbeOutcome,
} from '../../../model/network/external-check.ts'
import type { Resolved, TriedProbes } from '../probes/port.ts'

export interface TryParts {
  readonly clock: Clock
  readonly probes: TriedProbes
  /** The hub's name. */
  readonly hub: string
  readonly pause_ms: Milliseconds
  /** Of each name, as it resolved last. */
  readonly kept: Readonly<Record<string, readonly string[]>>
  readonly signal: AbortSignal
}

export const MAX_TRIES = 3

export interface Tried {
  readonly probes: ExternalProbes
  /** Of each name, as it resolves now or did last. */
  readonly addresses: Readonly<Record<string, readonly string[]>>
}

const NOT_YET: ProbeOutcome = { passed: false, answers: false, detail: 'was not asked', is_final: false }

export async function tryAll({ clock, probes, hub, pause_ms, kept, signal }: TryParts): Promise<Tried> {
  const outcomes = Object.fromEntries(EXTERNAL_PROBES.map((name) => [name, NOT_YET])) as Record<
    ExternalProbe,
    ProbeOutcome
  >
  let addresses = kept
  for (let i = 1; i <= MAX_TRIES; i++) {
    const resolved = outcomes.dns.passed ? {} : await probes.resolve(signal)
    addresses = { ...addresses, ...foundIn(resolved) }
    if (!outcomes.dns.passed) outcomes.dns = dnsOutcome(resolved[hub], kept[hub])
    const due = ASKED.filter((name) => !isSettled(outcomes[name]))
    const found = await Promise.all(
      due.map(async (name) => [name, await probes.probe(name, addresses, signal)] as const),
    )
    for (const [name, outcome] of found) outcomes[name] = outcome
    // Many networks drop pings: one that is not answered says nothing more where the port is.
    const left = EXTERNAL_PROBES.filter(
      (name) => !isSettled(outcomes[name]) && !(name === 'ping' && outcomes.https.answers),
    )
    if (left.length === 0 || signal.aborted) break
    if (i < MAX_TRIES) await clock.sleep(pause_ms, signal).catch(() => undefined)
  }
  return { probes: outcomes, addresses }
}

const ASKED = ['ping', 'https', 'prometheus', 'grafana'] as const

const isSettled = ({ passed, is_final }: ProbeOutcome): boolean => passed || is_final

const foundIn = (resolved: Resolved): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(resolved).flatMap(([name, found]) => (found.ok ? [[name, found.addresses]] : [])),
  )

function dnsOutcome(found: Resolved[string] | undefined, kept: readonly string[] | undefined): ProbeOutcome {
  if (found?.ok === true)
    return { passed: true, answers: true, detail: found.addresses.join(', '), is_final: false }
  const why = found?.why ?? 'was not resolved'
  const instead = kept === undefined ? '' : `; it was at ${kept.join(', ')}, which is asked in its place`
  return { passed: false, answers: false, detail: `${why}${instead}`, is_final: false }
}
