/** Conditions of which one holds for every request, whatever it is, as far as that is plain to see. Pure. */
import type { Rule } from '../../../import/traefik/routers/rule.ts'

/**
 *   A || !A                                            a condition beside its opposite
 *   ClientIP(`0.0.0.0/0`) || ClientIP(`::/0`)          the addresses of both families
 *
 * @param parts any of which is enough
 */
export function addsUp(parts: readonly Rule[]): boolean {
  const all = alternatives(parts)
  const held = new Set(all.map(textOf))
  return (
    all.some((part) => held.has(textOf(opposite(part)))) ||
    (all.some((part) => isAnyAddress(part, IPV4)) && all.some((part) => isAnyAddress(part, IPV6)))
  )
}

export const opposite = (rule: Rule): Rule => (rule.kind === 'not' ? rule.of : { kind: 'not', of: rule })

/** Without brackets and lists: each is enough alone. `!(A && B)` is `!A || !B`. */
function alternatives(parts: readonly Rule[]): readonly Rule[] {
  return parts.flatMap((part) => {
    if (part.kind === 'any') return alternatives(part.of)
    if (part.kind === 'match' && part.values.length > 1)
      return part.values.map((value): Rule => ({ ...part, values: [value] }))
    if (part.kind === 'not' && part.of.kind === 'all') return alternatives(part.of.of.map(opposite))
    return part.kind === 'not' && part.of.kind === 'not' ? alternatives([part.of.of]) : [part]
  })
}

const textOf = (rule: Rule): string => JSON.stringify(rule)

const IPV4 = /^[0-9.]+\/0$/
const IPV6 = /^[0-9a-f.]*:[0-9a-f:.]*\/0$/i

const isAnyAddress = (rule: Rule, family: RegExp): boolean =>
  rule.kind === 'match' && rule.name === 'ClientIP' && family.test(rule.values[0] ?? '')
