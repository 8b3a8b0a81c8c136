/** `plumbline status`: what was deployed last, and whether the proxy runs it. Made for CI: 0 it does, 2 it does not, 3 unknown. */
import type { DeployStatusAnswer } from '../../operations/deploy/deploy-status.ts'
import type { ProxyStatusAnswer } from '../../operations/proxy/proxy-status.ts'
import { expectGood } from '../api.ts'
import { EXIT } from '../exit-codes.ts'
import { shortTime, styled, table, type Terminal } from '../terminal.ts'
import type { Verb } from '../verb.ts'
import { withApi } from '../with-api.ts'

export const status: Verb = {
  name: 'status',
  takes: '',
  help: 'Show what was deployed, and whether the proxy runs it. Exit code 0 it does, 2 it does not, 3 unknown.',
  options: {},
  async run(context) {
    const { terminal } = context
    const found = await withApi(context, (api) =>
      expectGood<DeployStatusAnswer>(api, { method: 'GET', path: '/api/deploy/status' }),
    )
    if (terminal.json) terminal.out(JSON.stringify(found, null, 2))
    else tell(found, terminal)
    return exitCode(found)
  },
}

/** Nobody who set no API asked to know. */
function exitCode({ proxy, loaded }: DeployStatusAnswer): number {
  if (!proxy.configured || loaded === true) return EXIT.ok
  return loaded === null ? EXIT.unknown : EXIT.drift
}

function tell(found: DeployStatusAnswer, terminal: Terminal): void {
  const { timestamp, success, release, domain_count, source, warnings } = found
  const lines = [
    [
      'deploy-all',
      timestamp === null
        ? 'never'
        : `${success === true ? 'succeeded' : 'failed'} at ${shortTime(timestamp)}: release ${release ?? 'none'}, ` +
          `${domain_count} domains${source === 'file' ? ' (told by the file beside the routes)' : ''}`,
    ],
    ['proxy', proxyLine(found.proxy)],
    ['loaded', loadedLine(found)],
  ]
  for (const line of table(lines)) terminal.out(line)
  for (const name of found.proxy.routers?.in_error ?? []) terminal.out(`  in error: ${name}`)
  for (const warning of warnings) terminal.note(`warning: ${warning}`)
}

function proxyLine({ configured, reachable, api, version, started_at, routers }: ProxyStatusAnswer): string {
  if (!configured) return 'not asked: PLUMBLINE_TRAEFIK_API is not set'
  if (reachable !== true) return styled('yellow', `${api} cannot be read`)
  const since = started_at === null ? '' : ` since ${shortTime(started_at)}`
  return `Traefik ${version}${since}, ${routers?.total ?? 0} routers`
}

function loadedLine({ loaded, proxy }: DeployStatusAnswer): string {
  if (loaded === true) return styled('green', `yes${proxy.detail === null ? '' : `. ${proxy.detail}`}`)
  return loaded === null
    ? styled('yellow', `unknown: ${proxy.detail ?? ''}`)
    : styled('red', `no: ${proxy.detail ?? ''}`)
}
