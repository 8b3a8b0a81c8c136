/** `plumbline proxy`: what records may use of the proxy, and what it has. */
import { shortTime, tellAs, type Terminal } from '../../cli/text/terminal.ts'
import { tellBeside, tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb } from '../../cli/verb.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { domainId } from '../../cli/find-domain.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import type { DomainTraffic } from './views.ts'

interface Middleware {
  readonly name: string
  readonly own: boolean
  readonly status: string
  readonly description: string
}

export const proxy: Verb = {
  name: 'proxy',
  help: 'Middlewares, backends and figures of the proxy.',
  forms: [
    {
      words: 'middlewares',
      help: 'Lists the middlewares that records may use, with what the proxy has of each.',
      examples: [['proxy middlewares', 'Names for "plumbline set NAME middleware_config=…".']],
      is_long: true,
      run: asks<readonly Middleware[]>({
        request: () => ({ method: 'GET', path: '/api/middlewares' }),
        text: (all, terminal) =>
          tellTable(
            terminal,
            all.map(({ name, status, description }) => [name, status.replaceAll('_', ' '), description]),
            { head: ['NAME', 'STATUS', 'WHAT IT DOES'] },
          ),
      }),
    },
    {
      words: 'services',
      help: 'Lists the backends, and the domains that lead to each.',
      examples: [['proxy services', 'What is affected when a host goes down.']],
      is_long: true,
      run: asks<Readonly<Record<string, readonly string[]>>>({
        request: () => ({ method: 'GET', path: '/api/services' }),
        text: (all, terminal) =>
          tellTable(
            terminal,
            Object.entries(all).map(([backend, names]) => [backend, names.join(', ')]),
          ),
      }),
    },
    {
      words: 'targets',
      help: 'Lists the deployed HTTP domains as Prometheus is told of them.',
      examples: [['proxy targets --json > targets.json', 'For file-based discovery.']],
      is_long: true,
      run: asks<readonly { readonly targets: readonly string[] }[]>({
        request: () => ({ method: 'GET', path: '/api/metrics-targets' }),
        text: (all, { out }) => all.flatMap(({ targets }) => targets).forEach((target) => out(target)),
      }),
    },
    {
      words: 'traffic DOMAIN',
      help: 'Shows how many requests of a domain the proxy has counted since it started, and how many ended in 5xx.',
      examples: [['proxy traffic app.example.com', 'Not known is not zero: exit code 3.']],
      async run(context) {
        const found = await withApi(context, async (api) => {
          const id = await domainId(api, context.words[0]!)
          return expectGood<DomainTraffic>(api, { method: 'GET', path: `/api/domains/${id}/traffic` })
        })
        tellAs(context.terminal, found, tellTraffic)
        return found.requests === null ? EXIT.unknown : EXIT.ok
      },
    },
    {
      words: 'figures',
      help: 'Shows the figures of the installation in a few lines.',
      examples: [['proxy figures', 'How many domains, passes and repairs.']],
      run: asks<string>({
        request: () => ({ method: 'GET', path: '/api/metrics/summary' }),
        text: tellFigures,
      }),
    },
  ],
}

/** Lines of a title and what it is; what is below a title begins where it does. */
function tellFigures(text: string, terminal: Terminal): void {
  for (const line of text.trimEnd().split('\n')) {
    const [, title = '', words = ''] = /^(\S* +)?(.*)$/.exec(line)!
    tellBeside(terminal, title, words)
  }
}

function tellTraffic(found: DomainTraffic, terminal: Terminal): void {
  const { domain, requests, server_errors, since, detail } = found
  if (requests === null) return tellProse(terminal, `${domain}: not known. ${detail ?? ''}`)
  const from = since === null ? 'since the proxy started' : `since ${shortTime(since)}`
  tellProse(terminal, `${domain}: ${requests} requests ${from}, ${server_errors} of them ended in 5xx.`)
}
