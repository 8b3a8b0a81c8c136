/**
 * Who would be asked before our routers by the other files of the routes folder, where no API of the proxy says what it runs:
 * the same evaluation as of what it shows (`rivals.ts`), for the proxy takes the folder as a whole.
 *
 * What the static configuration would tell and nobody has set is taken for what lets in most: a router that names no entry
 * point is on each of ours, and that of https gives TLS.
 */
import { turnsByTime } from '../../../../kernel/async/others-turn.ts'
import { visible } from '../../../../kernel/text/visible.ts'
import type { ExplainedDifference } from '../../../../model/drift.ts'
import { OUR_NAMES, SHARED } from '../../render/names.ts'
import type { RouteObjects } from '../../render/objects.ts'
import type { Rival } from '../../rival-schema.ts'
import type { FileRoutes, ProxyEntrypoint, ProxyMiddleware, ProxyRouter } from '../../traefik/port.ts'
import { routesIn } from '../generated.ts'
import { linksOf, protects } from '../outranked/protection.ts'
import { evaluateRule } from './reach.ts'
import { byName, type OwnRouter, type RivalRouter, Rivals, starsOf } from './rivals.ts'
import { describedRival, inFile, isShadow } from './shadows.ts'
import { workOfLook } from './work.ts'

export interface FolderFile {
  /** Below the folder of the routes file. */
  readonly file: string
  readonly routes: FileRoutes
}

export interface FolderFacts {
  readonly version: string
  /** By the static configuration; null where no file of it is set. */
  readonly entrypoints: readonly ProxyEntrypoint[] | null
  /** Of ours, by PLUMBLINE_ENTRYPOINTS. */
  readonly own_entrypoints: readonly string[]
  readonly https_entrypoint: string
  /** What was released. */
  readonly objects: RouteObjects
  /** Of what was released: others may put them before routers of theirs. */
  readonly own_middlewares: readonly ProxyMiddleware[]
}

export interface FolderRivals {
  readonly in_the_way: readonly ExplainedDifference[]
  /** Routers that are asked first, and of which nobody here can tell what they take: the beginning of a sentence. */
  readonly unevaluated: readonly string[]
}

const NOTHING: FolderRivals = { in_the_way: [], unevaluated: [] }

export async function rivalsByFolder(
  files: readonly FolderFile[],
  facts: FolderFacts,
): Promise<FolderRivals> {
  const file_of = routersIn(files, placing(facts))
  if (file_of.size === 0) return NOTHING
  const { version, objects } = facts
  const middlewares = [...files.flatMap(({ routes }) => routes.middlewares), ...facts.own_middlewares]
  const rivals = await Rivals.among({ version, routers: [...file_of.keys()], middlewares }, () => false)
  const evades = evader(facts, middlewares)
  const in_the_way: ExplainedDifference[] = []
  const unevaluated = new Map<ProxyRouter, string>()
  const [turn, look] = [turnsByTime(), workOfLook()]
  for (const own of ownRouters(objects, rivals)) {
    await turn()
    for (const rival of rivals.of(own, look)) {
      const { router, stance } = rival
      const is_open = evades(own, rival)
      const found = inFile(describedBy(own, rival, is_open), file_of.get(router)!)
      if (is_open || isShadow(found)) in_the_way.push(shadowed(found))
      else if (stance === 'not_judged' && !unevaluated.has(router))
        unevaluated.set(router, unevaluatedWords(own, found))
    }
  }
  return { in_the_way, unevaluated: [...unevaluated.values()] }
}

const unevaluatedWords = ({ router: own }: OwnRouter, { file, rule, router }: Rival): string =>
  visible(`${file} with ${router} (${rule}), which is asked before ${own.name}`)

const shadowed = ({ item, domains, detail }: Rival): ExplainedDifference => ({
  item,
  cause: 'shadowed',
  domains,
  detail,
})

/** As the proxy places them, each with its file. */
function routersIn(
  files: readonly FolderFile[],
  placed: (router: ProxyRouter) => ProxyRouter,
): ReadonlyMap<ProxyRouter, string> {
  const found = new Map<ProxyRouter, string>()
  for (const { file, routes } of files)
    for (const router of routes.routers)
      if (router.rule !== '' && !router.name.startsWith(OUR_NAMES)) found.set(placed(router), file)
  return found
}

const inFileProvider = (name: string): string => `${name}@file`
const SIGN_IN = inFileProvider(SHARED.sso)

/**
 * Tells whether a router takes a part of a route that asks to sign in, and asks nobody. Below a star a name of its own is open by
 * right.
 */
function evader(
  facts: FolderFacts,
  middlewares: readonly ProxyMiddleware[],
): (own: OwnRouter, rival: RivalRouter) => boolean {
  const isOpen = openness(facts, middlewares)
  const stars = starsOf(facts.version)
  const namesHost = ({ kind, rule }: ProxyRouter) => evaluateRule(kind, rule, stars).names !== null
  return (own, { router, stance }) =>
    stance === 'takes_some' &&
    own.router.middlewares.includes(SIGN_IN) &&
    !(own.domain.startsWith('*.') && namesHost(router)) &&
    isOpen(router)
}

function describedBy(own: OwnRouter, rival: RivalRouter, is_open: boolean): Rival {
  const found = describedRival(own, rival)
  if (!is_open) return found
  const remedy = `${visible(own.domain)} asks to sign in, and that router asks nobody: remove it, give it a lower priority, or put a check before it. A deploy does not change it.`
  return { ...found, detail: `${found.detail} ${remedy}` }
}

/** Whoever comes to it gets to what it serves: nothing is asked, and nobody is sent elsewhere. */
function openness(
  { entrypoints }: FolderFacts,
  middlewares: readonly ProxyMiddleware[],
): (router: ProxyRouter) => boolean {
  const known = byName(middlewares)
  const before = new Map((entrypoints ?? []).map(({ name, middlewares: first }) => [name, first]))
  return (router) => {
    if (router.service.endsWith('@internal')) return false
    const first = router.entrypoints.flatMap((name) => before.get(name) ?? [])
    const links = linksOf({ kind: router.kind, middlewares: [...first, ...router.middlewares] }, known)
    return !links.some((link) => protects(link) || link.type === 'redirectScheme')
  }
}

/** Of the domains that any of them may touch: there may be tens of thousands. */
function* ownRouters(objects: RouteObjects, rivals: Rivals): Generator<OwnRouter> {
  for (const [item, object] of objects) {
    const { domain } = object
    if (domain === null || !/^(?:http|tcp)\.routers\./.test(item) || !rivals.touches(domain)) continue
    for (const { router, addresses: _, ...route } of routesIn(new Map([[item, object]]))) {
      const [name, middlewares] = [inFileProvider(router), route.middlewares.map(inFileProvider)]
      yield {
        domain,
        router: { ...route, name, middlewares, provider: 'file', status: 'enabled', errors: [] },
      }
    }
  }
}

/** Where the proxy puts a router of a file, and where it has TLS. */
function placing({
  entrypoints,
  own_entrypoints,
  https_entrypoint,
}: FolderFacts): (router: ProxyRouter) => ProxyRouter {
  const defaults = entrypoints === null ? own_entrypoints : defaultsOf(entrypoints)
  const secure =
    entrypoints === null ? [https_entrypoint] : named(entrypoints, ({ tls }) => tls !== undefined)
  // Nobody comes to a router there: the entry point itself has sent them on.
  const sent_away = entrypoints === null ? [] : named(entrypoints, ({ redirects }) => redirects === true)
  return (router) => {
    const stands = router.entrypoints.length > 0 ? router.entrypoints : defaults
    const on = router.kind === 'tcp' ? stands : stands.filter((name) => !sent_away.includes(name))
    if (router.tls || router.kind === 'tcp') return { ...router, entrypoints: on }
    const plain_on = on.filter((name) => !secure.includes(name))
    const tls = plain_on.length < on.length
    return { ...router, entrypoints: on, tls, ...(tls && plain_on.length > 0 && { plain_on }) }
  }
}

function defaultsOf(entrypoints: readonly ProxyEntrypoint[]): readonly string[] {
  const chosen = named(entrypoints, ({ as_default }) => as_default === true)
  return chosen.length > 0 ? chosen : named(entrypoints, ({ name }) => name !== INTERNAL)
}

/** For the proxy's own API: no router is there unless it says so. */
const INTERNAL = 'traefik'

const named = (all: readonly ProxyEntrypoint[], is: (one: ProxyEntrypoint) => boolean): readonly string[] =>
  all.filter(is).map(({ name }) => name)
