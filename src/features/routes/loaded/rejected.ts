/**
 * Loaded is not served: domains whose objects in the proxy are in error. A router that is disabled answers nothing, whatever
 * the file says; so does one whose middleware or service cannot be built (Traefik's API: `status` and `error`).
 */
import type { RejectedRoute } from '../../../core/answers.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { ProxyFault, ProxySnapshot } from '../traefik/port.ts'
import type { Deps } from '../deps.ts'
import { named } from '../../../core/check.ts'
import { wordsOf } from './watch.ts'
import { OUR_NAMES } from '../render/names.ts'

const WITHIN_MS = 8000

type RejectedDeps = Pick<Deps, 'proxy' | 'store'>

/** Asks the proxy now. Text: why it is not known. */
export async function askRejected(
  deps: RejectedDeps,
  signal: AbortSignal,
): Promise<readonly RejectedRoute[] | string> {
  const { watch } = deps.proxy
  if (watch === null) return 'PLUMBLINE_TRAEFIK_API is not set.'
  try {
    const bounded = AbortSignal.any([signal, watch.closing, AbortSignal.timeout(WITHIN_MS)])
    return await rejectedAmong(deps, await watch.api.faultsNamed(OUR_NAMES, bounded))
  } catch (error) {
    return error instanceof Failure && error.code === 'shutting_down'
      ? error.message
      : wordsOf(error, watch.api.origin)
  }
}

/** The same out of a look at everything. */
export const rejectedIn = (deps: RejectedDeps, snapshot: ProxySnapshot): Promise<readonly RejectedRoute[]> =>
  rejectedAmong(deps, faultsIn(snapshot))

/** Of released domains alone: what others put into the proxy is their concern. */
async function rejectedAmong(
  { proxy, store }: RejectedDeps,
  faults: readonly ProxyFault[],
): Promise<readonly RejectedRoute[]> {
  if (faults.length === 0) return []
  const { rows } = await store.intent('released')
  const ids = new Map(rows.filter(({ live }) => live).map((row) => [row.fields.domain, row.domain_id]))
  return attributed(faults, (name) => proxy.domainOfShown(name)).flatMap(({ domain, item, detail }) => {
    const domain_id = ids.get(domain)
    return domain_id === undefined ? [] : [{ domain_id, domain, item, detail }]
  })
}

/**
 * Pure: each fault with the domains that it hits. Where a router says what is wrong, its middlewares and services are not
 * named beside it: it says the same.
 */
export function attributed(
  faults: readonly ProxyFault[],
  domainOf: (name: string) => string | null,
): readonly Omit<RejectedRoute, 'domain_id'>[] {
  const found = faults.filter(({ name }) => isFromFile(name) && name.includes(OUR_NAMES))
  const hit = found.flatMap((fault) =>
    domainsOf(fault, domainOf).map((domain) => ({
      part: fault.part,
      domain,
      item: fault.name,
      detail: detailOf(fault),
    })),
  )
  const reported = new Set(hit.filter(({ part }) => part === 'router').map(({ domain }) => domain))
  return hit
    .filter(({ part, domain }) => part === 'router' || !reported.has(domain))
    .map(({ domain, item, detail }) => ({ domain, item, detail }))
}

/** A label on somebody's container can be called anything. */
export const isFromFile = (name: string): boolean => /@(?:file|http)$/.test(name)

function domainsOf(
  { name, used_by }: ProxyFault,
  domainOf: (name: string) => string | null,
): readonly string[] {
  const names = [name, ...used_by.filter(isFromFile)]
  return [...new Set(names.map(domainOf).filter((domain) => domain !== null))]
}

const detailOf = ({ name, status, errors }: ProxyFault): string =>
  `${name} is ${status}: ${errors.join('; ') || 'the proxy does not say why'}`

/** Pure. */
export function faultsIn({ routers, services, middlewares }: ProxySnapshot): readonly ProxyFault[] {
  const usersOf = (isUsed: (router: ProxySnapshot['routers'][number]) => boolean): readonly string[] =>
    routers.filter(isUsed).map(({ name }) => name)
  return [
    ...routers.filter(isFaulty).map((one) => faultOf('router', one, [one.name])),
    ...services.filter(isFaulty).map((one) => {
      const users = usersOf((router) => router.kind === one.kind && router.service === one.name)
      return faultOf('service', one, users)
    }),
    ...middlewares.filter(isFaulty).map((one) => {
      const users = usersOf((router) => router.middlewares.includes(one.name))
      return faultOf('middleware', one, users)
    }),
  ]
}

const faultOf = (
  part: ProxyFault['part'],
  { name, status, errors }: Pick<ProxyFault, 'name' | 'status' | 'errors'>,
  used_by: readonly string[],
): ProxyFault => ({ part, name, status, errors, used_by })

/** Also of a status that is not known to us, which is read as a warning. */
export const isFaulty = ({ status, errors }: Pick<ProxyFault, 'status' | 'errors'>): boolean =>
  status !== 'enabled' || errors.length > 0

/** For an answer and for the record: which domain is not served, and why. */
export const notServed = (domain: string, objects: readonly Pick<RejectedRoute, 'detail'>[]): string =>
  `The proxy does not serve ${domain}: ${named(objects.map(({ detail }) => detail))}.`
