/** `Host()` of version 3.7: case and a dot at the end do not count, a star is one label, a bare star any host. */

/** @returns what says whether a host, lower case and without its port, is meant. */
export function hostMatcher(value: string): (host: string) => boolean {
  if (value === '') throw new Error('empty value for Host matcher is not allowed')
  if (!isAscii(value))
    throw new Error(
      `invalid value ${JSON.stringify(value)} for Host matcher, non-ASCII characters are not allowed`,
    )
  const wanted = withoutDot(value.toLowerCase())
  if (wanted === '*') return (host) => host !== ''
  if (!wanted.startsWith('*.')) return (host) => withoutDot(host) === wanted
  const domain = wanted.slice(1)
  return (host) => {
    const bare = withoutDot(host)
    const label = bare.slice(0, -domain.length)
    return bare.endsWith(domain) && label !== '' && !label.includes('.')
  }
}

/** One dot at the end of either side is overlooked. */
const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host)

/** Lower case and without a port, as the request decorator makes it. */
export const canonicalHost = (host: string): string => host.toLowerCase().replace(/:\d*$/, '')

export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length
