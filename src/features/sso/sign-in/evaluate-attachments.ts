/** The check in front of the routes beside the flags, as the routes file has it and as the proxy runs it. Pure. */
import type { ProxySnapshot } from '../../routes/traefik/port.ts'
import type { ExplainedDifference } from '../../../model/drift.ts'
import { turnsByTime } from '../../../kernel/async/others-turn.ts'
import { inOneTurn, type Work, workOfLook } from '../../routes/proxy/shadow/work.ts'
import type { EvaluatedRule } from '../../routes/proxy/shadow/reach.ts'
import { cureFor } from './evaluate-rules.ts'
import { keptCause } from '../provider/kept-cause.ts'
import type { SsoFindings, SsoCause, SsoUnknown } from '../report.ts'
import { type RoutersAsked, type RuntimeRouter, runtimeRouters } from './runtime-attachments.ts'

/** A live HTTP record: what is saved, and what is deployed of it. */
export interface Flag {
  readonly domain: string
  readonly auth_required: boolean
  /** Null where nothing is deployed. */
  readonly released: boolean | null
}

type Listed = SsoFindings['entries'][number]

/**
 * @param attached by domain, as the routes file says it; null where it cannot be read
 * @param differences of the routes file, as the engine tells them
 */
export function evaluateFile(
  flags: readonly Flag[],
  attached: ReadonlyMap<string, boolean> | null,
  differences: readonly ExplainedDifference[],
): SsoFindings {
  if (attached === null) return { entries: [], unknown: [NO_FILE] }
  return {
    entries: flags.flatMap((flag) => {
      const has = attached.get(flag.domain)
      if (has === undefined) return []
      const place = { at: 'The routes file', cause: keptCause(differences, flag.domain) ?? 'edited' } as const
      if (has !== flag.auth_required) return [listed(flag, place)]
      // It already shows what is saved; what is deployed is something else, and the next pass undoes it.
      const is_undone = flag.released !== null && has !== flag.released
      return is_undone ? [listed({ ...flag, auth_required: flag.released }, place)] : []
    }),
    unknown: [],
  }
}

const NO_FILE: SsoUnknown = {
  part: 'routes_file',
  domain: null,
  cause: 'unreadable',
  detail: 'The routes file cannot be read.',
  cure: 'See GET /api/domains/drift.',
}

/**
 * Pure but for the turns that it takes.
 * @param snapshot null where the proxy did not answer
 */
export async function evaluateProxy(
  flags: readonly Flag[],
  snapshot: ProxySnapshot | null,
  asked: RoutersAsked,
): Promise<SsoFindings> {
  if (snapshot === null) return { entries: [], unknown: [NO_ANSWER] }
  const routers = runtimeRouters(snapshot, asked)
  const by_host = Map.groupBy(
    routers.flatMap((router) => router.hosts.map((host) => ({ host, router }))),
    ({ host }) => host,
  )
  const [turn, look] = [turnsByTime(), workOfLook()]
  const isForAny = await takersOfAny(routers, look)
  const around = aroundChecks(routers, isForAny)
  const entries: Listed[] = []
  const unknown: SsoUnknown[] = hostless(routers, isForAny)
  for (const flag of flags) {
    await turn()
    const theirs = (by_host.get(flag.domain) ?? []).map(({ router }) => router)
    const wrong =
      theirs.find(({ is_protected }) => is_protected !== flag.auth_required) ??
      (flag.auth_required ? inOneTurn(look, (work) => around(flag.domain, theirs, work)) : undefined)
    if (wrong !== undefined) entries.push(listed(flag, inProxy(flag, wrong.name)))
    const doors = theirs.filter(({ is_protected }) => is_protected).flatMap((router) => router.forgeable_on)
    if (doors.length > 0) entries.push(forgeable(flag.domain, doors[0]!))
    if (theirs.length === 0 && flag.auth_required && flag.released !== null) unknown.push(notSeen(flag))
  }
  return { entries, unknown: look.fell_short ? [...unknown, NOT_COMPARED] : unknown }
}

/** No record has it. */
const FOREIGN_HOST = 'plumbline-any-host.invalid'

/** Tells of a router that asks nobody to sign in whether it takes every host. */
async function takersOfAny(
  routers: readonly RuntimeRouter[],
  look: Work,
): Promise<(router: RuntimeRouter) => boolean> {
  const found = new Set<RuntimeRouter>()
  const turn = turnsByTime()
  for (const router of routers) {
    await turn()
    if (router.is_protected) continue
    if (inOneTurn(look, (work) => isTaken(router.rule, FOREIGN_HOST, work))) found.add(router)
  }
  return (router) => found.has(router)
}

/**
 * Finds a router that asks nobody to sign in and is asked before ours for some of the host's requests, though it spells the
 * host in another way: with a pattern, a star, a final dot, escapes. One for every host is told of elsewhere.
 */
function aroundChecks(routers: readonly RuntimeRouter[], isForAny: (router: RuntimeRouter) => boolean) {
  const by_name = new Map<string, RuntimeRouter[]>()
  const anywhere: RuntimeRouter[] = []
  for (const router of routers) {
    if (router.is_protected) continue
    const { rule } = router
    if (rule.names === null && !isForAny(router)) anywhere.push(router)
    for (const name of rule.names ?? []) by_name.set(name, [...(by_name.get(name) ?? []), router])
  }
  return (domain: string, ours: readonly RuntimeRouter[], work: Work): RuntimeRouter | undefined => {
    // Beside a star narrower names are open by right.
    if (domain.startsWith('*.')) return undefined
    const star = `*${domain.slice(domain.indexOf('.'))}`
    const near = [...(by_name.get(domain) ?? []), ...(by_name.get(star) ?? []), ...anywhere]
    return near.find(
      (router) => ours.some((own) => isBefore(router, own)) && isTaken(router.rule, domain, work),
    )
  }
}

const isTaken = (rule: EvaluatedRule, host: string, work: Work): boolean =>
  ['all', 'some'].includes(rule.reachOver(host, work))

const isBefore = (other: RuntimeRouter, own: RuntimeRouter): boolean =>
  other.priority >= own.priority && other.entrypoints.some((name) => own.entrypoints.includes(name))

/**
 * The attack: `X-Forwarded-Host` and `X-Forwarded-Uri` of somebody outside name a host or path that is free, the check
 * lets that pass, and what is served is the protected one.
 */
const forgeable = (domain: string, entrypoint: string): Listed => ({
  list: 'weaker_policy',
  domain,
  cause: 'believes_everybody',
  detail: `The proxy's entrypoint ${entrypoint} believes the X-Forwarded-* headers of everybody, so whoever asks chooses for which host and path the SSO provider decides.`,
  cure: `Take forwardedHeaders.insecure off the entrypoint ${entrypoint}, and name only the proxies in front of it in forwardedHeaders.trustedIPs.`,
})

const NO_ANSWER: SsoUnknown = {
  part: 'proxy',
  domain: null,
  cause: 'unreadable',
  detail: 'The API of the proxy does not answer.',
  cure: 'See that the proxy runs and that PLUMBLINE_TRAEFIK_API leads to it.',
}

const NOT_COMPARED: SsoUnknown = {
  part: 'proxy',
  domain: null,
  cause: 'unreadable',
  detail:
    'The patterns of other routers (HostRegexp) take too much work: not all of them were held against the hosts that ask to sign in.',
  cure: 'Write shorter patterns in HostRegexp, and fewer of them.',
}

const notSeen = ({ domain }: Flag): SsoUnknown => ({
  part: 'proxy',
  domain,
  cause: 'not_seen',
  detail: 'The proxy runs no route for it.',
  cure: 'Look whether the proxy has loaded the routes file.',
})

/**
 * A router for any host may serve a protected one, should the route's own be missing. One that says so by a pattern is the
 * usual page for what nobody serves, unless it is asked before a check.
 */
const hostless = (
  routers: readonly RuntimeRouter[],
  isForAny: (router: RuntimeRouter) => boolean,
): SsoUnknown[] => {
  const ours = routers.filter(({ is_protected }) => is_protected)
  return routers
    .filter(({ is_protected }) => !is_protected)
    .filter(
      (router) =>
        router.hosts.length === 0 || (isForAny(router) && ours.some((own) => isBefore(router, own))),
    )
    .map(({ name }) => ({
      part: 'proxy',
      domain: null,
      cause: 'not_seen',
      detail: `The proxy's router ${name} is for any host and asks nobody to sign in.`,
      cure: 'Give it a host, or put the same SSO check in front of it.',
    }))
}

interface RouterPosition {
  readonly at: string
  readonly cause: SsoCause
}

const inProxy = ({ released, auth_required }: Flag, router: string): RouterPosition => ({
  at: `The proxy's router ${router}`,
  cause: released === auth_required ? 'proxy_differs' : 'pending_deploy',
})

const listed = (
  { domain, auth_required }: Pick<Flag, 'domain' | 'auth_required'>,
  { at, cause }: RouterPosition,
): Listed => ({
  list: auth_required ? 'missing_middleware' : 'extra_middleware',
  domain,
  ...cureFor(cause),
  ...(cause === 'proxy_differs' && {
    cure: 'Look for another definition of the route or of its middleware, and whether the proxy has loaded the routes file.',
  }),
  detail: auth_required
    ? `${at} does not ask the SSO provider before the route's backend.`
    : `${at} asks the SSO provider, though the record is open to everybody.`,
})
