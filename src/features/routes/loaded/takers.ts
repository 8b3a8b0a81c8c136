/** Whose routers take hosts of routes that are out, as the running proxy has them: the quarantine cannot close those. */
import { Failure } from '../../../kernel/failure.ts'
import type { ProxyRouter, SearchableProxy } from '../traefik/port.ts'
import { turnsByTime } from '../../../kernel/async/others-turn.ts'
import { type EvaluatedRule, evaluateRule, type Stars } from '../proxy/shadow/reach.ts'
import { starsOf } from '../proxy/shadow/rivals.ts'
import { inOneTurn, type Work, workOfLook } from '../proxy/shadow/work.ts'

/** A route that is out. */
export interface RouteOut {
  readonly domain: string
  /** That is asked for. */
  readonly host: string
}

/**
 * Nobody is known where no API of the proxy is set, or it does not answer.
 * @param domainOf of a router of ours, by the name that the proxy shows; null for another
 */
export function takersAt(proxy: SearchableProxy | null, domainOf: (name: string) => string | null) {
  let known: ReadonlyMap<string, readonly string[]> = new Map()
  return {
    of: (domain: string): readonly string[] => known.get(domain) ?? [],
    async look(routes: readonly RouteOut[], signal: AbortSignal): Promise<void> {
      const snapshot = await proxy?.snapshot(signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof Failure)) throw error
        return undefined
      })
      if (snapshot === undefined) return
      const servers = await serversIn(snapshot.routers, starsOf(snapshot.version))
      const found = new Map<string, readonly string[]>()
      const [turn, look] = [turnsByTime(), workOfLook()]
      for (const { domain, host } of routes) {
        await turn()
        const others = servers.filter(({ router }) => !isOwn(router, domain, domainOf))
        found.set(
          domain,
          inOneTurn(look, (work) => takersOf(host, others, work)),
        )
      }
      known = found
    },
  }
}

/** Those of the domain itself are out. */
const isOwn = ({ name }: ProxyRouter, domain: string, domainOf: (name: string) => string | null): boolean =>
  /@(?:file|http)$/.test(name) && domainOf(name) === domain

interface Server {
  readonly router: ProxyRouter
  readonly rule: EvaluatedRule
}

const serves = ({ kind, status, service }: ProxyRouter): boolean =>
  kind === 'http' && status !== 'disabled' && !service.endsWith('@internal')

async function serversIn(routers: readonly ProxyRouter[], stars: Stars): Promise<readonly Server[]> {
  const found: Server[] = []
  const turn = turnsByTime()
  for (const router of routers.filter(serves)) {
    await turn()
    found.push({ router, rule: evaluateRule('http', router.rule, stars) })
  }
  return found
}

/** Also those that may take it, for all that can be told here. */
const takersOf = (host: string, servers: readonly Server[], work: Work): readonly string[] =>
  servers.filter(({ rule }) => rule.reachOver(host, work) !== 'none').map(({ router }) => router.name)
