/** Alerts at the router: what fires, acknowledging it, and a test. */
import { z } from 'zod'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { Planned } from '../../http/common-views.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import { acknowledge, type AlertService, listAlerts, planTestAlert, testAlert } from './alerts.ts'
import {
  ackOf,
  AlertAck,
  AlertAcknowledged,
  AlertTest,
  AlertTested,
  PlannedAck,
  RoutedAlertView,
} from './views.ts'

const tags = [{ name: 'Alerts', description: 'What fires at the alert router, and who has taken it up' }]
const DryRun = Changing.pick({ dry_run: true })

const PROBLEMS = ['component_unavailable', 'restored_from_backup'] as const

export const alertEndpoints = (service: AlertService): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/alerts',
    id: 'alerts',
    summary: 'What fires at the alert router, the oldest first',
    description: 'Asked now. That nothing fires is an empty list; that nobody knows is 503.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(RoutedAlertView) },
    problems: ['component_unavailable'],
    handler: async (call) => ok(await listAlerts(service, call.signal)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/alerts/ack',
    id: 'ackAlert',
    summary: 'Acknowledge an alert that fires',
    description:
      'Sets a silence at the router for each that fires, by its own name, instance and severity: whoever would be told after five ' +
      'minutes is not told, and nothing is repeated until it ends. Another instance, and what becomes worse, are told all the same.',
    level: 'keyed',
    tags,
    query: DryRun,
    body: AlertAck,
    replies: { 200: PlannedAck.or(AlertAcknowledged) },
    problems: ['not_found', ...PROBLEMS],
    handler: async (call) => {
      const done = await acknowledge(service, ackOf(call.body), callerOf(call))
      const verb = done.silence === null ? 'Would acknowledge' : 'Acknowledged'
      const message = `${verb} ${done.alerts.length} of ${call.body.name} until ${done.until}.`
      return ok({ success: true as const, message, ...done })
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/alerts/test',
    id: 'testAlert',
    summary: 'Fire a test alert at the router',
    description:
      'It ends after two minutes, before a second recipient is told. That it arrives shows in the mailbox.',
    level: 'keyed',
    tags,
    query: DryRun,
    body: AlertTest.optional(),
    replies: { 200: AlertTested.or(Planned) },
    problems: PROBLEMS,
    handler: async (call) => {
      const severity = call.body?.severity ?? 'warning'
      const caller = callerOf(call)
      if (caller.dry_run) return ok(await planTestAlert(service, severity, caller))
      const fired = await testAlert(service, severity, caller)
      const message = `The router has taken ${fired.name}; its mail is due within a minute.`
      return ok({ success: true as const, message, ...fired })
    },
  }),
]
