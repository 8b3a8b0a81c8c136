/**
 * PowerDNS Authoritative by its HTTP API.
 *
 * A batch is one PATCH, applied as a whole or not at all. It replaces whole sets, so what people keep in a set besides its
 * records (their comments, records that they disabled) is read just before and sent back with it.
 */
import { z } from 'zod'
import { Failure } from '../../../../kernel/failure.ts'
import type { Secret } from '../../../../kernel/secret.ts'
import { type DnsZone, type ListedRrset, rrsetKey } from '../../../../model/network/dns.ts'
import type { HttpClient } from '../../../../ports/http-client.ts'
import { checkChanges } from '../checked-change.ts'
import { type ApiCall, type JsonApi, jsonApi, unusable } from '../json-api.ts'
import type { ChangeOutcome, DnsProvider, DnsTraits, NamedTypes, RrsetChange } from '../port.ts'
import { fromPresented } from '../presented.ts'
import { RecordFault } from '../record-fault.ts'
import { LARGEST_TTL, USUAL_TTL } from '../ttl.ts'
import { TurnTaking } from '../turn-taking.ts'
import { absolute, listingOf, reading, wholeListing } from '../whole-listing.ts'
import { listedSet, patchesFor } from './sets.ts'
import {
  type Refusal,
  refusal,
  type RrsetPatch,
  type WireRrset,
  zoneExport,
  zoneHead,
  zoneList,
  zoneWhole,
  type ZoneWhole,
} from './wire.ts'
import { dnsZone, stampOf, whyNotWritable, zoneId } from './zones.ts'

const PROVIDER = 'powerdns'
/** Those that it knows. */
const ALIASES = ['CNAME', 'ALIAS']
/** A large zone takes the server a while, both to show and to change; that it is there shows sooner, by its serial. */
const DEADLINE_MS = 60_000

export interface PowerDnsOptions {
  readonly account: string
  /** Of the web server: `http://127.0.0.1:8081`. */
  readonly url: string
  readonly api_key: Secret
  readonly http: HttpClient
  /** False for backends that keep no comments, such as LMDB before 5.0. */
  readonly comments?: boolean
}

const TRAITS: DnsTraits = {
  batch_most: 1000,
  atomic: true,
  page_most: null,
  has_stamp: true,
  comment_most: 1000,
  has_proxy: false,
  ttl: { least: 0, most: LARGEST_TTL, automatic: false },
  makes_zones: false,
  limit: null,
}

export class PowerDnsProvider implements DnsProvider {
  readonly account: string
  readonly kind = PROVIDER
  readonly traits: DnsTraits
  readonly #api: JsonApi<Refusal>
  /** Two PATCHes of one zone at the same time fail with status 500, and have doubled records. */
  readonly #turns = new TurnTaking()

  constructor({ account, url, api_key, http, comments = true }: PowerDnsOptions) {
    this.account = account
    this.traits = comments ? TRAITS : { ...TRAITS, comment_most: null }
    this.#api = jsonApi({
      provider: PROVIDER,
      http,
      base: `${url.replace(/\/+$/, '')}/api/v1/servers/localhost`,
      credential: api_key,
      authorize: (key) => ({ 'x-api-key': key }),
      refusal,
      words: ({ error, errors }) => [error, ...(errors ?? [])].join('; '),
      credential_hint:
        'The key must be the api-key of pdns.conf, and webserver-allow-from must let this host in.',
      usual_wait_ms: 60_000,
    })
  }

  async zones(signal: AbortSignal): Promise<DnsZone[]> {
    const what = 'list the zones'
    const { body } = await this.#ask({
      method: 'GET',
      path: '/zones?dnssec=false',
      answer: zoneList,
      what,
      signal,
    })
    const zones = reading({ provider: PROVIDER, zone: 'the server' }, () =>
      body.map((zone) => dnsZone(this.account, zone)),
    )
    return zones.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async stamp(zone: string, signal: AbortSignal): Promise<string | null> {
    const what = `read the serial of ${zone}`
    const path = `/zones/${zoneId(zone)}?rrsets=false`
    const { body } = await this.#ask({ method: 'GET', path, answer: zoneHead, what, signal })
    checkName(zone, body.name, what)
    return stampOf(body)
  }

  async list(zone: string, signal: AbortSignal): Promise<ListedRrset[]> {
    const { rrsets } = await this.#read(zone, signal)
    const listing = { provider: PROVIDER, zone }
    return reading(listing, () => {
      checkBegins(zone, rrsets)
      return wholeListing(
        listing,
        rrsets.map(listedSet).filter((set) => set !== null),
      )
    })
  }

  /** A server that does not know the filter shows the whole zone. */
  async at(zone: string, { name }: NamedTypes, signal: AbortSignal): Promise<ListedRrset[]> {
    const query = new URLSearchParams({ rrset_name: `${name}.` })
    const { rrsets } = await this.#read(zone, signal, `?${query.toString()}`)
    const listing = { provider: PROVIDER, zone }
    return reading(listing, () =>
      rrsets
        .filter((set) => absolute(set.name) === name)
        .map(listedSet)
        .filter((set) => set !== null),
    )
  }

  /** The server's own export: a walk through the zone that has nothing to do with its listing of sets. */
  async listAgain(zone: string, types: readonly string[], signal: AbortSignal): Promise<ListedRrset[]> {
    const what = `export ${zone}`
    const path = `/zones/${zoneId(zone)}/export`
    const { body } = await this.#ask({
      method: 'GET',
      path,
      answer: zoneExport,
      what,
      signal,
      deadline_ms: DEADLINE_MS,
    })
    return reading({ provider: PROVIDER, zone }, () => exportedSets(zone, body.zone, [...types, ...ALIASES]))
  }

  async change(zone: string, changes: readonly RrsetChange[], signal: AbortSignal): Promise<ChangeOutcome[]> {
    if (changes.length === 0) return []
    const options = { provider: PROVIDER, zone, traits: this.traits, usual_ttl: USUAL_TTL }
    const checked = checkChanges(changes, options)
    return this.#turns.take(zone, signal, async () => {
      const { kind, rrsets } = await this.#read(zone, signal)
      const why = whyNotWritable(kind)
      if (why !== null) throw new Failure('provider_refused', `${PROVIDER}: ${zone} is not written: ${why}.`)
      const there = reading({ provider: PROVIDER, zone }, () => {
        checkBegins(zone, rrsets)
        return new Map(rrsets.map((set) => [keyOf(set), set]))
      })
      await this.#patch(zone, patchesFor(checked, there, this.traits.comment_most), signal)
      return changes.map(() => ({ ok: true, ids: [] }))
    })
  }

  async #patch(zone: string, rrsets: readonly RrsetPatch[], signal: AbortSignal): Promise<void> {
    const what = `change ${rrsets.length === 1 ? '1 set' : `${rrsets.length} sets`} of ${zone}`
    const path = `/zones/${zoneId(zone)}`
    const { reply } = await this.#ask({
      method: 'PATCH',
      path,
      json: { rrsets },
      answer: z.undefined(),
      what,
      signal,
    })
    // The only answer to a change that was made. Anything else came from something on the way.
    if (reply.status !== 204 || reply.text !== '')
      throw unusable(PROVIDER, what, `the answer is not the one that the API promises (${reply.status})`)
  }

  async #read(zone: string, signal: AbortSignal, query = ''): Promise<ZoneWhole> {
    const what = listingOf(zone)
    const { body } = await this.#ask({
      method: 'GET',
      path: `/zones/${zoneId(zone)}${query}`,
      answer: zoneWhole,
      what,
      signal,
      deadline_ms: DEADLINE_MS,
    })
    checkName(zone, body.name, what)
    return body
  }

  #ask<T>(call: ApiCall<T>) {
    return this.#api.ask({ ...call, ...(call.method !== 'GET' && { deadline_ms: DEADLINE_MS }) })
  }
}

function checkName(zone: string, name: string, what: string): void {
  const found = reading({ provider: PROVIDER, zone }, () => absolute(name))
  if (found !== zone) throw unusable(PROVIDER, what, `the answer is about the zone ${found}`)
}

/** The API tells no total, but every zone that is served has its start of authority: without it the rest says nothing. */
function checkBegins(zone: string, rrsets: readonly WireRrset[]): void {
  if (rrsets.some((set) => set.type === 'SOA' && absolute(set.name) === zone)) return
  const why = 'the start of authority of the zone itself is missing, so more may be'
  throw unusable(PROVIDER, listingOf(zone), why)
}

const keyOf = ({ name, type }: WireRrset): string => rrsetKey({ name: absolute(name), type })

// The sets in an export of PowerDNS: a line for each record that is served, with tabs between its fields.

/**
 * The sets of these types; what else stands there need not be understood. Throws RecordFault for a line that cannot be
 * read, and where the start of authority is missing: then more may be.
 */
export function exportedSets(zone: string, text: string, types: readonly string[]): ListedRrset[] {
  const sets = new Map<string, ListedRrset & { readonly values: string[] }>()
  let begins = false
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const { name, type, ttl, content } = fieldsOf(line)
    begins ||= type === 'SOA' && name === zone
    if (!types.includes(type)) continue
    const value = fromPresented(type, content)
    const known = sets.get(rrsetKey({ name, type }))
    if (known !== undefined) known.values.push(value)
    else sets.set(rrsetKey({ name, type }), { name, type, ttl, values: [value], ...UNTOLD })
  }
  if (!begins) throw new RecordFault('is missing: the start of authority of the zone itself')
  return [...sets.values()].map((set) => ({ ...set, values: [...new Set(set.values)].sort() }))
}

const UNTOLD = { ids: [], comment: null, proxied: null }

function fieldsOf(line: string) {
  const [name = '', ttl, , type, ...content] = line.split('\t')
  if (type === undefined || content.length === 0)
    throw new RecordFault('is not told by name, type and content')
  return { name: absolute(name), type, ttl: Number(ttl), content: content.join('\t') }
}
