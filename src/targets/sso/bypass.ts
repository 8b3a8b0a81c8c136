/**
 * Paths that are open to everybody, as regular expressions over path and query.
 *
 * The attack: `/public/../admin` or `/public/%2e%2e/admin` is let through as public, and a backend that resolves dots serves
 * the other thing. RE2 has no lookahead, so the expression names what a path may be made of: parts that do not begin with
 * a dot, no percent sign, no second slash, no backslash. Whatever is spelt otherwise has to sign in.
 */
const PATH = /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/(?=[A-Za-z0-9_~-])|\/$|$))*$/
const PART = '[A-Za-z0-9_~!$&()*+,:@-][A-Za-z0-9._~!$&()*+,:@-]*'
const QUERY = '(?:[?].*)?$'

export const isBypassPath = (path: string): boolean => path.length <= 200 && PATH.test(path)

/** Exactly this path, or everything below it when it ends in a slash. */
export function bypassPattern(path: string): string {
  const literal = path.replaceAll('.', '[.]')
  return path.endsWith('/') ? `^${literal}(?:${PART}/)*(?:${PART})?${QUERY}` : `^${literal}${QUERY}`
}
