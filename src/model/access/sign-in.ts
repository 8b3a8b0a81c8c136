/**
 * Where nobody can sign in, although the rules would let people in. Pure.
 *
 *   the sign-in page itself asks to sign in          a loop that shuts everybody out, of every domain
 *   a domain outside the cookie domains              the provider answers 400 to everybody
 *   two factors are asked for and there is no second nobody gets past the first
 *   the check asks at an address that there is not    the provider answers 404 to everybody
 */
import type { Intent } from '../intent.ts'
import { isProtected } from './applies.ts'
import type { SiteRules } from './compare.ts'
import { ANYBODY, decide } from './decide.ts'
import { sampleHost } from './hosts.ts'

export const SHUT_OUT_CAUSES = [
  'portal_protected',
  'outside_cookie_domains',
  'no_second_factor',
  'no_endpoint',
] as const
export type ShutOutCause = (typeof SHUT_OUT_CAUSES)[number]

export interface ShutOut {
  /** The record that is concerned. */
  readonly domain: string
  readonly cause: ShutOutCause
  /** A sentence. */
  readonly detail: string
  readonly cure: string
  /** True where it depends on a router elsewhere that nothing here knows of. */
  readonly is_likely: boolean
}

export interface SignInFacts {
  readonly portals: readonly string[]
  readonly cookie_domains: readonly string[] | null
  readonly has_second_factor: boolean | null
  readonly no_endpoint: string | null
}

/** @param sites what the rules are to be; empty where they are not managed */
export function shutOuts(
  intent: Intent,
  sites: readonly SiteRules[],
  facts: SignInFacts,
): readonly ShutOut[] {
  const live = intent.rows.filter(({ live: is_live, fields }) => is_live && fields.service_type !== 'manual')
  const locked = live.filter(({ fields }) => isProtected(fields)).map(({ fields }) => fields.domain)
  const known = new Set(live.map(({ fields }) => fields.domain))
  return [
    ...facts.portals.flatMap((portal) => portalLocks(portal, new Set(locked), known)),
    ...outside(locked, facts.cookie_domains),
    ...(facts.has_second_factor === false ? withoutSecond(sites) : []),
    ...(facts.no_endpoint === null ? [] : unanswered(locked, facts.no_endpoint)),
  ]
}

/** Its own record decides; without one, a protected name with a star takes it, as nearly every other router ranks lower. */
function portalLocks(portal: string, locked: ReadonlySet<string>, known: ReadonlySet<string>): ShutOut[] {
  const common = { cause: 'portal_protected' as const, is_likely: false }
  if (locked.has(portal))
    return [
      {
        ...common,
        domain: portal,
        detail: `${portal} is the sign-in page and asks to sign in itself: a loop, and nobody can sign in anywhere.`,
        cure: 'Set its auth_required to false.',
      },
    ]
  const star = `*${portal.slice(portal.indexOf('.'))}`
  if (known.has(portal) || !locked.has(star)) return []
  return [
    {
      ...common,
      is_likely: true,
      domain: star,
      detail: `${star} stands for ${portal} as well, the sign-in page, which then asks to sign in itself: a loop, and nobody can sign in anywhere.`,
      cure: `Add a record for ${portal} with auth_required false, or give its router elsewhere a priority above ${STAR_PRIORITY}.`,
    },
  ]
}

/** Of our routers for names with a star. Others that say none have the length of their rule. */
export const STAR_PRIORITY = 500

const outside = (locked: readonly string[], cookie_domains: readonly string[] | null): ShutOut[] =>
  cookie_domains === null
    ? []
    : locked
        .filter((domain) => !isBelow(sampleHost(domain), cookie_domains))
        .map((domain) => ({
          domain,
          cause: 'outside_cookie_domains',
          is_likely: false,
          detail: `${domain} is below none of the SSO provider's cookie domains (${cookie_domains.join(', ')}), so it answers 400 there and nobody gets in.`,
          cure: 'Add a session.cookies entry for its domain to the SSO provider, or set auth_required to false.',
        }))

const isBelow = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))

const withoutSecond = (sites: readonly SiteRules[]): ShutOut[] =>
  sites
    .filter(
      ({ domain, rules }) =>
        decide({ default_policy: 'deny', rules }, sampleHost(domain), ANYBODY).policy === 'two_factor',
    )
    .map(({ domain }) => ({
      domain,
      cause: 'no_second_factor',
      is_likely: false,
      detail: `${domain} asks for two factors, and the SSO provider has every second factor switched off.`,
      cure: 'Switch on totp or webauthn there, or give the domain the policy one_factor.',
    }))

const unanswered = (locked: readonly string[], why: string): ShutOut[] =>
  locked.map((domain) => ({
    domain,
    cause: 'no_endpoint',
    is_likely: false,
    detail: `Nobody gets into ${domain}: ${why}`,
    cure: 'Run Authelia 4.38 or newer, or correct PLUMBLINE_SSO_URL.',
  }))
