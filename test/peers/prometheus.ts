/** Prometheus with a configuration of the test's own, a database in its own folder, and its API on loopback. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetch } from 'undici'
import { type Peer, startPeer, TOOL_MS, TOOL_PATH, whichProgram } from './peer.ts'

export const PROMETHEUS_PROGRAMS = ['prometheus', 'promtool'] as const

export interface Prometheus extends Peer {
  /** `http://127.0.0.1:…` */
  readonly origin: string
  /** `GET /api/v1/…`: the `data` of a good answer. */
  ask(path: string): Promise<unknown>
}

export interface PrometheusOptions {
  /** The file of rules that it reads, where there is one. */
  readonly rules?: string
  /** Whether it takes `POST /-/reload`. */
  readonly takes_reload?: boolean
  /** `host:port` of each alert router. */
  readonly alertmanagers?: readonly string[]
  /** How soon it sends an alert again that fires on; a minute otherwise. */
  readonly resend_delay?: string
}

/** @param scrape_configs YAML, a list */
export async function startPrometheus(
  scrape_configs: string,
  { rules, takes_reload = false, alertmanagers = [], resend_delay }: PrometheusOptions = {},
): Promise<Prometheus> {
  const { peer, ports } = await startPeer({
    name: 'prometheus',
    ports: 1,
    prepare(directory, [port = 0]) {
      const config = join(directory, 'prometheus.yml')
      writeFileSync(
        config,
        [
          'global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }',
          ...(rules === undefined ? [] : [`rule_files: ['${rules}']`]),
          ...(alertmanagers.length === 0
            ? []
            : [
                `alerting: { alertmanagers: [{ static_configs: [{ targets: ${JSON.stringify(alertmanagers)} }] }] }`,
              ]),
          `scrape_configs:\n${scrape_configs}`,
        ].join('\n'),
      )
      return Promise.resolve({
        program: 'prometheus',
        args: [
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(directory, 'data')}`,
          `--web.listen-address=127.0.0.1:${port}`,
          '--log.level=warn',
          ...(takes_reload ? ['--web.enable-lifecycle'] : []),
          ...(resend_delay === undefined ? [] : [`--rules.alert.resend-delay=${resend_delay}`]),
        ],
        ready: async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).status === 200,
      })
    },
  })
  const origin = `http://127.0.0.1:${ports[0] ?? 0}`
  return {
    ...peer,
    origin,
    ask: async (path) => {
      const answer = (await (await fetch(`${origin}/api/v1/${path}`)).json()) as {
        status: string
        data: unknown
      }
      if (answer.status !== 'success') throw new Error(`prometheus answered ${JSON.stringify(answer)}`)
      return answer.data
    },
  }
}

/** What `promtool check metrics` says of a text; empty when nothing. Throws where it cannot be parsed. */
export async function checkMetrics(text: string): Promise<string> {
  const { code, output } = await promtool(['check', 'metrics'], text)
  // 3: it reads them, and has advice.
  if (code !== 0 && code !== 3) throw new Error(`promtool: ${output}`)
  return output
}

/** @param input what it reads, if anything */
export function promtool(
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number; readonly output: string }> {
  const path = whichProgram('promtool')
  if (path === null) throw new Error('promtool is not installed')
  return new Promise((resolve, reject) => {
    const options = { timeout: TOOL_MS, env: { PATH: TOOL_PATH, LC_ALL: 'C.UTF-8' } }
    const child = execFile(path, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      if (typeof code === 'number') resolve({ code, output: stdout + stderr })
      else reject(new Error(`promtool: ${error?.message}`))
    })
    // It may end before it has read: how it ended says why.
    child.stdin!.on('error', () => undefined).end(input)
  })
}
