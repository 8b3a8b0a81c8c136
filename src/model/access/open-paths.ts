/**
 * Paths of a protected name that are open to everybody, as regular expressions over the path as it was sent. Pure.
 *
 * The attack: `/public/../admin`, `/public/%2e%2e/admin` or `/admin/..%2fpublic/x` is let through as public, and a backend
 * that reads paths otherwise serves the other thing. The proxy hands on what was sent, the SSO provider decides on what it
 * decoded and cleaned; neither alone is safe. RE2 has no lookahead, so the expression names what a path may be made of: parts
 * that do not begin with a dot, no percent sign, no second slash, no backslash, no semicolon. Decoding and cleaning change
 * nothing about such a path, so both readings agree. Whatever is spelt otherwise has to sign in.
 */
export interface OpenPaths {
  readonly paths: readonly string[]
  /** A middleware of the record that may change the path, so that none of them is open; else null. */
  readonly hindered_by: string | null
}

const MAX_PATH = 200
const SEGMENT = /^(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*|[.]well-known)$/
const PART = '[A-Za-z0-9_~!$&()*+,:@-][A-Za-z0-9._~!$&()*+,:@-]*'
/** What is below a path that ends in a slash. */
const BELOW = `(?:${PART}/)*(?:${PART})?`
const QUERY = '(?:[?].*)?'

export function isBypassPath(path: string): boolean {
  if (!path.startsWith('/') || path.length > MAX_PATH) return false
  const inner = path.slice(1).replace(/\/$/, '')
  return inner === '' ? path === '/' : inner.split('/').every((segment) => SEGMENT.test(segment))
}

/** Exactly these paths, and everything below those that end in a slash. Without the query. */
export const openPathsPattern = (paths: readonly string[]): string =>
  paths.length === 1 ? `^${patternOf(paths[0]!)}$` : `^(?:${paths.map(patternOf).join('|')})$`

/** Of these paths those that such a pattern names. */
export function pathsIn(pattern: string, paths: readonly string[]): readonly string[] {
  const [, several, one] = /^\^(?:\(\?:(.*)\)|(.*))\$$/.exec(pattern) ?? []
  const named = new Set((several ?? one ?? '').split('|'))
  return paths.filter((path) => named.has(patternOf(path)))
}

/** The paths that such a pattern names; of any other the pattern itself. */
export function openPathsOf(pattern: string): readonly string[] {
  const [, several, one] = /^\^(?:\(\?:(.*)\)|(.*))\$$/.exec(pattern) ?? []
  const paths = (several ?? one ?? '')
    .split('|')
    .map((part) => part.replace(BELOW, '').replaceAll('[.]', '.'))
  const is_ours = paths.every(isBypassPath) && openPathsPattern(paths) === pattern
  return is_ours ? paths : [pattern]
}

/** Whether one of these opens a path. */
export const isOpenPath = (paths: readonly string[], path: string): boolean =>
  paths.length > 0 && new RegExp(openPathsPattern(paths)).test(path)

/** How rules of the SSO provider opened a path before the routes did: a pattern over path and query. */
export const earlierResource = (path: string): string => `^${patternOf(path)}${QUERY}$`

/** What is open, for people. */
export const openPathWords = (path: string): string =>
  path.endsWith('/') ? `${path} and what is below it, except parts that begin with a dot` : path

function patternOf(path: string): string {
  const literal = path.replaceAll('.', '[.]')
  return path.endsWith('/') ? `${literal}${BELOW}` : literal
}
