/** What of alerting is looked at: its settings, the two servers, what they run, and whether mails go out. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { drifting, type HealthCheck, healthy, impaired, type LookedAt, unknown } from '../../core/check.ts'
import type { PartAdvice } from '../../core/finding.ts'
import type { LoadedState, LoadedWatch } from './loaded/watch.ts'
import type { Answer, Server } from './servers/ask.ts'
import { countFailedMails, FailedMails, readiness } from './servers/readiness.ts'

/** Settings do not change while the daemon runs. */
const SETTINGS_EVERY_MS: Milliseconds = 600_000
const EVERY_MS: Milliseconds = 15_000

/** @param configured whether any file is to be written */
export const settingsCheck = (configured: boolean, missing: readonly string[]): HealthCheck => ({
  name: 'alerting_settings',
  kind: 'watch',
  configured,
  every_ms: SETTINGS_EVERY_MS,
  look: () =>
    Promise.resolve(
      missing.length === 0 ? healthy('Nothing is missing.') : impaired('not_set', missing.join(' ')),
    ),
  advises: () => ({ remedy: 'Set it right, and start the daemon again.' }),
})

/** The stack cannot tell of it, and whoever waits for an alert hears nothing: that waits for no setting. */
const UNHEARD: Partial<PartAdvice> = { severity: 'critical', alert_after_ms: 120_000 }

export const METRICS_SERVER = 'metrics_server'
export const ALERT_ROUTER = 'alert_router'
const ALERT_MAIL = 'alert_mail'

/** The parts that are told so. */
export const UNHEARD_PARTS: readonly string[] = [METRICS_SERVER, ALERT_ROUTER, ALERT_MAIL]

export const metricsServerCheck = (prometheus: Server): HealthCheck =>
  readinessCheck(
    METRICS_SERVER,
    prometheus,
    'No rule is evaluated: start Prometheus; its log says what it lacks.',
  )

export const alertRouterCheck = (alertmanager: Server): HealthCheck =>
  readinessCheck(
    ALERT_ROUTER,
    alertmanager,
    'Nobody is told of any alert: start Alertmanager; its log says what it lacks.',
  )

const readinessCheck = (name: string, server: Server, remedy: string): HealthCheck => ({
  name,
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  look: async ({ signal }) => evaluateReadiness(server.name, await readiness(server, signal)),
  advises: () => ({ ...UNHEARD, remedy }),
})

/** Pure. To get no answer is the trouble itself. */
const evaluateReadiness = (name: string, answer: Answer<true>): LookedAt =>
  answer.known ? healthy(`${name} is ready.`) : impaired('unreachable', answer.detail)

export function alertMailCheck(alertmanager: Server, { now }: Pick<Clock, 'now'>): HealthCheck {
  const mails = new FailedMails()
  return {
    name: ALERT_MAIL,
    kind: 'watch',
    configured: true,
    every_ms: EVERY_MS,
    async look({ signal }) {
      const answer = await countFailedMails(alertmanager, signal)
      if (!answer.known) return unknown(answer.reason, answer.detail)
      return mails.isFailing(answer.state, now())
        ? impaired('failing', 'Alert mails are not delivered by Alertmanager.')
        : healthy('No alert mail was given up of late.')
    },
    advises: ({ drift }) =>
      drift === null
        ? {}
        : {
            ...UNHEARD,
            remedy:
              'Its log says what the mail server answered: see to the server, the user and the password.',
          },
    follows: (_own, { part }) => part(ALERT_ROUTER)?.ok === false,
  }
}

interface Loading {
  readonly name: string
  /** The part without which nobody knows. */
  readonly server: string
  readonly watch: Pick<LoadedWatch, 'state'>
}

export const loadedCheck = ({ name, server, watch }: Loading): HealthCheck => ({
  name,
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  look: () => Promise.resolve(evaluateLoaded(watch.state)),
  advises: ({ cause }) =>
    cause === 'not_loaded'
      ? {
          kind: 'not_loaded',
          severity: 'warning',
          remedy: 'It is written, and tried again by itself once that is mended.',
        }
      : {},
  follows: (_own, { part }) => part(server)?.ok === false,
})

/** Pure. */
export function evaluateLoaded(state: LoadedState | null): LookedAt {
  switch (state?.kind) {
    case 'loaded':
      return state.sick.length === 0
        ? healthy('It runs what was written.')
        : impaired('failing', `Rules cannot be evaluated: ${state.sick.slice(0, 3).join('; ')}.`)
    case 'not_loaded':
      return drifting('not_loaded', state.why)
    case 'not_written':
      return unknown('never_looked', 'It is not written yet.')
    case 'unknown':
      return unknown(state.reason, state.detail)
    case undefined:
      return unknown('never_looked', 'Nobody has looked yet.')
  }
}
