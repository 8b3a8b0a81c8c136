/**
 * Traefik rules, and the regular expressions beside them, as Traefik reads them.
 *
 * A name is quoted as a Go literal inside the rule, beside the YAML scalar that the emitter makes of the whole, so that no
 * name can end its matcher and start another. One host matcher stands in each rule: a failure then stays with its domain.
 */
import { quote } from '../../../kernel/text/quoted.ts'
import { openPathsPattern } from '../../../model/access/open-paths.ts'
import { atLeast, type Version } from './settings.ts'

export const isWildcard = (domain: string): boolean => domain.startsWith('*.')

/** A dot is escaped as `[.]`: a backslash would have to be doubled for Go and again for YAML. */
const escapeRegex = (text: string): string =>
  text.replace(/[\\^$*+?()[\]{}|]/g, '\\$&').replaceAll('.', '[.]')

/** RE2 for the host: one label in place of a leading star. Not anchored. */
const hostPattern = (domain: string): string =>
  isWildcard(domain) ? `[a-z0-9-]+${escapeRegex(domain.slice(1))}` : escapeRegex(domain)

/**
 * `Host("…")` and its TCP twin for one name. Before 3.7.0 neither takes a wildcard (`Host` never matches, `HostSNI` is an
 * error), so a regular expression stands in; Traefik does not anchor it, we do.
 */
const matcher = (name: string, domain: string, version: Version): string =>
  namesHost(domain, version)
    ? `${name}(${quote(domain)})`
    : `${name}Regexp(${quote(`^${hostPattern(domain)}$`)})`

export const namesHost = (domain: string, version: Version): boolean =>
  !isWildcard(domain) || atLeast(version, STAR_SINCE)

/** Over TLS, `Host()` with a star is asked before every TCP route of its names from this version on. */
export const STAR_SINCE: Version = [3, 7, 0]

/** Matches every request of the host. */
export const hostRule = (domain: string, version: Version): string => matcher('Host', domain, version)

/** The parts of a single-page application whose answers the proxy marks: its pages, and files that are named by content. */
export type SitePart = 'assets' | 'document'

const pathMatcher = (pattern: string): string => `PathRegexp(${quote(pattern)})`

const FILE = '(?:[.](?:chunk|min))?[.](?:avif|css|gif|ico|jpe?g|js|mjs|png|svg|ttf|wasm|webp|woff2?)'
const EIGHT = '[A-Za-z0-9_]'.repeat(8)

/**
 * A digest at the end of a name, as build tools write it: eight and more hexadecimal digits, or exactly eight letters and
 * digits of which one is a digit and one in upper case, so that no word is taken for one.
 */
const HASHED = [
  pathMatcher(`[.-]${'[0-9a-f]'.repeat(8)}[0-9a-f]*${FILE}$`),
  `(${[
    pathMatcher(`[.-]${EIGHT}${FILE}$`),
    pathMatcher(`[0-9][A-Za-z0-9_]*${FILE}$`),
    pathMatcher(`[A-Z][A-Za-z0-9_]*${FILE}$`),
  ].join(' && ')})`,
].join(' || ')

const PARTS: Readonly<Record<SitePart, string>> = {
  assets: `(${HASHED})`,
  document: `(Path("/") || ${pathMatcher('[.]html$')})`,
}

const joined = (domain: string, version: Version, ...conditions: readonly string[]): string =>
  [matcher('Host', domain, version), ...conditions].join(' && ')

export const partRule = (domain: string, part: SitePart, version: Version): string =>
  joined(domain, version, PARTS[part])

export interface OpenRule {
  readonly domain: string
  readonly paths: readonly string[]
  /** Null for all of them, whatever they lead to. */
  readonly part: SitePart | null
}

/** Matches requests for paths of the host that are open to everybody. */
export const openRuleText = ({ domain, paths, part }: OpenRule, version: Version): string =>
  joined(domain, version, pathMatcher(openPathsPattern(paths)), ...(part === null ? [] : [PARTS[part]]))

/** Matches the TLS name, or with null everything on the entrypoint. */
export const sniRule = (domain: string | null, version: Version): string =>
  matcher('HostSNI', domain ?? '*', version)

/**
 * The URL of exactly this host's bare root, whatever scheme and port, with everything before the path as `$1`. `(?i)`
 * because Traefik matches hosts in any case but hands the pattern the URL as it was sent.
 */
export const bareRootPattern = (domain: string): string =>
  `(?i)^(https?://${hostPattern(domain)}[.]?(?::[0-9]+)?)/$`
