/**
 * Any name server that takes dynamic updates (RFC 2136) and gives zone transfers (RFC 5936), both signed with one key
 * (TSIG, RFC 8945), over TCP: BIND, Knot, PowerDNS, NSD's primaries behind them.
 */
import type { PeerGate } from '../../../../kernel/async/peer-gate.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { DnsZone, ListedRrset } from '../../../../model/network/dns.ts'
import { checkChanges } from '../checked-change.ts'
import type { ChangeOutcome, DnsProvider, DnsTraits, NamedTypes, RrsetChange } from '../port.ts'
import { valueOf, valueOfData } from '../rdata.ts'
import { RecordFault } from '../record-fault.ts'
import { outcomeTogether } from '../server-failure.ts'
import { LARGEST_TTL, USUAL_TTL } from '../ttl.ts'
import { brokenOff } from './connection.ts'
import { CLASS, type Message, OPCODE, TYPE } from './message.ts'
import { checkKey, checkName, type Rfc2136Settings } from './settings.ts'
import { standingAt } from './standing-at.ts'
import { ask, askOnce, malformed, question, type Talk, whereabouts } from './talk.ts'
import { Transfer } from './transfer.ts'
import { isToBeChecked, packUpdates, type Update, updateSections } from './update.ts'

const MAX_SILENCE_MS = 10_000

export interface Rfc2136Tools {
  readonly clock: Clock
  /** The longest silence of the server; 10 s when left out, and 5 s after a question about one name. */
  readonly idle_ms?: number
  /** Knows whether the server answers; left out, each caller waits for itself. */
  readonly gate?: PeerGate
}

const TRAITS: DnsTraits = {
  batch_most: 200,
  atomic: true,
  page_most: null,
  has_stamp: true,
  comment_most: null,
  has_proxy: false,
  ttl: { least: 0, most: LARGEST_TTL, automatic: false },
  makes_zones: false,
  limit: null,
}

export class Rfc2136Provider implements DnsProvider {
  readonly kind = 'rfc2136'
  readonly account: string
  readonly traits = TRAITS
  readonly #zones: readonly string[]
  readonly #talk: Talk

  /** Throws `bad_configuration`. */
  constructor(
    { account, server, zones, key }: Rfc2136Settings,
    { clock, idle_ms = MAX_SILENCE_MS, gate }: Rfc2136Tools,
  ) {
    this.account = account
    this.#zones = [...new Set(zones.map((zone) => checkName(zone, 'the name of a zone')))].sort()
    this.#talk = { server, key: checkKey(key), clock, idle_ms, gate }
  }

  /**
   * The zones of the settings. One that the server is not in charge of, or does not give to this key, is shown and not
   * written; a key that no zone takes is a Failure.
   */
  async zones(signal: AbortSignal): Promise<DnsZone[]> {
    const zones: DnsZone[] = []
    let refused: Failure | null = null
    for (const name of this.#zones) {
      const failure = await this.#zoneFailure(name, signal)
      if (failure?.code === 'provider_credentials') refused ??= failure
      zones.push({
        name,
        account: this.account,
        writable: failure === null,
        detail: failure?.message ?? null,
      })
    }
    if (refused !== null && !zones.some(({ writable }) => writable)) throw refused
    return zones
  }

  /** The serial of the SOA. A server raises it with every update; who edits its database by other ways must, too. */
  async stamp(zone: string, signal: AbortSignal): Promise<string> {
    const serial: Serial = await soaSerial(this.#talk, zone, signal)
    if (!serial.known) throw serial.failure
    return serial.serial
  }

  async list(zone: string, signal: AbortSignal): Promise<ListedRrset[]> {
    const transfer = new Transfer(zone)
    try {
      const request = question(zone, 'transfer', zone, TYPE.AXFR)
      for await (const { message, proved } of ask(this.#talk, request, signal)) {
        if (!transfer.take(message)) continue
        if (!proved) throw new RecordFault('ends the zone without a signature')
        return transfer.sets()
      }
    } catch (error) {
      throw error instanceof RecordFault ? malformed(this.#talk, zone, error) : error
    }
    throw brokenOff(this.#talk.server)
  }

  at(zone: string, wanted: NamedTypes, signal: AbortSignal): Promise<ListedRrset[]> {
    return standingAt(this.#talk, { zone, ...wanted }, signal)
  }

  /**
   * One message where the batch fits into 64 KiB. Of several, those before one that fails are applied, and their sets
   * are reported so.
   */
  async change(zone: string, changes: readonly RrsetChange[], signal: AbortSignal): Promise<ChangeOutcome[]> {
    const updates = this.#updatesFor(zone, changes)
    const outcomes = new Map<Update, ChangeOutcome>()
    for (const pack of packUpdates(zone, updates)) {
      try {
        await this.#send(zone, pack, signal)
      } catch (error) {
        if (outcomes.size === 0 || !(error instanceof Failure)) throw error
        // What was applied is told; the outcome of this message and of those behind it is in the next listing.
        for (const update of updates) if (!outcomes.has(update)) outcomes.set(update, outcomeTogether(error))
        break
      }
      for (const update of pack) outcomes.set(update, { ok: true, ids: [] })
    }
    for (const update of updates)
      if (outcomes.get(update)!.ok && isToBeChecked(update, updates))
        outcomes.set(update, await this.#checkAlias(zone, update, signal))
    return updates.map((update) => outcomes.get(update)!)
  }

  /** Checked; throws `provider_refused`. */
  #updatesFor(zone: string, changes: readonly RrsetChange[]): readonly Update[] {
    const options = { provider: this.kind, zone, traits: TRAITS, usual_ttl: USUAL_TTL }
    const updates = checkChanges(changes, options).map((checked, at): Update => ({
      ...checked,
      is_new: changes[at]!.seen === null,
    }))
    refuseApexServers(zone, updates)
    return updates
  }

  /** Why this zone, and no other for that, cannot be written; null where it can. */
  async #zoneFailure(zone: string, signal: AbortSignal): Promise<Failure | null> {
    try {
      const serial = await soaSerial(this.#talk, zone, signal)
      return serial.known ? null : serial.failure
    } catch (error) {
      if (error instanceof Failure && error.code === 'provider_credentials') return error
      throw error
    }
  }

  async #send(zone: string, pack: readonly Update[], signal: AbortSignal): Promise<void> {
    const sections = updateSections(zone, pack)
    await askOnce(this.#talk, { zone, operation: 'update', opcode: OPCODE.UPDATE, sections }, signal)
  }

  async #checkAlias(zone: string, update: Update, signal: AbortSignal): Promise<ChangeOutcome> {
    if (await isAliasThere(this.#talk, { zone, name: update.name, data: update.wanted!.data[0]! }, signal))
      return { ok: true, ids: [] }
    const message = `${whereabouts(this.#talk, zone)}: the alias (CNAME) ${update.name} was left out by the server, because other records stand at that name.`
    return { ok: false, code: 'provider_refused', message }
  }
}

/** RFC 2136 §3.4.2.3: a server leaves them in silence where they are to be taken away. */
function refuseApexServers(zone: string, updates: readonly Update[]): void {
  if (updates.some(({ name, type }) => name === zone && type === 'NS'))
    throw new Failure(
      'provider_refused',
      `rfc2136: the NS records of ${zone} itself cannot be replaced by dynamic update; change them at the server. Nothing was changed.`,
    )
}

// Small questions to the server itself: a zone's serial, and whether an alias stands.

/** `failure`: the server answers, and is not in charge of the zone. */
type Serial =
  | { readonly known: true; readonly serial: string }
  | { readonly known: false; readonly failure: Failure }

/** Throws a Failure when the server gives no answer that can be believed. */
async function soaSerial(talk: Talk, zone: string, signal: AbortSignal): Promise<Serial> {
  try {
    const message = await askOnce(talk, question(zone, 'query', zone, TYPE.SOA), signal)
    const serial = message.authoritative ? serialIn(message, zone) : null
    if (serial !== null) return { known: true, serial }
    const what = `${whereabouts(talk, zone)}: the server is not in charge of the zone. See that it is loaded there as a primary.`
    return { known: false, failure: new Failure('component_unavailable', what) }
  } catch (error) {
    if (error instanceof RecordFault) throw malformed(talk, zone, error)
    if (error instanceof Failure && error.details.facts?.['about_zone'] === true)
      return { known: false, failure: error }
    throw error
  }
}

function serialIn({ answers, bytes }: Message, zone: string): string | null {
  const soa = answers.find(
    ({ name, type, class: klass }) => name === zone && type === TYPE.SOA && klass === CLASS.IN,
  )
  if (soa === undefined) return null
  return valueOfData('SOA', { message: bytes, at: soa.data_at, end: soa.data_end }).split(' ')[2]!
}

interface Alias {
  readonly zone: string
  readonly name: string
  readonly data: Buffer
}

/** Whether the CNAME set of a name is this one value. */
async function isAliasThere(talk: Talk, { zone, name, data }: Alias, signal: AbortSignal): Promise<boolean> {
  try {
    const { answers, bytes } = await askOnce(talk, question(zone, 'query', name, TYPE.CNAME), signal)
    return answers
      .filter((record) => record.name === name && record.type === TYPE.CNAME)
      .some(
        ({ data_at, data_end }) =>
          valueOfData('CNAME', { message: bytes, at: data_at, end: data_end }) === valueOf('CNAME', data),
      )
  } catch (error) {
    throw error instanceof RecordFault ? malformed(talk, zone, error) : error
  }
}
