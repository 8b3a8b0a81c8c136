/** Whose routers take hosts of routes that are out, as the running proxy has them: the quarantine cannot close those. */
import { Failure } from '../../../kernel/failure.ts'
import type { ProxyRouter, SearchableProxy } from '../traefik/port.ts'
import { evaluateRule, type Stars } from '../proxy/shadow/reach.ts'
import { starsOf } from '../proxy/shadow/rivals.ts'

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
      const stars = starsOf(snapshot.version)
      known = new Map(
        routes.map(({ domain, host }) => [
          domain,
          snapshot.routers
            .filter((router) => !isOwn(router, domain, domainOf) && takes(router, host, stars))
            .map(({ name }) => name),
        ]),
      )
    },
  }
}

/** Those of the domain itself are out. */
const isOwn = ({ name }: ProxyRouter, domain: string, domainOf: (name: string) => string | null): boolean =>
  /@(?:file|http)$/.test(name) && domainOf(name) === domain

/** Also what may take it, for all that can be told here. */
const takes = ({ kind, status, service, rule }: ProxyRouter, host: string, stars: Stars): boolean =>
  kind === 'http' &&
  status !== 'disabled' &&
  !service.endsWith('@internal') &&
  evaluateRule(kind, rule, stars).reachOver(host) !== 'none'
