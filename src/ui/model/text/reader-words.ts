/** Why somebody may look and not change, by the way in which they came. */

interface Reader {
  /** `sso`, or the key or link that they came with. */
  readonly way: string
  readonly groups: readonly string[]
}

/** Groups have to do only with who came by the sign-in page. */
export function readerText({ way, groups }: Reader): string {
  const look = 'You may look, not change'
  if (way !== 'sso') return `${look}: the key that you came with may only look.`
  return groups.length === 0
    ? `${look}: the sign-in page names no group of yours.`
    : `${look}: your groups are ${groups.join(', ')}.`
}
