/**
 * Routers of others that the proxy would ask only after ours, once a change has put ours there. Pure but for the turns that
 * it takes.
 *
 * Our routers have explicit priorities, and the proxy's default is the length of a rule: a narrower router of another provider
 * (`/admin` behind a password, in a container's labels) loses its requests to the site of the same host.
 */
import { turnsByTime } from '../../../../kernel/async/others-turn.ts'
import { visible } from '../../../../kernel/text/visible.ts'
import type { ProxyMiddleware, ProxyRouter, ProxySnapshot } from '../../traefik/port.ts'
import type { ReplacedRouter } from '../../../../model/replaced-router.ts'
import type { Door } from '../../render/doors.ts'
import type { RoutingService } from '../service.ts'
import { type OutrankedRouter, Rivals } from '../shadow/rivals.ts'
import { workOfLook } from '../shadow/work.ts'
import { type Link, linksOf, protects } from './protection.ts'

/** A place where a row would take more, or lets more through, than what is released there under its name. */
export interface NewDoor {
  readonly domain: string
  readonly door: Door
  /** Whoever comes is asked by our own sign-in. */
  readonly signs_in: boolean
  /** What is released there; null where nothing is. */
  readonly before: DoorBefore | null
}

interface DoorBefore {
  readonly door: Door
  /** What stood in front of it, and would not any more: `its sign-in`. */
  readonly loses: readonly string[]
}

export interface Outranked {
  readonly text: string
  readonly is_protected: boolean
}

interface Looked {
  readonly service: Pick<RoutingService, 'domainOfShown' | 'isOurSignIn'>
  readonly replaced: readonly ReplacedRouter[]
}

export async function outrankedBy(
  doors: readonly NewDoor[],
  snapshot: ProxySnapshot,
  { service, replaced }: Looked,
): Promise<readonly Outranked[]> {
  const isOurs = ({ name, provider }: ProxyRouter): boolean =>
    (provider === 'file' || provider === 'http') && service.domainOfShown(name) !== null
  const stands = new Map(replaced.map((router) => [router.router, router]))
  const rivals = await Rivals.among(
    snapshot,
    (router) => isOurs(router) || isReplaced(router, stands.get(router.name)),
  )
  const middlewares = new Map(snapshot.middlewares.map((one) => [one.name, one]))
  const found: Outranked[] = []
  const [turn, look] = [turnsByTime(), workOfLook()]
  for (const at of doors) {
    await turn()
    const taken = at.before === null ? [] : rivals.outranked(at.before.door, at.domain, look)
    const had = new Set(taken.map(({ router }) => router))
    for (const rival of rivals.outranked(at.door, at.domain, look)) {
      const loses = had.has(rival.router) ? at.before!.loses : null
      found.push(...described(at, rival, { middlewares, isOurSignIn: service.isOurSignIn, loses }))
    }
  }
  return found
}

/** What the proxy runs under the name is what the records were made of, and nothing else. */
const isReplaced = ({ rule, middlewares }: ProxyRouter, known: ReplacedRouter | undefined): boolean =>
  known !== undefined && known.rule === rule && known.middlewares.join('\n') === middlewares.join('\n')

interface Known {
  readonly middlewares: ReadonlyMap<string, ProxyMiddleware>
  readonly isOurSignIn: (address: string) => boolean
  /** Of what is released and has the router's requests already; null where the router has them now. */
  readonly loses: readonly string[] | null
}

/** Whoever hands on all the rest, as while a proxy is moved, checks nobody at a name of its own. */
const ANY_NAME = /^HostSNI(?:Regexp)?\([`"](?:\*|\^?\.[*+]\$?)[`"]\)$/

function described(
  { domain, door, signs_in }: NewDoor,
  { router, entrypoint, reach, priority }: OutrankedRouter,
  { middlewares, isOurSignIn, loses }: Known,
): readonly Outranked[] {
  if (loses?.length === 0) return []
  const links = linksOf(router, middlewares)
  // Who gets in is decided by the host and the path there, whichever router asks.
  const isKept = ({ address }: Link): boolean => signs_in && address !== null && isOurSignIn(address)
  const locks = links.filter((link) => protects(link) && !isKept(link)).map(worded)
  if (router.tls_options !== undefined && door.tls) locks.push(`its TLS options ${shown(router.tls_options)}`)
  if (router.passes_tls && !ANY_NAME.test(router.rule)) locks.push('the TLS of its backend (passthrough)')
  // A redirect to https loses nothing to the site or to our own.
  if (locks.length === 0 && links.some(({ type }) => type === 'redirectScheme')) return []
  const others = links.map(worded)
  const who = `${shown(router.name)} (${shown(router.rule)}, priority ${priority}${others.length === 0 ? '' : `, ${others.slice(0, MAX_LINKS).join(', ')}`})`
  const at = `On ${entrypoint}, ${domain} (priority ${door.priority})`
  if (loses !== null) {
    if (locks.length === 0) return []
    const takes = reach === 'unjudged' ? 'may have requests' : 'has requests'
    return [
      {
        text: `${at} would lose ${loses.join(', ')}. It ${takes} of ${who}, and ${locks.join(', ')} would not be asked.`,
        is_protected: true,
      },
    ]
  }
  const takes = reach === 'unjudged' ? 'might take requests' : 'would take requests'
  const asked = `${at} ${takes} that ${who} has now`
  return locks.length === 0
    ? [{ text: `${asked}.`, is_protected: false }]
    : [{ text: `${asked}, and ${locks.join(', ')} would not be asked.`, is_protected: true }]
}

const MAX_LINKS = 10
const worded = ({ name, type }: Link): string =>
  `${shown(name)} (${type === null ? 'cannot be seen' : shown(type)})`

/** What strangers wrote ends up on terminals. */
const shown = (text: string): string => visible(text.slice(0, MAX_SHOWN))
const MAX_SHOWN = 300
