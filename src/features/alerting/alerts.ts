/** The alerts that fire, acknowledging one, and a test that somebody would be told. */
import { OF_NO_RECORD } from '../../core/audit/facts.ts'
import type { z } from 'zod'
import type { Caller } from '../../core/caller.ts'
import type { PlannedAnswer } from '../../core/answers.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import { planOutside } from '../../core/commit/plan-outside.ts'
import type { Core } from '../../core/core.ts'
import { type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { ALERTING } from '../../model/component.ts'
import type { RuleSeverity } from './model/rule.ts'
import { isWatchdog } from './model/watchdog.ts'
import { addSilence, fireAlert, type RoutedAlert, routedAlerts, type Silence } from './servers/alerts.ts'
import type { Answer, Server } from './servers/ask.ts'
import type { AlertAcknowledged, RoutedAlertView } from './views.ts'

export interface AlertService extends Pick<Core, 'clock' | 'log' | 'commit' | 'assertNewest'> {
  readonly alertmanager: Server | null
}

type FiringAlert = z.output<typeof RoutedAlertView>

/** Without the one that always fires. Throws `component_unavailable`. */
export async function listAlerts(
  service: Pick<AlertService, 'alertmanager'>,
  signal: AbortSignal,
): Promise<FiringAlert[]> {
  const alerts = known(await routedAlerts(routerOf(service), signal))
  return alerts
    .filter(({ labels }) => !isWatchdog(labels))
    .map(firing)
    .toSorted(byAge)
}

function firing({ labels, annotations, startsAt, status }: RoutedAlert): FiringAlert {
  const { silencedBy, inhibitedBy } = status
  return {
    name: labels['alertname'] ?? '',
    severity: labels['severity'] ?? null,
    instance: labels['instance'] ?? null,
    since: startsAt,
    summary: annotations['summary'] ?? null,
    description: annotations['description'] ?? null,
    state: silencedBy.length > 0 ? 'acknowledged' : inhibitedBy.length > 0 ? 'covered' : 'firing',
    silences: silencedBy,
  }
}

const byAge = (a: FiringAlert, b: FiringAlert): number =>
  a.since === b.since ? (a.name < b.name ? -1 : 1) : a.since < b.since ? -1 : 1

export interface AckWish {
  readonly name: string
  readonly instance?: string | undefined
  readonly severity?: string | undefined
  readonly lasting_ms: Milliseconds
  readonly comment: string
}

type Acknowledged = Pick<z.output<typeof AlertAcknowledged>, 'silence' | 'silences' | 'until' | 'alerts'>
type PlannedAck = Acknowledged & PlannedAnswer

/**
 * Each that fires has a silence of its own, by the labels that alerts are told together by: another instance that goes down,
 * and what becomes worse, are told. Throws `not_found` where nothing of that name fires: a silence for later would be one
 * that nobody remembers.
 */
export async function acknowledge(
  service: AlertService,
  { name, instance, severity, lasting_ms, comment }: AckWish,
  caller: Caller,
): Promise<Acknowledged | PlannedAck> {
  const alerts = (await listAlerts(service, caller.signal)).filter(
    (alert) =>
      alert.name === name &&
      (instance === undefined || alert.instance === instance) &&
      (severity === undefined || alert.severity === severity),
  )
  if (alerts.length === 0) throw new Failure('not_found', `No alert ${JSON.stringify(name)} fires like that.`)
  const now: Instant = service.clock.now()
  const until = isoTime(now + lasting_ms)
  const each = groupsOf(alerts)
  if (caller.dry_run)
    return {
      ...(await planSilences(service, each, { caller, lasting_ms })),
      silence: null,
      silences: [],
      until,
      alerts,
    }
  const created_by = caller.actor.name
  await service.assertNewest()
  const time = { starts_at: isoTime(now), ends_at: until, created_by, comment }
  const silences = await silenceEach(service, each, { caller, time })
  return { silence: silences[0]!, silences, until, alerts }
}

type Labels = Readonly<Record<'alertname' | 'instance' | 'severity', string>>

/** Once each. A label that an alert lacks is empty at the router, and the silence is of those that lack it, too. */
const groupsOf = (alerts: readonly FiringAlert[]): readonly Labels[] =>
  [...Map.groupBy(alerts, ({ instance, severity }) => JSON.stringify([instance ?? '', severity ?? '']))].map(
    ([, [first]]) => ({
      alertname: first!.name,
      instance: first!.instance ?? '',
      severity: first!.severity ?? '',
    }),
  )

interface Silencing {
  readonly caller: Caller
  readonly time: Omit<Silence, 'labels'>
}

/** One after another, each in the audit trail when it stands. Throws at the first that the router does not take. */
async function silenceEach(
  service: AlertService,
  each: readonly Labels[],
  { caller, time }: Silencing,
): Promise<string[]> {
  const ids: string[] = []
  for (const labels of each) {
    const answer = await addSilence(routerOf(service), { labels, ...time }, caller.signal)
    if (!answer.known)
      throw new Failure(
        'component_unavailable',
        ids.length === 0
          ? answer.detail
          : `${answer.detail} ${ids.length} of ${each.length} silences were set before that.`,
      )
    ids.push(answer.state)
    const detail = { ...labels, silence: answer.state, until: time.ends_at }
    await audit(service, caller, { action: 'acknowledge_alert', detail })
  }
  return ids
}

const planSilences = (
  { commit }: AlertService,
  each: readonly Labels[],
  { caller, lasting_ms }: { readonly caller: Caller; readonly lasting_ms: Milliseconds },
): Promise<PlannedAnswer> =>
  planOutside(commit, caller, {
    component: ALERTING,
    actions: each.map((labels) => ({
      verb: 'create',
      item: `silence of ${Object.entries(labels)
        .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
        .join(', ')}`,
      before: null,
      after: `for ${lasting_ms / 1000} s`,
    })),
  })

/** It ends before the second recipient would be told. */
const TEST_MS: Milliseconds = 120_000
const TEST_NAME = 'PlumblineTest'

/** What the test would fire. Nobody is asked. Throws `component_unavailable` where no router is set up. */
export function planTestAlert(
  service: AlertService,
  severity: RuleSeverity,
  caller: Caller,
): Promise<PlannedAnswer> {
  const { name } = routerOf(service)
  const item = `alert ${TEST_NAME} at ${name}`
  return planOutside(service.commit, caller, {
    component: ALERTING,
    actions: [{ verb: 'create', item, before: null, after: severity }],
  })
}

/** Resolves when the router lists it, whatever it answered; that it arrives shows in the mailbox. */
export async function testAlert(
  service: AlertService,
  severity: RuleSeverity,
  caller: Caller,
): Promise<{ readonly name: string; readonly until: string }> {
  const router = routerOf(service)
  const name = TEST_NAME
  const now = service.clock.now()
  const until = isoTime(now + TEST_MS)
  await service.assertNewest()
  const fired = {
    labels: { alertname: name, instance: 'plumbline', severity },
    annotations: {
      summary: 'A test of the way that alerts take',
      description: `Nothing is wrong. ${caller.actor.name} asked for this test.`,
    },
    starts_at: isoTime(now),
    ends_at: until,
  }
  known(await fireAlert(router, fired, caller.signal))
  const taken = known(await routedAlerts(router, caller.signal)).some(({ labels }) =>
    Object.entries(fired.labels).every(([label, value]) => labels[label] === value),
  )
  if (!taken)
    throw new Failure('component_unavailable', `${router.name} was given ${name}, and does not list it.`)
  await audit(service, caller, { action: 'test_alert', detail: { severity, until } })
  return { name, until }
}

function routerOf({ alertmanager }: Pick<AlertService, 'alertmanager'>): Server {
  if (alertmanager !== null) return alertmanager
  throw new Failure(
    'component_unavailable',
    'No alert router is set up: PLUMBLINE_ALERTMANAGER_URL is not set.',
    { facts: { setting: 'PLUMBLINE_ALERTMANAGER_URL' } },
  )
}

function known<State>(answer: Answer<State>): State {
  if (answer.known) return answer.state
  throw new Failure('component_unavailable', answer.detail)
}

/** What the router has taken stands, whether or not it could be written down. */
async function audit(
  { commit, log }: AlertService,
  caller: Caller,
  { action, detail }: { readonly action: string; readonly detail: Readonly<Record<string, string>> },
): Promise<void> {
  try {
    await commit({ ...caller, dry_run: false }, () =>
      Promise.resolve({
        result: null,
        ...ONLY_SAVES,
        audit: [{ action, ...OF_NO_RECORD, detail }],
        warnings: [],
      }),
    )
  } catch (error) {
    log.warn('what was done at the alert router is not in the audit trail', { error, action })
  }
}
