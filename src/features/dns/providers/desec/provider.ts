/** deSEC (desec.io): whole sets, changed in bulk, since single writes soon meet its limits. */
import { z } from 'zod'
import { SingleFlight } from '../../../../kernel/async/single-flight.ts'
import type { Milliseconds } from '../../../../kernel/clock.ts'
import { Failure, type FailureCode } from '../../../../kernel/failure.ts'
import { type DnsZone, type ListedRrset, rrsetItem } from '../../../../model/network/dns.ts'
import { checkChanges, type CheckedChange } from '../checked-change.ts'
import type { HostedOptions } from '../hosted.ts'
import { type JsonApi, jsonApi, unusable } from '../json-api.ts'
import type { ChangeOutcome, DnsProvider, DnsTraits, RrsetChange } from '../port.ts'
import { fromPresented } from '../presented.ts'
import { fileWords } from '../rdata.ts'
import { USUAL_TTL } from '../ttl.ts'
import { absolute, inOrder, listingOf, reading, wholeListing } from '../whole-listing.ts'
import { PAGE, readPages } from './pages.ts'
import {
  domain,
  partsAtFault,
  refusal,
  type Refusal,
  rrset,
  type RrsetBody,
  type WireRrset,
  words,
} from './wire.ts'
import { firstNames } from '../../../../kernel/text/first-names.ts'

const PROVIDER = 'desec'
const BASE = 'https://desec.io/api/v1'
/** What new domains have; it can be lowered by their support. */
const USUAL_MINIMUM_TTL = 3600
const KEPT_OUT: ReadonlySet<FailureCode> = new Set(['provider_credentials', 'provider_refused'])
// A bulk write is checked and published before it is answered.
const BULK_DEADLINE_MS = 60_000

export function desecProvider({
  account,
  token,
  http,
  base = BASE,
}: Omit<HostedOptions, 'clock'>): DnsProvider {
  const api = jsonApi<Refusal>({
    provider: PROVIDER,
    http,
    base,
    credential: token,
    authorize: (credential) => ({ authorization: `Token ${credential}` }),
    refusal,
    words,
    credential_hint:
      'The token must not have expired, and its policies must allow it to write to this domain.',
    usual_wait_ms: 60 * 1000,
  })
  let least: number | null = null
  const leastTtl = () => least ?? USUAL_MINIMUM_TTL
  const zones = async (signal: AbortSignal): Promise<DnsZone[]> => {
    const path = '/domains/'
    const domains = await readPages(api, { path, item: domain, what: 'list the zones', signal })
    if (domains.length > 0) least = Math.max(...domains.map(({ minimum_ttl }) => minimum_ttl))
    return domains.map(({ name }) => ({ name: absolute(name), account, writable: true, detail: null }))
  }
  /** Zones are looked at side by side, and a token has fifty requests a minute. */
  const asked = new SingleFlight(() => zones(AbortSignal.timeout(MAX_ASK_MS)))
  /** A zone may be looked at before the zones were listed: it would get the usual TTL, and its own again a little later. */
  const askLeast = async (): Promise<void> => {
    try {
      if (least === null) await asked.join()
    } catch (error) {
      // A token may be kept from the list and let into its zone.
      if (!(error instanceof Failure) || !KEPT_OUT.has(error.code)) throw error
      least ??= USUAL_MINIMUM_TTL
    }
  }
  return {
    account,
    kind: PROVIDER,
    /** The shortest TTL is the one that every domain of the account takes, as of the last listing of the zones. */
    get traits() {
      return traitsOf(leastTtl())
    },
    zones,
    stamp: (zone, signal) => stampOf(api, zone, signal),
    list: async (zone, signal) => {
      await askLeast()
      return listZone(api, zone, signal)
    },
    at: async (zone, { name }, signal) => {
      const sets = await readSets(api, { zone, signal }, { subname: subnameOf(zone, name) })
      return sets.filter((set) => set.name === name)
    },
    listAgain: async (zone, types, signal) => {
      const sets: ListedRrset[] = []
      for (const type of new Set([...types, 'CNAME']))
        sets.push(...(await readSets(api, { zone, signal }, { type })))
      return sets
    },
    change: (zone, changes, signal) =>
      changeSets({ api, zone, traits: traitsOf(leastTtl()), signal }, changes),
  }
}

const MAX_ASK_MS: Milliseconds = 30_000

const traitsOf = (least: number): DnsTraits => ({
  batch_most: PAGE,
  atomic: true,
  page_most: PAGE,
  has_stamp: true,
  comment_most: null,
  has_proxy: false,
  ttl: { least, most: 86_400, automatic: false },
  makes_zones: false,
  // `dns_api_cheap`. Writes have limits of their own for each domain, down to 300 a day.
  limit: { requests: 50, within_ms: 60 * 1000 },
})

const domainPath = (zone: string): string => `/domains/${encodeURIComponent(zone)}/`

async function stampOf(api: JsonApi<Refusal>, zone: string, signal: AbortSignal): Promise<string | null> {
  const what = `look at the zone ${zone}`
  const { body } = await api.ask({ method: 'GET', path: domainPath(zone), answer: domain, what, signal })
  if (absolute(body.name) !== zone) throw unusable(PROVIDER, what, 'the answer is about another zone')
  return body.touched ?? null
}

/**
 * The API tells no total. Pages come in the reverse order in which sets were made, so the name servers at the apex, made
 * with the domain and never missing in a zone that works, come last: without them the listing was cut.
 */
async function listZone(api: JsonApi<Refusal>, zone: string, signal: AbortSignal): Promise<ListedRrset[]> {
  const sets = await readSets(api, { zone, signal })
  if (sets.some(({ name, type }) => name === zone && type === 'NS')) return sets
  const why = 'the name servers of the zone itself are missing, so more may be'
  throw unusable(PROVIDER, listingOf(zone), why)
}

/** @param filter by name or type; left out for all. */
async function readSets(
  api: JsonApi<Refusal>,
  { zone, signal }: Pick<Changing, 'zone' | 'signal'>,
  filter: Readonly<Record<string, string>> = {},
): Promise<ListedRrset[]> {
  const what = listingOf(zone)
  const path = `${domainPath(zone)}rrsets/`
  const call = { path, filter: new URLSearchParams(filter).toString(), item: rrset, what, signal }
  const found = await readPages(api, call)
  if (found.some((set) => set.domain.toLowerCase() !== zone))
    throw unusable(PROVIDER, what, "the answer holds another zone's records")
  const listing = { provider: PROVIDER, zone }
  return reading(listing, () => wholeListing(listing, found.map(listedSet)))
}

interface Changing {
  readonly api: JsonApi<Refusal>
  readonly zone: string
  readonly traits: DnsTraits
  readonly signal: AbortSignal
}

/** One request, applied as a whole or not at all. */
async function changeSets(
  { api, zone, traits, signal }: Changing,
  changes: readonly RrsetChange[],
): Promise<readonly ChangeOutcome[]> {
  const checked = checkChanges(changes, { provider: PROVIDER, zone, traits, usual_ttl: USUAL_TTL })
  const parts = checked.flatMap((one, i) => bodyOf(zone, one, changes[i]!) ?? [])
  if (parts.length > 0) await send({ api, zone, traits, signal }, parts)
  return changes.map(() => ({ ok: true, ids: [] }))
}

async function send({ api, zone, signal }: Changing, parts: readonly RrsetBody[]): Promise<void> {
  const what = `change the records of ${zone}`
  const path = `${domainPath(zone)}rrsets/`
  const call = { method: 'PATCH' as const, path, json: parts, answer: z.array(rrset), what, signal }
  const answer = await api.try({ ...call, deadline_ms: BULK_DEADLINE_MS })
  if (!answer.ok) throw naming(answer.failure, zone, parts, partsAtFault(answer.refusal))
  const written = new Set(answer.body.map(({ subname, type }) => `${subname} ${type}`))
  if (parts.some(({ subname, type, records }) => records.length > 0 && !written.has(`${subname} ${type}`)))
    throw unusable(PROVIDER, what, 'the answer does not list what was sent, so it is unknown what was done')
}

/** The refusal, with the sets at fault by name where it tells them. */
function naming(
  failure: Failure,
  zone: string,
  parts: readonly RrsetBody[],
  at_fault: readonly number[],
): Failure {
  const names = at_fault
    .flatMap((i) => parts[i] ?? [])
    .map(({ subname, type }) => rrsetItem({ type, name: subname === '' ? zone : `${subname}.${zone}` }))
  if (names.length === 0) return failure
  return new Failure(failure.code, `${failure.message} At fault: ${firstNames(names, 5)}.`, failure.details)
}

// Pure: deSEC's sets and ours. Its names are split at the domain, its values in presentation format.

/** Throws RecordFault for a name or value that makes no sense. */
function listedSet({ domain, subname, type, ttl, records }: WireRrset): ListedRrset {
  const ordered = inOrder(records.map((record) => ({ value: fromPresented(type, record) })))
  return {
    name: absolute(subname === '' ? domain : `${subname}.${domain}`),
    type,
    ttl,
    values: ordered.map(({ value }) => value),
    ids: [],
    comment: null,
    proxied: null,
  }
}

/** What is sent for a change; null when there is nothing to do. */
function bodyOf(
  zone: string,
  { name, type, wanted }: CheckedChange,
  { seen }: RrsetChange,
): RrsetBody | null {
  const set = { subname: subnameOf(zone, name), type }
  if (wanted === null) return seen === null ? null : { ...set, records: [] }
  const records = wanted.data.map((data) => fileWords(type, data))
  const there = seen?.values ?? []
  const same =
    seen?.ttl === wanted.ttl &&
    there.length === records.length &&
    records.every((record) => there.includes(fromPresented(type, record)))
  return same ? null : { ...set, ttl: wanted.ttl, records }
}

const subnameOf = (zone: string, name: string): string =>
  name === zone ? '' : name.slice(0, -zone.length - 1)
