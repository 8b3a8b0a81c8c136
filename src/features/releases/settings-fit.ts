/** Settings that what is deployed cannot live with: each ends the start before anything is touched. */
import { Failure, fieldError } from '../../kernel/failure.ts'
import { type DomainFields, isPlainTcp } from '../../model/domain/record.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { Deps } from './deps.ts'
import { shadowedPairs } from '../../engine/editions/releasable.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

type EntrypointDeps = Pick<Deps, 'store' | 'proxy' | 'offer' | 'http_entrypoint' | 'https_entrypoint'>

const ENTRYPOINTS = 'PLUMBLINE_ENTRYPOINTS'
const VERSION = 'PLUMBLINE_TRAEFIK_VERSION'

/**
 * Entry points that PLUMBLINE_ENTRYPOINTS has for something else since the last release. What is deployed was judged by what they
 * were for: a TCP route that stood alone would then take every request before HTTP routes and their sign-in are looked at, or
 * lose its own to a star over HTTPS.
 * Throws `bad_configuration`.
 */
export async function assertEntrypointsFit(asked: EntrypointDeps): Promise<void> {
  const { rows } = await asked.store.intent('released')
  const live = rows.filter((row) => row.live)
  const fault = faultIn(live, asked)
  const unfit = fault === null ? await newShadow(live, asked) : { setting: ENTRYPOINTS, fault }
  if (unfit === null) return
  const { setting } = unfit
  const msg = `${unfit.fault} Start with the setting as it was, move or disable that route, and change the setting after that`
  throw new Failure('bad_configuration', `${setting}: ${msg}.`, {
    errors: [fieldError([setting], msg, 'config')],
  })
}

interface Unfit {
  readonly setting: string
  readonly fault: string
}

const isTcpOn = ({ protocol, service_type, tcp_entrypoint }: DomainFields, entrypoint: string): boolean =>
  protocol === 'tcp' && service_type !== 'manual' && tcp_entrypoint === entrypoint

function faultIn(
  live: readonly IntentRow[],
  { http_entrypoint, https_entrypoint }: EntrypointDeps,
): string | null {
  for (const { fields } of live) {
    if (isTcpOn(fields, http_entrypoint))
      return `${http_entrypoint} is for http now, and the TCP route ${fields.domain} stands there.`
    if (isTcpOn(fields, https_entrypoint) && isPlainTcp(fields))
      return `${https_entrypoint} is for https now, and the TCP route ${fields.domain} takes whatever comes there without TLS.`
  }
  return null
}

/** What was let through before there was a rule about it stands on that entry point already. */
async function newShadow(
  live: readonly IntentRow[],
  { proxy, offer, https_entrypoint }: EntrypointDeps,
): Promise<Unfit | null> {
  const pairs = shadowedPairs(live, offer)
  if (pairs.length === 0) return null
  const released = await proxy.released.newest()
  if (released === null) return null
  const objects = released.objects()
  /** Its rules on the entry point of HTTPS. */
  const rulesThere = (domain: string): readonly string[] =>
    proxy.routerNames(domain).flatMap((name) => {
      const { entryPoints: listed, rule } = objects.get(`http.routers.${name}`)?.value ?? {}
      const is_there = Array.isArray(listed) && (listed as readonly unknown[]).includes(https_entrypoint)
      return is_there && typeof rule === 'string' ? [rule] : []
    })
  for (const { star, row } of pairs) {
    const rules = rulesThere(star.fields.domain)
    if (rules.some((rule) => rule.startsWith('Host('))) continue
    const takes = `${star.fields.domain} there would take every TLS connection for the TCP route ${row.fields.domain}.`
    return rules.length === 0
      ? { setting: ENTRYPOINTS, fault: `${https_entrypoint} is for https now, and ${takes}` }
      : {
          setting: VERSION,
          fault: `From 3.7 on a star on ${https_entrypoint} is asked before TCP routes: ${takes}`,
        }
  }
  return null
}

const AUTHORITIES = 'PLUMBLINE_BACKEND_CA_DIR'
const MAX_NAMED = 8

/**
 * Authorities that PLUMBLINE_BACKEND_CA_DIR no longer has, and that deployed records trust: any other deploy would take the
 * way to their backends out of the routes file. Throws `bad_configuration`.
 */
export async function assertAuthoritiesThere({ store, offer }: Pick<Deps, 'store' | 'offer'>): Promise<void> {
  const { rows } = await store.intent('released')
  const lacking = new Map<string, string[]>()
  for (const { live, fields } of rows) {
    const name = fields.backend_tls?.ca_name
    if (!live || name === undefined || offer.backend_authorities.has(name)) continue
    lacking.set(name, [...(lacking.get(name) ?? []), fields.domain])
  }
  if (lacking.size === 0) return
  const faults = [...lacking].map(
    ([name, domains]) =>
      `has no ${name}.pem, which ${firstNames(domains, MAX_NAMED)} trust${domains.length === 1 ? 's' : ''}; ` +
      'put it back, start, and change these records before it goes',
  )
  throw new Failure('bad_configuration', faults.map((fault) => `${AUTHORITIES}: ${fault}.`).join('\n'), {
    errors: faults.map((fault) => fieldError([AUTHORITIES], fault, 'config')),
  })
}
