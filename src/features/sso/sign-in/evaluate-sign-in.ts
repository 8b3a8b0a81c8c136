/** Where nobody can sign in, and what of the provider's own settings stands in the way of knowing. Pure. */
import { shutOuts, type ShutOut, type SignInFacts, STAR_PRIORITY } from '../../../model/access/sign-in.ts'
import type { SiteRules } from '../../../model/access/compare.ts'
import type { Intent } from '../../../model/intent.ts'
import type { ProxySnapshot } from '../../routes/traefik/port.ts'
import type { SignIn } from '../sign-in-port.ts'
import type { SsoFindings, SsoUnknown } from '../report.ts'
import { type RoutersAsked, runtimeRouters } from './runtime-attachments.ts'

export interface SignInSides {
  readonly working: Intent
  readonly sites: readonly SiteRules[]
  readonly sign_in: SignIn
  /** Null where the proxy cannot be asked. */
  readonly snapshot: ProxySnapshot | null
  readonly routers: RoutersAsked
}

export function evaluateSignIn(sides: SignInSides): SsoFindings {
  const { working, sites, sign_in } = sides
  const all = shutOuts(working, sites, sign_in)
  const likely = all.filter(({ is_likely }) => is_likely)
  const seen = likely.filter(() => hasWayRound(sides) === false)
  const indeterminate = hasWayRound(sides) === null ? likely : []
  return {
    entries: [...all.filter(({ is_likely }) => !is_likely), ...seen].map(listed),
    unknown: [
      ...indeterminate.map(unproven),
      ...elsewhere(sign_in),
      ...twice(sign_in),
      ...unreadable(sign_in),
    ],
  }
}

const listed = ({ domain, cause, detail, cure }: ShutOut): SsoFindings['entries'][number] => ({
  list: 'shut_out',
  domain,
  cause,
  detail,
  cure,
})

/** Whether the proxy has routers of somebody else's that take every sign-in page before ours; null: nobody knows. */
function hasWayRound({ snapshot, sign_in, routers }: SignInSides): boolean | null {
  if (snapshot === null) return null
  const free = runtimeRouters(snapshot, routers).filter(({ is_protected }) => !is_protected)
  const priorities = new Map(snapshot.routers.map(({ name, priority }) => [name, priority]))
  return sign_in.portals.every((portal) =>
    free.some(({ name, hosts }) => hosts.includes(portal) && (priorities.get(name) ?? 0) > STAR_PRIORITY),
  )
}

const unproven = ({ domain, detail, cure }: ShutOut): SsoUnknown => ({
  part: 'sign_in',
  domain,
  cause: 'not_seen',
  detail: `Unless a router elsewhere ranks higher: ${detail}`,
  cure,
})

/** Only invitations lead there, so that nobody is shut out by it. */
function elsewhere({ portals, cookie_domains }: SignInFacts): readonly SsoUnknown[] {
  if (cookie_domains === null) return []
  return portals
    .filter((portal) => !cookie_domains.some((domain) => portal === domain || portal.endsWith(`.${domain}`)))
    .map((portal) => ({
      part: 'sign_in',
      domain: portal,
      cause: 'not_seen',
      detail: `The sign-in page ${portal} is below none of the SSO provider's cookie domains (${cookie_domains.join(', ')}), so a session that begins there holds nowhere.`,
      cure: 'Correct PLUMBLINE_SSO_PORTAL_URL, or session.cookies of the SSO provider.',
    }))
}

/** Authelia takes lists of several files from the last one alone, and so may run either. */
const twice = ({ own_rules, place }: SignIn): readonly SsoUnknown[] =>
  own_rules === null
    ? []
    : [
        {
          part: 'sign_in',
          domain: null,
          cause: 'not_seen',
          detail: `${place} has an access_control section of its own (default_policy ${own_rules.default_policy ?? 'left out'}, ${own_rules.rules} rules). Ours says deny and ends with a refusal; of two files the last one in --config wins, key by key.`,
          cure: 'Take access_control out of it, so that there is one answer to who gets in.',
        },
      ]

const unreadable = ({ fault, place }: SignIn): readonly SsoUnknown[] =>
  fault === null
    ? []
    : [
        {
          part: 'sign_in',
          domain: null,
          cause: 'unreadable',
          detail: `${place} ${fault}, so it is not known for which domains the SSO provider keeps sessions.`,
          cure: 'Let Plumbline read it, or set PLUMBLINE_SSO_COOKIE_DOMAINS instead.',
        },
      ]
