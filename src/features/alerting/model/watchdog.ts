/**
 * One alert that always fires and calls a heartbeat in place of a person: where it falls silent, Prometheus, Alertmanager or
 * the way between them is broken, which neither of them can tell. It stands beside the other rules, in a file of its own. Pure.
 */
import { HEADER } from './header.ts'
import { type Plain, yamlText } from './yaml.ts'

export interface WatchdogCall {
  /** Of the heartbeat, as Alertmanager reaches it. */
  readonly url: string
  /** The file with the heartbeat's token, as Alertmanager sees it. */
  readonly token_file: string
}

const NAME = 'PlumblineWatchdog'
/** No person is told of it. */
const SEVERITY = 'none'
const RECEIVER = 'watchdog'

export const watchdogRules = (): string =>
  `${HEADER}${yamlText({
    groups: [
      {
        name: 'watchdog',
        rules: [
          {
            alert: NAME,
            expr: 'vector(1)',
            labels: { severity: SEVERITY },
            annotations: {
              summary: 'Alerts find their way',
              description: 'It always fires, and calls a heartbeat of Plumbline, which misses it.',
            },
          },
        ],
      },
    ],
  })}`

/** Before every other route: nobody else hears of it. A group is looked at each minute, so a call comes within six. */
export const watchdogRoute: Plain = {
  receiver: RECEIVER,
  matchers: [`alertname="${NAME}"`, `severity="${SEVERITY}"`],
  group_by: ['alertname'],
  group_wait: '0s',
  group_interval: '1m',
  repeat_interval: '5m',
}

export const watchdogReceiver = ({ url, token_file }: WatchdogCall): Plain => ({
  name: RECEIVER,
  webhook_configs: [
    { url, send_resolved: false, http_config: { authorization: { credentials_file: token_file } } },
  ],
})

export const isWatchdog = (labels: Readonly<Record<string, string>>): boolean =>
  labels['alertname'] === NAME && labels['severity'] === SEVERITY
