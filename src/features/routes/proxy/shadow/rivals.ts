/**
 * Routers of others that the proxy asks before one of ours, by rule, entrypoint and priority. Pure.
 *
 *   takes_all       every request of the host goes there, so ours is never asked
 *   ties            the same with the same priority: which of the two answers is not certain
 *   takes_some      it is asked first and takes a part
 *   not_judged      it is asked first, and what it takes cannot be told here
 *   redirects_too   it takes all, and redirects to the same scheme and port as ours does
 *
 * Left out are routers that are asked after ours, have no request of the host, or are not mounted, and the proxy's own but for
 * the redirect of an entry point, which matches every host: it takes all from a router that serves, and stands in the way of
 * none that redirects itself.
 *
 * Between HTTP and TCP routers of an entry point priorities decide nothing. Without TLS, TCP is asked first. Over TLS (Traefik's
 * `Router.ServeTCP`), for the name that the connection asks for:
 *
 *   1  HTTP, where `Host()` of any router names it: the whole connection, whatever else the rule says
 *   2  TCP, passed through or not
 *   3  HTTP, where a router names no host
 *   4  TCP by `HostSNI(*)` alone
 */
import type { ProxyMiddleware, ProxyRouter, ProxySnapshot } from '../../traefik/port.ts'
import type { Door } from '../../render/doors.ts'
import { turnsByTime } from '../../../../kernel/async/others-turn.ts'
import { fits } from '../version-fits.ts'
import { type EvaluatedRule, evaluateRule, type Stars } from './reach.ts'
import type { Reach } from './host-pattern.ts'
import { inOneTurn, type Work } from './work.ts'
import type { STANCES } from '../../rival-schema.ts'
export type Stance = (typeof STANCES)[number]

export interface RivalRouter {
  readonly router: ProxyRouter
  readonly stance: Stance
  /** That they share. */
  readonly entrypoints: readonly string[]
  /** In effect. */
  readonly priority: number
}

export interface OwnRouter {
  readonly router: ProxyRouter
  /** As records name it. */
  readonly domain: string
}

/** One that is asked only where ours is not: what ours takes, it loses. */
export interface OutrankedRouter {
  readonly router: ProxyRouter
  readonly entrypoint: string
  /** How much of our host it has, as far as that can be told. */
  readonly reach: Exclude<Reach, 'none'>
  readonly priority: number
}

interface EvaluatedRouter {
  readonly router: ProxyRouter
  readonly priority: number
  readonly rule: EvaluatedRule
}

/** Of two with one name the proxy takes the first. */
export const byName = (all: readonly ProxyMiddleware[]): ReadonlyMap<string, ProxyMiddleware> =>
  new Map(all.toReversed().map((one) => [one.name, one]))

export class Rivals {
  readonly #by_name = new Map<string, EvaluatedRouter[]>()
  /** Those that may touch any host. */
  readonly #anywhere: EvaluatedRouter[] = []
  readonly #all: EvaluatedRouter[] = []
  readonly #middlewares: ReadonlyMap<string, ProxyMiddleware>
  readonly #stars: Stars

  /** @param isOwn whether a router is one of ours */
  constructor(
    snapshot: Pick<ProxySnapshot, 'version' | 'routers' | 'middlewares'>,
    isOwn: (router: ProxyRouter) => boolean,
  ) {
    this.#stars = starsOf(snapshot.version)
    this.#middlewares = byName(snapshot.middlewares)
    for (const router of snapshot.routers) this.#addOther(router, isOwn)
  }

  /** Of many routers, in as many turns of the event loop as it takes to read their rules. */
  static async among(
    snapshot: Pick<ProxySnapshot, 'version' | 'routers' | 'middlewares'>,
    isOwn: (router: ProxyRouter) => boolean,
  ): Promise<Rivals> {
    const rivals = new Rivals({ ...snapshot, routers: [] }, isOwn)
    const turn = turnsByTime()
    for (const router of snapshot.routers) {
      await turn()
      rivals.#addOther(router, isOwn)
    }
    return rivals
  }

  /**
   * In the order in which the proxy asks them.
   * @param look what the patterns of others may take still, of all our routers together
   */
  of(own: OwnRouter, look: Work): readonly RivalRouter[] {
    const candidates = this.#around(own.domain)
    return inOneTurn(look, (work) =>
      candidates.flatMap((evaluated) => this.#rival(own, evaluated, work) ?? []).sort(asAsked),
    )
  }

  /** Those that a router of ours at this door is asked before, in the order in which the proxy asks them. */
  outranked(door: Door, domain: string, look: Work): readonly OutrankedRouter[] {
    const candidates = door.any_name ? this.#all : this.#around(domain)
    return inOneTurn(look, (work) => {
      const reachOver = ({ rule }: EvaluatedRouter): Reach => rule.reachOver(domain, work)
      return candidates
        .flatMap((evaluated) => outrankedBy({ door, domain, reachOver }, evaluated) ?? [])
        .sort(asAsked)
    })
  }

  /** Whether any of them may have a request of it, wherever it stands. */
  touches(domain: string): boolean {
    return this.#around(domain).length > 0
  }

  #around(domain: string): readonly EvaluatedRouter[] {
    const found = new Set([...this.#anywhere, ...namesAround(domain).flatMap((name) => this.#named(name))])
    if (domain.startsWith('*.'))
      for (const [name, all] of this.#by_name)
        if (name.endsWith(domain.slice(1))) for (const one of all) found.add(one)
    return [...found]
  }

  #named(name: string): readonly EvaluatedRouter[] {
    return this.#by_name.get(name) ?? []
  }

  #addOther(router: ProxyRouter, isOwn: (router: ProxyRouter) => boolean): void {
    if (router.status === 'disabled' || isOwn(router)) return
    if (router.provider !== 'internal' || this.#isRedirect(router)) this.#add(router)
  }

  #add(router: ProxyRouter): void {
    const rule = evaluateRule(router.kind, router.rule, this.#stars)
    const evaluated: EvaluatedRouter = { router, priority: priorityOf(router), rule }
    this.#all.push(evaluated)
    if (rule.names === null) this.#anywhere.push(evaluated)
    else
      for (const name of new Set(rule.names))
        this.#by_name.set(name, [...(this.#by_name.get(name) ?? []), evaluated])
  }

  #rival({ router: own, domain }: OwnRouter, evaluated: EvaluatedRouter, work: Work): RivalRouter | null {
    const { router, priority, rule } = evaluated
    if (router.provider === 'internal' && own.service.endsWith('@internal')) return null
    const is_of_kind = own.kind === router.kind
    if (is_of_kind && priority < priorityOf(own)) return null
    const entrypoints = sharedDoors(own, router)
    if (entrypoints.length === 0) return null
    const reach = is_of_kind
      ? rule.reachOver(domain, work)
      : this.#reachBefore({ router: own, domain }, evaluated, work)
    const has_tie = is_of_kind && priority === priorityOf(own)
    const stance = this.#redirectsToo(own, router, reach) ? 'redirects_too' : stanceOf(reach, has_tie)
    return stance === null ? null : { router, stance, entrypoints, priority }
  }

  /** What a router of the other kind takes before ours is asked. */
  #reachBefore({ router: own, domain }: OwnRouter, { router, rule }: EvaluatedRouter, work: Work): Reach {
    if (own.kind === 'tcp') return own.tls ? rule.namedOver(domain) : 'none'
    if (!router.tls) return rule.reachOver(domain, work)
    if (isCatchAll(router)) return 'none'
    const named = evaluateRule('http', own.rule, this.#stars).namedOver(domain)
    return without(named, rule.reachOver(domain, work))
  }

  #isRedirect({ kind, middlewares }: ProxyRouter): boolean {
    return kind === 'http' && this.#redirects(middlewares).some((target) => target !== null)
  }

  #redirectsToo(own: ProxyRouter, { middlewares }: ProxyRouter, reach: Reach): boolean {
    if (reach !== 'all' || !own.service.endsWith('@internal')) return false
    const ours = this.#redirects(own.middlewares)
    const theirs = this.#redirects(middlewares)
    return theirs.length > 0 && theirs.every((target) => target !== null && ours.includes(target))
  }

  /** Where each of them that redirects leads; null where that cannot be told. */
  #redirects(names: readonly string[]): readonly (string | null)[] {
    return names.flatMap((name) => {
      const middleware = this.#middlewares.get(name)
      if (middleware?.type === 'redirectRegex') return [null]
      return middleware?.type === 'redirectScheme' ? [redirectTarget(middleware)] : []
    })
  }
}

interface OwnDoor {
  readonly door: Door
  readonly domain: string
  readonly reachOver: (evaluated: EvaluatedRouter) => Reach
}

function outrankedBy(own: OwnDoor, evaluated: EvaluatedRouter): OutrankedRouter | null {
  const { router, priority } = evaluated
  const { door, reachOver } = own
  const { entrypoint } = door
  if (!router.entrypoints.includes(entrypoint) || hasTlsOn(router, entrypoint) !== door.tls) return null
  if (router.provider === 'internal') return null
  const is_of_kind = door.kind === router.kind
  // Where two routers of a host disagree about TLS options, the proxy takes the default ones for both.
  const loses_options = door.tls && router.tls_options !== undefined
  if (is_of_kind && priority > door.priority && !loses_options) return null
  const reach = door.any_name ? 'all' : is_of_kind ? reachOver(evaluated) : reachBehind(own, evaluated)
  return reach === 'none' ? null : { router, entrypoint, reach, priority }
}

/** What a router of the other kind has of the domain, and is asked for only after one of ours at this door. */
function reachBehind({ door, domain, reachOver }: OwnDoor, evaluated: EvaluatedRouter): Reach {
  if (!door.tls) return 'none'
  if (door.kind === 'tcp') return without(evaluated.rule.namedOver(domain), reachOver(evaluated))
  return door.names_host || isCatchAll(evaluated.router) ? reachOver(evaluated) : 'none'
}

/** What is left of a reach where HTTP takes what it names first. */
function without(named: Reach, reach: Reach): Reach {
  if (named === 'none' || reach === 'none') return reach
  if (named === 'some') return reach === 'all' ? 'some' : reach === 'some' ? 'none' : reach
  return named === 'all' ? 'none' : 'unjudged'
}

interface Ranked {
  readonly router: ProxyRouter
  readonly priority: number
}
const asAsked = (a: Ranked, b: Ranked): number =>
  b.priority - a.priority || (a.router.name < b.router.name ? -1 : 1)

function redirectTarget({ config }: ProxyMiddleware): string | null {
  const { scheme, port } = config ?? {}
  if (typeof scheme !== 'string') return null
  const usual = { http: '80', https: '443' }[scheme] ?? ''
  return `${scheme}:${typeof port === 'string' && port !== '' ? port : usual}`
}

function stanceOf(reach: Reach, has_tie: boolean): Stance | null {
  switch (reach) {
    case 'none':
      return null
    case 'all':
      return has_tie ? 'ties' : 'takes_all'
    case 'some':
      return 'takes_some'
    case 'unjudged':
      return 'not_judged'
  }
}

/** The name itself and the star above it. */
const namesAround = (domain: string): readonly string[] => [
  domain,
  `*.${domain.slice(domain.indexOf('.') + 1)}`,
]

/** Entrypoints on which both are asked: the proxy keeps routers with TLS and without apart. */
const sharedDoors = (own: ProxyRouter, other: ProxyRouter): readonly string[] =>
  own.entrypoints.filter(
    (name) => other.entrypoints.includes(name) && hasTlsOn(own, name) === hasTlsOn(other, name),
  )

const hasTlsOn = ({ tls, plain_on }: ProxyRouter, entrypoint: string): boolean =>
  tls && plain_on?.includes(entrypoint) !== true

/** Without one of its own a router is as important as its rule is long, in bytes. */
export const priorityOf = ({ kind, rule, priority }: ProxyRouter): number =>
  priority ?? (isCatchAll({ kind, rule }) ? -1 : Buffer.byteLength(rule))

const isCatchAll = ({ kind, rule }: Pick<ProxyRouter, 'kind' | 'rule'>): boolean =>
  kind === 'tcp' && ANY_NAME.test(rule)

const ANY_NAME = /^HostSNI\([`"]\*[`"]\)$/

export const starsOf = (version: string): Stars => ({
  one_label: fits(version, '3.7.0'),
  any_host: fits(version, '3.7.7'),
})
