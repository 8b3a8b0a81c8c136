/**
 * The names of our objects in Traefik. They are functions of the domain alone, so that the same records give the same
 * bytes whatever their ids, and they carry a prefix, so that other files may stand in the same directory.
 *
 * `_` is in no domain (labels are letters, digits and hyphens), so a role can never run into a domain.
 */
export const ROLES = [
  'assets',
  'cors',
  'document',
  'home',
  'open-assets',
  'open-document',
  'open',
  'redirect',
  'site',
  'tcp',
] as const
export type Role = (typeof ROLES)[number]

/** Of routers that ask nobody to sign in although their domain is protected. */
export const OPEN_ROLES: readonly Role[] = ['open-assets', 'open-document', 'open']

/** `plumbline-site_`, to be followed by the domain. */
export const roleMark = (role: Role): string => `plumbline-${role}_`

export const SHARED = {
  internal_only: 'plumbline-internal-only',
  no_identity: 'plumbline-no-identity',
  open_path: 'plumbline-open-path',
  redirect_https: 'plumbline-redirect-https',
  security_headers: 'plumbline-security-headers',
  spa_assets: 'plumbline-spa-assets',
  spa_compress: 'plumbline-spa-compress',
  spa_document: 'plumbline-spa-document',
  sso: 'plumbline-sso',
} as const
export type SharedName = (typeof SHARED)[keyof typeof SHARED]

/** Of a domain's own transport towards its backend; followed by the domain. */
export const TRANSPORT_MARK = 'plumbline-transport_'

export const API_TRANSPORT = 'plumbline-api'
/** Every name of ours in the proxy begins with it. */
export const OUR_NAMES = 'plumbline-'

export const GENERATION_MARK = 'plumbline-generation-'
export const GENERATION_HEADER = 'X-Plumbline-Generation'

/** The catalogue entry `rate-limit` as a middleware of the file. */
export const extraName = (entry: string): string => `plumbline-extra-${entry}`

const OURS = new RegExp(`^plumbline-(?:${ROLES.join('|')}|transport)_((?:\\*\\.)?[a-z0-9.-]+)$`)

/** The domain that an object belongs to, or null for what is shared or not ours. */
export const domainOfName = (name: string): string | null => OURS.exec(name)?.[1] ?? null
