/**
 * One step of a script: change, list again, ask the world; all three must tell the same, and nothing else may have moved.
 */
import { expect } from 'vitest'
import { type ListedRrset, type Rrset, rrsetItem, rrsetKey } from '../../../src/model/network/dns.ts'
import type {
  ChangeOutcome,
  DnsProvider,
  DnsTraits,
  RrsetChange,
} from '../../../src/features/dns/providers/port.ts'
import type { OpenedProvider, Standing } from './opened.ts'

/** What is to stand under a name and type; `values: null` for nothing. */
export interface Wish {
  readonly name: string
  readonly type: string
  readonly values: readonly string[] | null
  /** 3600 seconds, taken to the provider's limits, when left out. */
  readonly ttl?: number | null
  readonly comment?: string | null
  readonly proxied?: boolean
}

export const never = (): AbortSignal => new AbortController().signal

export const clamped = ({ ttl }: DnsTraits, seconds: number): number =>
  Math.min(Math.max(seconds, ttl.least), ttl.most)

export const listing = async ({ provider, zone }: OpenedProvider): Promise<Map<string, ListedRrset>> => {
  const sets = await provider.list(zone, never())
  const byKey = new Map(sets.map((set) => [rrsetKey(set), set]))
  expect(byKey.size).toBe(sets.length)
  return byKey
}

export function changeOf(wish: Wish, seen: ListedRrset | null, traits: DnsTraits): RrsetChange {
  const { name, type, values, comment = null } = wish
  if (values === null) return { name, type, wanted: null, seen }
  const ttl = wish.ttl === undefined ? clamped(traits, 3600) : wish.ttl
  const proxied = traits.has_proxy ? (wish.proxied ?? false) : null
  return { name, type, wanted: { ttl, values, comment, proxied }, seen }
}

/** What a listing must show when the wish has come true. */
function expected({ name, type, wanted }: RrsetChange, traits: DnsTraits) {
  if (wanted === null) return undefined
  const { least, most, automatic } = traits.ttl
  const by_provider = wanted.proxied === true || (wanted.ttl === null && automatic)
  const ttl = by_provider ? null : wanted.ttl === null ? within(least, most) : clamped(traits, wanted.ttl)
  const { comment_most } = traits
  const comment = comment_most === null ? null : (wanted.comment?.slice(0, comment_most) ?? null)
  const values = [...new Set(wanted.values)].sort()
  return { name, type, ttl, values, comment, proxied: wanted.proxied, ids: expect.any(Array) as string[] }
}

const within = (least: number, most: number): number =>
  expect.toSatisfy((ttl: unknown) => typeof ttl === 'number' && ttl >= least && ttl <= most) as number

/** Makes the wishes come true and looks at the result from both sides. */
export async function step(
  opened: OpenedProvider,
  wishes: readonly Wish[],
): Promise<Map<string, ListedRrset>> {
  const { provider, zone } = opened
  const before = await listing(opened)
  const changes = wishes.map((wish) => changeOf(wish, before.get(rrsetKey(wish)) ?? null, provider.traits))
  const outcomes = await applied(provider, zone, changes)
  expect(outcomes.map(briefly)).toEqual(changes.map(() => 'done'))
  const after = await listing(opened)
  checkListing({ before, after, changes, outcomes, traits: provider.traits })
  const standing = await opened.world.look()
  for (const change of changes) checkWorld(standing, change, after.get(rrsetKey(change)) ?? null)
  return after
}

/** In one call, or, of more than a call takes, what goes away first. Outcomes in the order of the changes. */
async function applied(
  provider: DnsProvider,
  zone: string,
  changes: readonly RrsetChange[],
): Promise<readonly ChangeOutcome[]> {
  const { batch_most } = provider.traits
  if (changes.length <= batch_most) return provider.change(zone, changes, never())
  const order = changes.toSorted((a, b) => Number(a.wanted !== null) - Number(b.wanted !== null))
  const outcomes = new Map<RrsetChange, ChangeOutcome>()
  for (let at = 0; at < order.length; at += batch_most) {
    const batch = order.slice(at, at + batch_most)
    for (const [i, outcome] of (await provider.change(zone, batch, never())).entries())
      outcomes.set(batch[i]!, outcome)
  }
  return changes.map((change) => outcomes.get(change)!)
}

/** `done`, or what was said: a table of outcomes that reads well when a test fails. */
export const briefly = (outcome: ChangeOutcome): string =>
  outcome.ok ? 'done' : `${outcome.code}: ${outcome.message}`

interface Looks {
  readonly before: ReadonlyMap<string, ListedRrset>
  readonly after: ReadonlyMap<string, ListedRrset>
  readonly changes: readonly RrsetChange[]
  readonly outcomes: readonly ChangeOutcome[]
  readonly traits: DnsTraits
}

function checkListing({ before, after, changes, outcomes, traits }: Looks): void {
  const named = new Set(changes.map(rrsetKey))
  const rest = (sets: ReadonlyMap<string, ListedRrset>) =>
    new Map([...sets].filter(([key]) => !named.has(key)))
  expect(rest(after)).toEqual(rest(before))
  for (const [at, change] of changes.entries()) {
    const listed = after.get(rrsetKey(change))
    expect(listed, rrsetItem(change)).toEqual(expected(change, traits))
    const outcome = outcomes[at]!
    // Ids are told at once or with the next listing, and then they are the same.
    if (outcome.ok && outcome.ids.length > 0) expect(outcome.ids).toEqual(listed?.ids)
    if (listed !== undefined && listed.ids.length > 0) expect(listed.ids).toHaveLength(listed.values.length)
  }
}

function checkWorld(standing: Standing, set: Pick<Rrset, 'name' | 'type'>, listed: ListedRrset | null) {
  const there = standing(set.name, set.type)
  expect(there === null ? null : [...there.values].sort(), rrsetItem(set)).toEqual(listed?.values ?? null)
  if (listed !== null && listed.ttl !== null) expect(there?.ttl, rrsetItem(set)).toBe(listed.ttl)
}

/** A script of steps, one after the other. */
export async function steps(opened: OpenedProvider, ...script: readonly (readonly Wish[])[]): Promise<void> {
  for (const wishes of script) await step(opened, wishes)
}
