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
import { hostsNamed } from './hosts-named.ts'
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

/** A file that nobody but the proxy can read. */
export interface UnreadFile {
  readonly file: string
  readonly text: string
  /** `holds a Go template ("{{")` */
  readonly why: string
}

export interface FolderRivals {
  readonly in_the_way: readonly ExplainedDifference[]
  /** Routers that are asked first, and of which nobody here can tell what they take: the beginning of a sentence. */
  readonly unevaluated: readonly string[]
  /**
   * What may have requests of a route that asks to sign in, and asks nobody: each with the first such host, as the beginning of
   * a sentence.
   */
  readonly perhaps_open: readonly string[]
}

export const NO_RIVALS: FolderRivals = { in_the_way: [], unevaluated: [], perhaps_open: [] }

export async function rivalsByFolder(
  files: readonly FolderFile[],
  facts: FolderFacts,
  unread: readonly UnreadFile[] = [],
): Promise<FolderRivals> {
  const named = await unreadThatName(unread, facts.objects)
  const file_of = routersIn(files, placing(facts))
  if (file_of.size === 0) return { ...NO_RIVALS, perhaps_open: named }
  const { version, objects } = facts
  const middlewares = [...files.flatMap(({ routes }) => routes.middlewares), ...facts.own_middlewares]
  const rivals = await Rivals.among({ version, routers: [...file_of.keys()], middlewares }, () => false)
  const evades = evader(facts, middlewares)
  const in_the_way: ExplainedDifference[] = []
  const unevaluated = new Map<ProxyRouter, string>()
  const perhaps_open = new Map<ProxyRouter, string>()
  const [turn, look] = [turnsByTime(), workOfLook()]
  for (const own of ownRouters(objects, rivals)) {
    await turn()
    for (const rival of rivals.of(own, look)) {
      const { router, stance } = rival
      const is_open = stance === 'takes_some' && evades(own, rival)
      const found = inFile(describedBy(own, rival, is_open), file_of.get(router)!)
      if (is_open || isShadow(found)) in_the_way.push(shadowed(found))
      else if (stance === 'not_judged') {
        if (!unevaluated.has(router)) unevaluated.set(router, unevaluatedWords(own, found))
        if (!perhaps_open.has(router) && evades(own, rival))
          perhaps_open.set(router, perhapsOpenWords(own, found))
      }
    }
  }
  return {
    in_the_way,
    unevaluated: [...unevaluated.values()],
    perhaps_open: [...named, ...perhaps_open.values()],
  }
}

/** Of those that name a host which asks to sign in. */
async function unreadThatName(
  unread: readonly UnreadFile[],
  objects: RouteObjects,
): Promise<readonly string[]> {
  const found: string[] = []
  const hosts = unread.length === 0 ? [] : signedIn(objects)
  const turn = turnsByTime()
  for (const { file, text, why } of unread) {
    await turn()
    const isNamed = hostsNamed(text)
    const host = hosts.find(isNamed)
    if (host !== undefined) found.push(visible(`${file} ${why} and names ${host} or names around it`))
  }
  return found
}

function signedIn(objects: RouteObjects): readonly string[] {
  const found = new Set<string>()
  for (const [item, { domain }] of objects)
    if (domain !== null && !found.has(domain) && item.startsWith('http.routers.')) {
      const routers = routesIn(new Map([[item, objects.get(item)!]]))
      if (routers.some(({ middlewares }) => middlewares.includes(SHARED.sso))) found.add(domain)
    }
  // A host itself says more than a star above it.
  return [...found].toSorted((a, b) => Number(a.startsWith('*')) - Number(b.startsWith('*')))
}

const unevaluatedWords = ({ router: own }: OwnRouter, { file, rule, router }: Rival): string =>
  visible(`${file} with ${router} (${shortened(rule)}), which is asked before ${own.name}`)

const MAX_SHOWN = 300
const shortened = (rule: string | null): string =>
  rule !== null && rule.length > MAX_SHOWN ? `${rule.slice(0, MAX_SHOWN)}…` : (rule ?? '')

const perhapsOpenWords = ({ domain }: OwnRouter, { file, rule, router }: Rival): string =>
  visible(`${file} has ${router} (${shortened(rule)}), which may take requests of ${domain}`)

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
 * Tells whether a router is before a route that asks to sign in, and asks nobody. Below a star a name of its own is open by
 * right.
 */
function evader(
  facts: FolderFacts,
  middlewares: readonly ProxyMiddleware[],
): (own: OwnRouter, rival: RivalRouter) => boolean {
  const isOpen = openness(facts, middlewares)
  const stars = starsOf(facts.version)
  const namesHost = ({ kind, rule }: ProxyRouter) => evaluateRule(kind, rule, stars).names !== null
  return (own, { router }) =>
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
