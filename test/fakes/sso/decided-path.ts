/**
 * The path by which Authelia decides, after its source (4.39, `utils.URLPathFullClean`) and Go's net/url and path: decoded
 * once, cleaned, with a final slash put back, and with the raw query. Bytes are characters of Latin-1.
 */

/** Null for what Go takes for no request target. */
export function decidedPath(target: string): string | null {
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(target) || !target.startsWith('/')) return null
  const mark = target.indexOf('?')
  const raw = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark + 1)
  if (/%(?![0-9a-f]{2})/i.test(raw)) return null
  const path = raw.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  const final = path.length > 1 && path.endsWith('/') ? '/' : ''
  return cleanPath(path) + (path === '/' ? '' : final) + (query === '' ? '' : `?${query}`)
}

/** `path.Clean` for a rooted path. */
export function cleanPath(path: string): string {
  const kept: string[] = []
  for (const part of path.split('/'))
    if (part === '..') kept.pop()
    else if (part !== '.' && part !== '') kept.push(part)
  return `/${kept.join('/')}`
}
