/** TXT records that answer challenges: they are put into a zone and taken out of it between the turns of its target. */
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import { type ListedRrset, rrsetItem } from '../../../model/network/dns.ts'
import type { DnsTraits, RrsetChange } from '../providers/port.ts'
import { conflictAt } from '../target/deciding/conflict.ts'
import { type ZonePlace, placeOf, zoneless } from '../target/observe.ts'
import type { DnsParts } from '../target/parts.ts'
import { fit } from '../target/writing/fit.ts'
import type { ChallengeRecord, ChallengeRecords } from './port.ts'

export type ChallengeParts = Pick<DnsParts, 'zone_index' | 'providers' | 'lock'> & { readonly log: Log }

/**
 * Reads anew each time, under the zone's lock, so that a value which somebody else puts at the name meanwhile is kept. The
 * name is asked for by itself, too: a value that the listing hides would be written over.
 */
export class Challenges implements Pick<ChallengeRecords, 'obstacle' | 'present' | 'remove'> {
  readonly #parts: ChallengeParts
  /** What may stand for orders that are under way; set where they are kept. */
  recorded: () => Promise<readonly ChallengeRecord[]> = async () => []

  constructor(parts: ChallengeParts) {
    this.#parts = parts
  }

  async obstacle(name: string, signal: AbortSignal): Promise<string | null> {
    const place = this.#placeFor(name)
    if (place === null) return this.#noZone(name)
    const { zone } = place
    if (!zone.writable)
      return `The zone ${zone.name} cannot be written: ${zone.detail ?? 'the provider does not let it be written'}.`
    if (zone.planned && !(await isThere(place, signal))) return null
    return inTheWay(name, zone.name, await place.provider.list(zone.name, signal))
  }

  async present({ name, value }: ChallengeRecord, signal: AbortSignal): Promise<void> {
    const place = this.#placeFor(name)
    if (place === null) {
      const is_known = this.#parts.zone_index.silent().length === 0
      throw new Failure(is_known ? 'provider_refused' : 'component_unavailable', this.#noZone(name))
    }
    await this.#inTurn(place, signal, async () => {
      await this.#makeZone(place, signal)
      const rrsets = await place.provider.list(place.zone.name, signal)
      const standing = await standingAt(place, name, rrsets, signal)
      const obstacle = inTheWay(name, place.zone.name, [...rrsets, ...standing])
      if (obstacle !== null) throw new Failure('provider_refused', obstacle)
      const seen = textsAt(name, rrsets, standing)
      await send(place, withValue(place.provider.traits, { name, value, seen }), signal)
    })
  }

  async remove({ name, value }: ChallengeRecord, signal: AbortSignal): Promise<void> {
    const place = this.#placeFor(name)
    // No account has the zone any more, so nobody can take it away, and it proves nothing to anybody.
    if (place === null) return this.#parts.log.warn('challenge record left behind', { name })
    await this.#inTurn(place, signal, async () => {
      if (place.zone.planned && !(await isThere(place, signal))) return
      const rrsets = await place.provider.list(place.zone.name, signal)
      const seen = textsAt(name, rrsets, await standingAt(place, name, rrsets, signal))
      await send(place, withoutValue(place.provider.traits, { name, value, seen }), signal)
    })
  }

  #placeFor(name: string): ZonePlace | null {
    const zone = this.#parts.zone_index.zoneFor(name)
    return zone === null ? null : placeOf(this.#parts, zone.name)
  }

  #noZone(name: string): string {
    const unknown = zoneless(this.#parts.zone_index, `a zone for ${name}`)
    if (unknown !== null) return `DNS: ${unknown}`
    return `No DNS account that is set up has a zone for ${name}. Set up the account that has it.`
  }

  #inTurn(
    { zone: { account, name } }: ZonePlace,
    signal: AbortSignal,
    work: () => Promise<void>,
  ): Promise<void> {
    return this.#parts.lock.run(account, name, signal, work)
  }

  async #makeZone(place: ZonePlace, signal: AbortSignal): Promise<void> {
    const { zone, provider } = place
    if (!zone.planned || provider.makeZone === undefined || (await isThere(place, signal))) return
    // One that held sets of ours was lost: listing it says what is missing.
    if (this.#parts.zone_index.ledgerZones().includes(zone.name)) return
    await provider.makeZone(zone.name, signal)
    this.#parts.zone_index.addZone({ name: zone.name, account: zone.account, writable: true, detail: null })
    this.#parts.log.info('zone made', { zone: zone.name, account: zone.account })
  }
}

/** Only a complete list of zones can say that one is not there. */
const isThere = async ({ zone, provider }: ZonePlace, signal: AbortSignal): Promise<boolean> =>
  (await provider.zones(signal)).some(({ name }) => name === zone.name)

type Rrsets = readonly ListedRrset[]

/** By a question about the name alone; a zone file has none, and its listing is the file. */
const standingAt = async (
  { zone, provider }: ZonePlace,
  name: string,
  rrsets: Rrsets,
  signal: AbortSignal,
): Promise<Rrsets> => (await provider.at?.(zone.name, { name, types: ['TXT'] }, signal)) ?? rrsets

/** Nobody's value is left out: one that is missing in the set that we write would be taken away. */
function textsAt(name: string, ...looks: readonly Rrsets[]): ListedRrset | null {
  const sets = looks.flatMap((sets) => sets.find((set) => set.name === name && set.type === 'TXT') ?? [])
  const last = sets.at(-1)
  // Where single records are known, those that we do not name stay.
  if (last === undefined || last.ids.length > 0) return last ?? null
  return { ...last, values: [...new Set(sets.flatMap(({ values }) => values))].sort() }
}

function inTheWay(name: string, zone: string, rrsets: Rrsets): string | null {
  const conflict = conflictAt({ zone, rrsets }, name)
  return conflict === null
    ? null
    : `The record ${rrsetItem({ type: 'TXT', name })} cannot stand there: ${conflict.detail}.`
}

async function send(
  { zone, provider }: ZonePlace,
  change: RrsetChange | null,
  signal: AbortSignal,
): Promise<void> {
  if (change === null) return
  const [outcome] = await provider.change(zone.name, [change], signal)
  if (outcome?.ok === true) return
  const { code, message } = outcome ?? {
    code: 'component_unavailable',
    message: `${provider.kind} did not say what became of the change`,
  }
  throw new Failure(code, `${rrsetItem(change)}: ${message}`)
}

// What is to stand at a challenge's name, beside the values of others. Pure.

/** Seconds. Nobody should remember a value for long; providers that do not go so low get what they allow. */
const TTL = 60

interface ChallengeAt {
  readonly name: string
  readonly value: string
  /** The TXT set at the name as it was listed, or null. */
  readonly seen: ListedRrset | null
}

/** Null where the value stands there already. */
const withValue = (traits: DnsTraits, { name, value, seen }: ChallengeAt): RrsetChange | null =>
  seen?.values.includes(value) ? null : changeTo(traits, { name, seen }, [...(seen?.values ?? []), value])

/** Null where the value does not stand there. The set goes with its last value. */
const withoutValue = (traits: DnsTraits, { name, value, seen }: ChallengeAt): RrsetChange | null =>
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
