/**
 * Which request targets may be routed at all.
 *
 * Two parties that read one path in two ways are how guards are slipped past: `//admin`, `/admin%2Fx`, `/ADMIN;x` and
 * `/%61dmin` all reached handlers behind a prefix guard in the routers of this field. So a path has exactly one
 * spelling here, and a second spelling is refused instead of being normalised.
 */
import { splitTarget } from '../access/request-facts.ts'

const VISIBLE = /^[\x21-\x7e]*$/
const PATH_CHARACTERS = /^[A-Za-z0-9._~!$&'()*+,=:@%/-]*$/
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/
const ESCAPE = /%(?:([0-9A-Fa-f]{2})|)/g
/** Encoded, these are a second spelling (unreserved), a separator in disguise, or a second layer of encoding. */
const NEVER_ENCODED = /[A-Za-z0-9._~/\\;%-]/

/**
 * Why the raw target is refused, as a sentence, or null when it may be routed. Linear in its length.
 *
 * @param slash_segment the segment, counted from the slash at the beginning, that may hold `%2F`: a value such as a key in
 * base64, which is matched by nobody but its reader. None when left out
 */
export function targetFault(target: string, slash_segment: number | null = null): string | null {
  if (!target.startsWith('/')) return 'The request target must be a path that starts with "/".'
  if (!VISIBLE.test(target) || target.includes('#'))
    return 'The request target must be printable ASCII without "#".'
  const { path } = splitTarget(target)
  if (!PATH_CHARACTERS.test(path)) return 'The path holds a character that must be percent-encoded, or ";".'
  if (path.includes('//')) return 'The path holds an empty segment ("//").'
  if (DOT_SEGMENT.test(path)) return 'The path holds a "." or ".." segment.'
  return path.includes('%') ? escapeFault(path, slash_segment) : null
}

function escapeFault(path: string, slash_segment: number | null): string | null {
  const segments = path.split('/')
  for (const [at, segment] of segments.entries()) {
    const fault = segmentFault(at === slash_segment ? segment.replaceAll(/%2F/gi, '-') : segment)
    if (fault !== null) return fault
  }
  try {
    decodeURIComponent(path)
    return null
  } catch {
    return 'The path is not valid UTF-8.'
  }
}

function segmentFault(segment: string): string | null {
  for (const [, hex] of segment.matchAll(ESCAPE)) {
    if (hex === undefined) return 'The path holds a broken percent escape.'
    const code = Number.parseInt(hex, 16)
    if (code < 0x20 || code === 0x7f || NEVER_ENCODED.test(String.fromCharCode(code)))
      return `The path holds "%${hex}", which has another meaning or another spelling.`
  }
  return null
}
