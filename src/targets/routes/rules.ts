/**
 * Traefik rules, and the regular expressions beside them, as scalars ready for the file.
 *
 * A name is quoted twice, as a Go literal inside the rule and as a YAML scalar around it, so that no name can end its
 * matcher and start another. One host matcher stands in each rule: a failure then stays with its domain.
 */
import { isSafe, quote } from '../../model/quoted.ts'
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
  isWildcard(domain) && !atLeast(version, [3, 7, 0])
    ? `${name}Regexp(${quote(`^${hostPattern(domain)}$`)})`
    : `${name}(${quote(domain)})`

/** A rule of one matcher and nothing else. A plain name, which is nearly every one, needs no escaping to be looked for. */
const soleRule = (name: string, domain: string, version: Version): string =>
  !isWildcard(domain) && isSafe(domain) ? `"${name}(\\"${domain}\\")"` : quote(matcher(name, domain, version))

/** Matches every request of the host. */
export const hostRule = (domain: string, version: Version): string => soleRule('Host', domain, version)

/** Matches the host's files that keep: what build tools put under /assets/ and /static/. */
export const assetsRule = (domain: string, version: Version): string =>
  quote(`${matcher('Host', domain, version)} && (PathPrefix("/assets/") || PathPrefix("/static/"))`)

/** Matches the TLS name, or with null everything on the entrypoint. */
export const sniRule = (domain: string | null, version: Version): string =>
  soleRule('HostSNI', domain ?? '*', version)

/**
 * The URL of exactly this host's bare root, whatever scheme and port, with everything before the path as `$1`. `(?i)`
 * because Traefik matches hosts in any case but hands the pattern the URL as it was sent.
 */
export const bareRootPattern = (domain: string): string =>
  quote(`(?i)^(https?://${hostPattern(domain)}[.]?(?::[0-9]+)?)/$`)
