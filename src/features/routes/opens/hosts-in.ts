/** The hosts that a routes file on disk names, ours and anybody's. Pure. */

/** `Host("a")`, `HostSNI(`a`)`, quoted in any of the ways in which YAML and Go let it be. */
const HOST = /\bHost(?:SNI)?\(\\?["'`]([^"'`\\()]+)\\?["'`]\)/g
/** How a wildcard is written for a proxy that knows none: one label in place of the star, dots in brackets. */
const PATTERN = /\bHost(?:SNI)?Regexp\(\\?["'`]\^\[a-z0-9-\]\+((?:\[\.\][a-z0-9_-]+)+)\$\\?["'`]\)/g

/** Distinct and sorted. What catches everything is nobody's name. */
export function hostsIn(text: string): readonly string[] {
  const plain = [...text.matchAll(HOST)].map(([, host]) => host!.toLowerCase())
  const wild = [...text.matchAll(PATTERN)].map(([, rest]) => `*${rest!.replaceAll('[.]', '.')}`)
  return [...new Set([...plain, ...wild])].filter((host) => host !== '*').sort()
}
