/** What the answers about access rest on and nobody has proven: closed routes, and revocations. Pure. */
import type { ExplainedDomain, SsoDrift, User } from '../../api/types.ts'
import { listed } from '../words.ts'

export interface Unproven {
  /** By domain: why it is not known to be closed. */
  readonly domains: ReadonlyMap<string, string>
  /** By user name: why a revocation is not known to be in force. */
  readonly people: ReadonlyMap<string, string>
}

export const ALL_PROVEN: Unproven = { domains: new Map(), people: new Map() }

export const unprovenOf = (
  drift: Pick<SsoDrift, 'unknown'> | undefined,
  users: readonly Pick<User, 'username' | 'unproven'>[],
): Unproven => ({
  domains: new Map(
    (drift?.unknown ?? []).flatMap(({ part, domain, detail }) =>
      part === 'proof' && domain !== null ? [[domain, detail] as const] : [],
    ),
  ),
  people: new Map(
    users.flatMap(({ username, unproven }) => (unproven === null ? [] : [[username, unproven] as const])),
  ),
})

/**
 * The same, of one domain by what is explained of it.
 *
 * @param explained undefined while that is not known: then nobody has seen it closed
 */
export const unprovenAt = (
  domain: string,
  explained: Pick<ExplainedDomain, 'not_proven'> | undefined,
  users: readonly Pick<User, 'username' | 'unproven'>[],
): Unproven => {
  const why = explained === undefined ? 'Whether it is closed is not found out yet.' : explained.not_proven
  return { ...unprovenOf(undefined, users), domains: new Map(why === null ? [] : [[domain, why]]) }
}

interface Answered {
  readonly domain: string
  readonly username: string | null
  readonly can_open: boolean | null
}

/** Why a "no" is not known to hold; null for any other answer, and where it does. */
export const unprovenNo = (
  { domain, username, can_open }: Answered,
  { domains, people }: Unproven,
): string | null => (can_open === false ? (people.get(username ?? '') ?? domains.get(domain) ?? null) : null)

/** Of whom nothing proves it, and why; null where there is nobody. */
export function unprovenPeople({ people }: Unproven): string | null {
  const [first] = people.values()
  return first === undefined ? null : `Revoked, and not proven: ${listed([...people.keys()])}. ${first}`
}
