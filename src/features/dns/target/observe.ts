/**
 * One look at a zone: the provider's listing beside what we know. Only reads, but that a pass notes in the ledger under which name
 * an account goes on; what fails is an answer.
 */
import type { Observation } from '../../../engine/target.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import { Failure, type FailureCode } from '../../../kernel/failure.ts'
import type { DnsZone, OwnedRrset } from '../../../model/network/dns.ts'
import type { DnsProvider } from '../providers/port.ts'
import type { CachedListing } from './zones/cached-listing.ts'
import { fingerprint } from './marks/fingerprint.ts'
import type { LastLook } from './zones/last-look.ts'
import type { DnsParts } from './parts.ts'
import type { UnacceptedSets } from './zones/unaccepted.ts'
import { byPresentNames, relabel } from './zones/relabelled.ts'
import type { KnownZone, ZoneIndex } from './zones/zone-index.ts'
import type { ZoneState } from './zones/zone-state.ts'

export interface ZonePlace {
  readonly zone: KnownZone
  readonly provider: DnsProvider
}

/** Throws `component_unavailable` where no account shows the zone any more. */
export function placeOf(
  { zone_index, providers }: Pick<DnsParts, 'zone_index' | 'providers'>,
  name: string,
): ZonePlace {
  const zone = zone_index.zoneNamed(name)
  const provider = providers.find(({ account }) => account === zone?.account)
  if (zone === null || provider === undefined)
    throw new Failure(
      'component_unavailable',
      `dns: ${zoneless(zone_index, `the zone ${name}`) ?? `no account that is set up has the zone ${name}. Set up the account that has it.`}`,
    )
  return { zone, provider }
}

/** @returns that nobody knows, as a sentence without its beginning; null where all accounts have answered */
export function zoneless({ silent }: Pick<ZoneIndex, 'silent'>, what: string): string | null {
  const accounts = silent()
  return accounts.length === 0
    ? null
    : `whether an account has ${what} is not known while ${accounts.join(', ')} does not answer.`
}

/** What one target keeps between its looks. */
export interface LookMemory {
  readonly listing: CachedListing
  readonly last: LastLook
  /** See `ZoneState`. A new one whenever it changes. */
  readonly unaccepted: () => UnacceptedSets
}

export interface LookAsk {
  readonly parts: DnsParts
  /** A caller asks. */
  readonly afresh: boolean
  /** Whoever asks goes on to repair. */
  readonly is_pass: boolean
  readonly signal: AbortSignal
}

export async function observeZone(
  name: string,
  memory: LookMemory,
  ask: LookAsk,
): Promise<Observation<ZoneState>> {
  const { parts, signal } = ask
  try {
    const state = await look(placeOf(parts, name), memory, ask)
    return { known: true, state, digest: fingerprint(state), at: parts.clock.now() }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    memory.listing.forget()
    const { code, message, details } = error
    const unknown_state = { reason: reasonOf(code), detail: message, at: parts.clock.now() }
    const { retry_after_ms } = details
    return { known: false, ...unknown_state, ...(retry_after_ms !== undefined && { retry_after_ms }) }
  }
}

async function look(place: ZonePlace, memory: LookMemory, ask: LookAsk): Promise<ZoneState> {
  const { listing, last, unaccepted: unacceptedNow } = memory
  const { parts, afresh, is_pass, signal } = ask
  const { store, zone_index, installation_id } = parts
  const { zone, provider } = afresh ? await elsewhere(place, parts, signal) : place
  const found = zone.planned ? await madeMeanwhile(zone, provider, signal) : zone
  if (zone.planned && found !== null) zone_index.addZone(found)
  const missing = found === null && !hasStood(zone, await store.ownedRrsets())
  const rrsets = missing ? [] : await listing.look(provider, { afresh, signal })
  const place_fault = missing ? null : ((await provider.placeFault?.(zone.name)) ?? null)
  const { writable, detail } = found ?? zone
  const { traits } = provider
  const { name, account } = zone
  const accounts = new Set(parts.providers.map((one) => one.account))
  const known = { place: { zone: name, account, rrsets, traits, installation_id }, accounts }
  if (is_pass) await relabel(known, parts)
  const ledger = byPresentNames(await store.ownedRrsets(), known)
  zone_index.setOwned(ledger)
  const reported = await store.reportedAddresses()
  const read_only = writable ? null : (detail ?? 'the provider does not let it be written')
  const unaccepted = unacceptedNow()
  const of_zone = ledger.filter((row) => row.zone === name)
  const elsewhere_owned = of_zone
    .filter((row) => row.account !== account)
    .map((row) => ({ ...row, is_set_up: accounts.has(row.account) }))
  const sources = [
    account,
    traits,
    read_only,
    missing,
    rrsets,
    ledger,
    reported,
    zone_index.version,
    place_fault?.detail,
    unaccepted,
  ]
  return last.stateOf(sources, () => ({
    zone: name,
    account,
    traits,
    installation_id,
    read_only,
    missing,
    rrsets,
    owned: of_zone.filter((row) => row.account === account),
    ...(elsewhere_owned.length > 0 && { elsewhere: elsewhere_owned }),
    reported,
    unaccepted,
    ...(place_fault !== null && { place_fault }),
    deeper: zone_index.below(name),
  }))
}

/**
 * Where a zone is by now that would be made: whoever adds it at another account, and deploys a name of it then, does not
 * mean a second one. Throws `component_unavailable` where an account that may have it does not answer.
 */
export async function elsewhere(
  place: ZonePlace,
  parts: Pick<DnsParts, 'zone_index' | 'providers' | 'askAccounts'>,
  signal: AbortSignal,
): Promise<ZonePlace> {
  if (!place.zone.planned || parts.askAccounts === undefined) return place
  await untilAborted(parts.askAccounts(), signal)
  return placeOf(parts, place.zone.name)
}

/** A zone that was planned, if it stands by now. Only a complete list of zones can say that it does not. */
async function madeMeanwhile(
  { name }: KnownZone,
  provider: DnsProvider,
  signal: AbortSignal,
): Promise<DnsZone | null> {
  const zones = await provider.zones(signal)
  return zones.find((zone) => zone.name === name) ?? null
}

/**
 * Sets of ours stood there, and records of others may have: such a zone was lost, as with a mount that is not there, and
 * is not made anew without them. Listing it says what is missing.
 */
const hasStood = ({ name, account }: KnownZone, ledger: readonly OwnedRrset[]): boolean =>
  ledger.some((row) => row.zone === name && row.account === account && row.state !== 'sending')

const REFUSED: ReadonlySet<FailureCode> = new Set(['provider_credentials', 'provider_refused'])
const UNREACHABLE: ReadonlySet<FailureCode> = new Set([
  'component_unavailable',
  'provider_busy',
  'store_unavailable',
])

const reasonOf = (code: FailureCode): 'unreachable' | 'unreadable' | 'refused' =>
  REFUSED.has(code) ? 'refused' : UNREACHABLE.has(code) ? 'unreachable' : 'unreadable'
