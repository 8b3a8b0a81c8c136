/** The mail about outages: one at the loss, one at the recovery, and one for both where the first could not be sent. Pure. */
import { type Instant, isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import { digestOf } from '../../../kernel/digest.ts'
import type { ExternalProbes, ExternalReport } from '../../../model/network/external-check.ts'
import { EXTERNAL_PROBES } from '../../../model/network/external-check.ts'
import type { Outage } from './memory.ts'

export interface OutageMail {
  readonly kind: NonNullable<ExternalReport['mailed']>
  /** The same for the same contents, so that a second one is known for what it is. */
  readonly id: string
  readonly subject: string
  readonly text: string
}

interface Seen {
  readonly hub: string
  /** The machine that looked. */
  readonly watcher: string
  readonly probes: ExternalProbes
  readonly reachable_at: Instant | null
}

/** @param outages as `unmailed` says; at least one */
export function outageMail(
  outages: readonly Outage[],
  { hub, watcher, probes, reachable_at }: Seen,
): OutageMail {
  const lasting = outages.find(({ until }) => until === null)
  const over = outages.filter(({ until }) => until !== null)
  const kind =
    over.length === 0 ? 'loss' : lasting === undefined && over.every(isLossMailed) ? 'recovery' : 'both'
  const last =
    reachable_at === null ? 'It was never seen from here.' : `It answered last at ${isoTime(reachable_at)}.`
  const lines = [
    lasting === undefined
      ? `${hub} answers again.`
      : `${hub} cannot be reached: neither a ping nor port 443 answers.`,
    '',
    ...over.map(
      ({ since, until }) =>
        `Unreachable since ${isoTime(since)} until ${isoTime(until!)} (${span(until! - since)}).`,
    ),
    ...(lasting === undefined ? [] : [`Unreachable since ${isoTime(lasting.since)}. ${last}`]),
    ...(kind === 'both'
      ? ['The mail about the loss could not be sent at its time; this one tells of both.']
      : []),
    '',
    'What was seen:',
    ...EXTERNAL_PROBES.map(
      (name) => `- ${name}: ${probes[name].passed ? 'passed' : 'failed'}, ${probes[name].detail}`,
    ),
    '',
    `Seen from ${watcher}.`,
  ]
  return {
    kind,
    id: digestOf({ hub, outages }).slice(0, 32),
    subject: subjectOf(hub, lasting, over),
    text: `${lines.join('\n')}\n`,
  }
}

const isLossMailed = ({ loss_mailed }: Outage): boolean => loss_mailed

function subjectOf(hub: string, lasting: Outage | undefined, over: readonly Outage[]): string {
  if (lasting !== undefined)
    return `[FIRING] ${hub} is unreachable${over.length === 0 ? '' : ', and was before'}`
  return over.every(isLossMailed)
    ? `[RESOLVED] ${hub} is reachable again`
    : `[RESOLVED] ${hub} was unreachable, and is reachable again`
}

function span(ms: Milliseconds): string {
  const minutes = Math.round(ms / 60_000)
  return minutes < 1
    ? 'less than a minute'
    : minutes < 120
      ? `${minutes} min`
      : `${Math.round(minutes / 60)} h`
}
