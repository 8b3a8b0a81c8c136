/** Settings of the external check. */
import { isIP } from 'node:net'
import { headerSecret, path } from '../../config/kinds/basic.ts'
import { type HostPort, httpUrl, parseHost, showHostPort } from '../../config/kinds/network.ts'
import { parseNameServer } from '../../config/kinds/name-servers.ts'
import { listOf, textual, Wrong, wrong } from '../../config/kinds/refine.ts'
import { showSpan, span } from '../../config/kinds/span.ts'
import { optional, secret, setting } from '../../config/setting.ts'
import { recipients } from '../mail/settings.ts'

export const HTTPS_PORT = 443

function parseHub(text: string): HostPort | Wrong {
  const [, name = text, digits] = /^(.*?)(?::(\d{1,5}))?$/s.exec(text) ?? []
  const port = digits === undefined ? HTTPS_PORT : Number(digits)
  const host = parseHost(name)
  if (host instanceof Wrong || isIP(host) !== 0 || port < 1 || port > 65_535)
    return wrong('must be a name, since its resolution is one of the checks, such as hub.example.com')
  return { host, port }
}

function parseControl(text: string): HostPort | Wrong {
  const form = wrong('is not an address with a port, such as 192.0.2.1:443 or [2001:db8::1]:53')
  if (!/:\d+$/.test(text) || isIP(text) !== 0) return form
  const server = parseNameServer(text)
  return server instanceof Wrong || isIP(server.host) === 0 ? form : server
}

const MAX_CONTROLS = 8

export const external = {
  hub: optional({
    name: 'PLUMBLINE_EXTERNAL_HUB',
    example: 'hub.example.com',
    schema: textual(parseHub),
    show: showHostPort,
    help: 'The hub that "plumbline external-check" looks at from another machine: its name, with a port where that is not 443.',
  }),
  prometheus_url: optional({
    name: 'PLUMBLINE_PROMETHEUS_URL',
    example: 'https://prometheus.example.com',
    schema: httpUrl,
    help: 'Where Prometheus is reached: the external check wants 200 of /-/healthy, and alerting asks whether it is ready and which rules it runs.',
  }),
  grafana_url: optional({
    name: 'PLUMBLINE_GRAFANA_URL',
    example: 'https://grafana.example.com',
    schema: httpUrl,
    help: 'Where Grafana is reached: its /api/health must answer 200 and that its database is ok.',
  }),
  control: setting({
    name: 'PLUMBLINE_EXTERNAL_CONTROL',
    example: '192.0.2.1:443,198.51.100.1:53',
    schema: listOf(parseControl).refine((list) => list.length <= MAX_CONTROLS, {
      error: `must have at most ${MAX_CONTROLS} entries`,
    }),
    default: '',
    show: (list) => list.map(showHostPort).join(','),
    help: 'Two addresses elsewhere (address:port), comma-separated. Where none takes a connection the own line is dead, and the hub is not judged.',
  }),
  result_path: setting({
    name: 'PLUMBLINE_EXTERNAL_RESULT',
    example: '/srv/www/hub.json',
    schema: path,
    default: '/var/lib/plumbline-external/result.json',
    help: 'Where the result is written, for others to read.',
  }),
  state_path: setting({
    name: 'PLUMBLINE_EXTERNAL_STATE',
    example: '/var/lib/hub-check/state.json',
    schema: path,
    default: '/var/lib/plumbline-external/state.json',
    help: 'Where one run keeps what the next has to know: the last address of the hub, and mails that are due.',
  }),
  pause_ms: setting({
    name: 'PLUMBLINE_EXTERNAL_PAUSE',
    example: '2s',
    schema: span({ least: '1ms', most: '5s' }),
    default: '5s',
    show: showSpan,
    help: 'The pause between two of the three tries that go before "down". Longer ones would make a run longer than a minute.',
  }),
  ca_file: optional({
    name: 'PLUMBLINE_EXTERNAL_CA_FILE',
    example: '/etc/plumbline/ca.pem',
    schema: path,
    help: 'PEM file of a private authority that is believed beside the known ones, by all that the external check asks.',
  }),
  heartbeat_url: optional({
    name: 'PLUMBLINE_EXTERNAL_HEARTBEAT_URL',
    example: 'https://plumbline.example.com/api/heartbeats/external',
    schema: httpUrl,
    help: 'Where the daemon is told after each run that could judge, as "plumbline heartbeats add" prints it.',
  }),
  heartbeat_token: secret({
    name: 'PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN',
    schema: headerSecret,
    help: 'The token of that heartbeat.',
  }),
  alert_email: setting({
    name: 'ALERT_EMAIL',
    example: 'ops@example.com',
    ...recipients,
    help: 'The primary recipient of alerts: told by Alertmanager, and by the external check when the hub is lost and when it is back (which needs PLUMBLINE_MAIL_PROVIDER).',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly external: typeof external
  }
}
