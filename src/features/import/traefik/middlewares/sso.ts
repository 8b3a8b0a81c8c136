/** Telling the SSO from other things that stand in front of a site. A wrong yes would claim a lock that was never there. */
import { type Parsed, refuse } from '../../../../model/text/result.ts'
import { IDENTITY_HEADERS } from '../../../../model/domain/identity-headers.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { type Effect, effect } from '../effect.ts'
import { named } from '../../../routes/grammar/named.ts'
import { type Fields, listOf, shape, textOf } from '../../../routes/grammar/tree.ts'

/** Taken for the SSO by its name alone. What authentik hands on besides cannot be seen, so its name is not enough. */
const USUAL_NAME = 'authelia'
/** Authelia's two endpoints, authentik's outpost, or a host of either name. */
const USUAL_ADDRESS =
  /^https?:\/\/(?:[^/]*\b(?:authelia|authentik)\b|[^/]+\/(?:api\/(?:verify|authz\/forward-auth)|outpost\.goauthentik\.io\/auth)(?:[/?]|$))/i

const THEIRS = IDENTITY_HEADERS.join(', ')

const isSsoName = (name: string, { sso_names }: ImportContext): boolean =>
  name.toLowerCase() === USUAL_NAME || sso_names.includes(name)

/** @returns the sign-in that a middleware outside the files stands for, or null where its name says none. */
export function ssoByName(
  { name, provider }: { readonly name: string; readonly provider: string | null },
  context: ImportContext,
): Effect | null {
  if (!isSsoName(name, context)) return null
  const full = named(provider === null ? name : `${name}@${provider}`)
  const known = effect({
    auth: true,
    notes: [
      `${full}, which is not in these files, is taken by its name for this installation's SSO; headers that it hands on besides ${THEIRS} could now come from the client`,
    ],
  })
  return known.ok ? known.value : null
}

const FORWARD_AUTH = [
  'address',
  'trustForwardHeader',
  'authResponseHeaders',
  'authResponseHeadersRegex',
  'authRequestHeaders',
  'addAuthCookiesToResponse',
  'headerField',
  'forwardBody',
  'maxBodySize',
  'maxResponseBodySize',
  'preserveLocationHeader',
  'preserveRequestMethod',
  'authSigninURL',
  'tls',
] as const
type ForwardAuth = Fields<(typeof FORWARD_AUTH)[number]>

export function forwardAuthEffect(name: string, config: unknown, context: ImportContext): Parsed<Effect> {
  const what = `uses the forwardAuth ${named(name)}`
  const read = shape(config, FORWARD_AUTH)
  if (!read.ok) return refuse('middleware', `${what}, which ${read.reason}`)
  const address = textOf(read.fields.address)
  if (address === null) return refuse('middleware', `${what}, which has no address`)
  const ours = context.sso_addresses.includes(address)
  if (!ours && !USUAL_ADDRESS.test(address) && !isSsoName(name, context))
    return refuse('middleware', `asks ${named(address)} for permission, which is not known to be the SSO`)
  const foreign = foreignIdentity(read.fields)
  if (foreign !== null)
    return refuse(
      'middleware',
      `${what}, which hands on ${foreign} from its sign-in; a record takes only ${THEIRS} from the client, who could then send the rest`,
    )
  return effect({
    auth: true,
    notes: [
      ours
        ? `the sign-in at ${named(address)} is this installation's SSO`
        : `the sign-in at ${named(address)} is taken for this installation's SSO, which alone then says who gets in`,
      ...identityNotes(read.fields),
    ],
  })
}

const KNOWN = new Set(IDENTITY_HEADERS.map((name) => name.toLowerCase()))

/**
 * Headers by which the backend knows who signed in, and which no record takes away from the client: Traefik removes them
 * only where the sign-in lists them.
 */
function foreignIdentity(fields: ForwardAuth): string | null {
  const { authResponseHeaders: listed, authResponseHeadersRegex: pattern } = fields
  if (pattern !== undefined && textOf(pattern) !== '')
    return `headers by the pattern ${named(textOf(pattern) ?? '')}`
  if (listed === undefined) return null
  const names = listOf(listed)
  if (names === null) return 'headers that are no list of names'
  const foreign = names.filter((name) => name !== '' && !KNOWN.has(name.toLowerCase()))
  return foreign.length === 0 ? null : foreign.slice(0, MAX_NAMED).map(named).join(', ')
}
const MAX_NAMED = 5

/** What the backend learns now, and options that the installation's own check has or has not. */
function identityNotes(fields: ForwardAuth): string[] {
  const given = new Set((listOf(fields.authResponseHeaders) ?? []).map((name) => name.toLowerCase()))
  const more = IDENTITY_HEADERS.filter((name) => !given.has(name.toLowerCase()))
  const lost = OPTIONS.filter((option) => fields[option] !== undefined)
  return [
    ...(more.length === 0 ? [] : [`the backend now learns ${more.join(', ')} of whoever signed in`]),
    ...(lost.length === 0
      ? []
      : [`the sign-in's own ${lost.join(', ')} ${lost.length === 1 ? 'is' : 'are'} dropped`]),
  ]
}
const OPTIONS = FORWARD_AUTH.filter(
  (key) =>
    ![
      'address',
      'authResponseHeaders',
      'authResponseHeadersRegex',
      'trustForwardHeader',
      'headerField',
    ].includes(key),
)
