/**
 * Paths that are open to everybody, as regular expressions over path and query.
 *
 * The attack: `/public/../admin` or `/public/%2e%2e/admin` is let through as public, and a backend that resolves dots serves
 * the other thing. RE2 has no lookahead, so the expression names what a path may be made of: parts that do not begin with
 * a dot, no percent sign, no second slash, no backslash. Whatever is spelt otherwise has to sign in.
 */
const MOST_PATH = 200
const SEGMENT = /^(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*|[.]well-known)$/
const PART = '[A-Za-z0-9_~!$&()*+,:@-][A-Za-z0-9._~!$&()*+,:@-]*'
const QUERY = '(?:[?].*)?$'

export function isBypassPath(path: string): boolean {
  if (!path.startsWith('/') || path.length > MOST_PATH) return false
  const inner = path.slice(1).replace(/\/$/, '')
  return inner === '' ? path === '/' : inner.split('/').every((segment) => SEGMENT.test(segment))
}

/** Exactly this path, or everything below it when it ends in a slash. */
export function bypassPattern(path: string): string {
  const literal = path.replaceAll('.', '[.]')
  return path.endsWith('/') ? `^${literal}(?:${PART}/)*(?:${PART})?${QUERY}` : `^${literal}${QUERY}`
}

/** Whether one of these opens a path. */
export const isOpenPath = (bypass: readonly string[], path: string): boolean =>
  bypass.some((one) => new RegExp(bypassPattern(one)).test(path))
