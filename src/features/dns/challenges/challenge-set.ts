/** What is to stand at a challenge's name, beside the values of others. Pure. */
import type { ListedRrset } from '../../../model/network/dns.ts'
import type { DnsTraits, RrsetChange } from '../providers/port.ts'
import { fit } from '../target/writing/fit.ts'

/** Seconds. Nobody should remember a value for long; providers that do not go so low get what they allow. */
const TTL = 60

export interface ChallengeAt {
  readonly name: string
  readonly value: string
  /** The TXT set at the name as it was listed, or null. */
  readonly seen: ListedRrset | null
}

/** Null where the value stands there already. */
export const withValue = (traits: DnsTraits, { name, value, seen }: ChallengeAt): RrsetChange | null =>
  seen?.values.includes(value) ? null : changeTo(traits, { name, seen }, [...(seen?.values ?? []), value])

/** Null where the value does not stand there. The set goes with its last value. */
export const withoutValue = (traits: DnsTraits, { name, value, seen }: ChallengeAt): RrsetChange | null =>
  seen?.values.includes(value)
    ? changeTo(
        traits,
        { name, seen },
        seen.values.filter((other) => other !== value),
      )
    : null

function changeTo(
  traits: DnsTraits,
  { name, seen }: Omit<ChallengeAt, 'value'>,
  values: readonly string[],
): RrsetChange {
  const { ttl, comment, proxied } = seen ?? { ttl: TTL, comment: null, proxied: null }
  const wanted = values.length === 0 ? null : fit(traits, { ttl, comment, proxied, values })
  return { name, type: 'TXT', wanted, seen }
}
