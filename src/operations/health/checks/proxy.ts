/** The proxy: it answers, runs the newest release, asks nobody before our routes, and finds no fault with one of ours. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { ExplainedDifference } from '../../../model/drift.ts'
import type { Deps } from '../../deps.ts'
import { proxyDrift } from '../../proxy/proxy-drift.ts'
import { proxyStatus, type ProxyStatusAnswer } from '../../proxy/proxy-status.ts'
import {
  countsOf,
  drifting,
  type HealthCheck,
  healthy,
  impaired,
  type LookedAt,
  named,
  notConfigured,
  unknown,
} from '../check.ts'

const EVERY_MS: Milliseconds = 30_000

export const proxyCheck = (deps: Deps): HealthCheck => ({
  name: 'proxy',
  kind: 'dependency',
  configured: deps.proxy.watch !== null,
  every_ms: EVERY_MS,
  async look({ signal, afresh }) {
    if (afresh) deps.proxy.watch?.forget()
    const status = await proxyStatus(deps, signal)
    return judgeProxy(status, await routersInError(deps, signal))
  },
})

/** Pure. @param in_error routers of ours that the proxy finds fault with */
export function judgeProxy(status: ProxyStatusAnswer, in_error: readonly RouterFault[]): LookedAt {
  const { configured, reachable, loaded, version_fits, version, started_at } = status
  const details = { version, started_at, routers: status.routers?.total ?? null }
  if (!configured) return notConfigured(status.detail ?? '')
  if (reachable !== true) return unknown('unreachable', status.detail ?? 'It cannot be read.')
  const { differences } = proxyDrift(status)
  if (version_fits === false && status.shadowed.length === 0)
    return impaired('version_too_old', status.detail ?? 'It is older than the routes file.', { details })
  if (loaded === false)
    return drifting('not_loaded', status.detail ?? 'It runs another routes file.', {
      details,
      causes: countsOf(differences),
      differences,
    })
  if (status.shadowed.length > 0)
    return drifting('shadowed', shadowedWords(differences), {
      details,
      causes: countsOf(differences),
      differences,
    })
  if (in_error.length > 0)
    return impaired('rejected', `It finds fault with ${named(in_error.map(({ router }) => router))}.`, {
      details,
      differences: in_error.map(({ router, domain, detail }) => ({
        item: router,
        cause: 'rejected',
        domains: [domain],
        detail,
      })),
    })
  if (loaded === null)
    return unknown('unreadable', status.detail ?? 'What it runs is not known.', { details })
  return healthy(`Traefik ${version} runs the newest release.`, { details })
}

function shadowedWords(differences: readonly ExplainedDifference[]): string {
  const [first] = differences
  const domains = [...new Set(differences.flatMap((one) => one.domains))]
  const whose = domains.length === 0 ? first!.item : named(domains)
  return `It has loaded the newest release and does not serve all of it (${whose}). ${first!.detail}`
}

export interface RouterFault {
  readonly router: string
  readonly domain: string
  readonly detail: string
}

/** Ours alone: what others put into the proxy is their concern. */
async function routersInError({ proxy, store }: Deps, signal: AbortSignal): Promise<readonly RouterFault[]> {
  const seen = await proxy.watch?.look(signal)
  if (seen?.known !== true) return []
  const wrong = seen.snapshot.routers.filter(({ status }) => status === 'disabled')
  if (wrong.length === 0) return []
  const released = (await store.intent('released')).rows.filter(({ live }) => live)
  const owners = new Map(
    released.flatMap(({ fields: { domain } }) =>
      proxy.routerNames(domain).map((name) => [name, domain] as const),
    ),
  )
  return wrong.flatMap(({ name, errors }) => {
    const domain = owners.get(name.replace(/@(?:file|http)$/, ''))
    return domain === undefined
      ? []
      : [{ router: name, domain, detail: errors.join('; ') || 'it does not say why' }]
  })
}
