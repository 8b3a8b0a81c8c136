/** One zone's file: read and parsed, changed, made. Everything that can go wrong names the file and the cure. */
import { setImmediate } from 'node:timers/promises'
import type { Clock, Instant } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { FileLook, ManagedFile } from '../../../../ports/files.ts'
import type { CheckedChange } from '../checked-change.ts'
import { absoluteName, isBelow, nameToWire, normalName } from '../domain-name.ts'
import type { PlaceFault } from '../port.ts'
import { RecordFault } from '../record-fault.ts'
import { changedText } from './change.ts'
import { type ParsedZone, parseZone } from './parse.ts'
import { dateSerial } from './serial.ts'
import { ZoneFault } from './zone-fault.ts'

/** No larger file is read or written. */
export const MAX_ZONE_BYTES = 64 * 1024 * 1024
const MODE = 0o644
const MAX_TRIES = 3
// The file port does not trust a stamp this close to a change; a little later it does.
const SETTLING_MS = 25

interface Read {
  readonly zone: ParsedZone
  readonly digest: string
}

export class ZoneFile {
  readonly #zone: string
  readonly #file: ManagedFile
  readonly #clock: Clock

  constructor(zone: string, file: ManagedFile, clock: Clock) {
    this.#zone = zone
    this.#file = file
    this.#clock = clock
  }

  /** Calls `hint` when the file may have changed. */
  watch(hint: () => void): { close(): void } {
    return this.#file.watch(hint)
  }

  /** The file belongs to people as much as to us: its mode is told, and put right with the next write. */
  async placeFault(): Promise<PlaceFault | null> {
    const detail = await this.#file.placeFault()
    return detail === null ? null : { item: this.#file.path, detail }
  }

  async read(signal: AbortSignal): Promise<ParsedZone> {
    return (await this.#read(signal)).zone
  }

  /** Null where there is no telling; the file is not opened. */
  async stamp(signal: AbortSignal): Promise<string | null> {
    let stamp = this.#file.glance()
    for (let tries = 1; stamp === null && tries < MAX_TRIES; tries++) {
      await this.#clock.sleep(SETTLING_MS, signal)
      stamp = this.#file.glance()
    }
    return stamp === 'absent' ? null : stamp
  }

  /**
   * True when something was written. Somebody who saves the file meanwhile is not overwritten: it is read again.
   * @param check what is to be changed in a zone like this
   * @param beforeWrite for what must be durable before the file is
   */
  async change(
    check: (zone: ParsedZone) => readonly CheckedChange[],
    beforeWrite: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const { zone, digest } = await this.#read(signal)
      const text = this.#parsed(() => changedText(zone, check(zone), this.#clock.now()))
      if (text === null) return false
      await beforeWrite()
      if (await this.#replace(text, digest, signal)) return true
    }
    throw this.#unavailable(
      `changed each of the ${MAX_TRIES} times it was about to be written. Find out who keeps writing to it`,
    )
  }

  /** Leaves alone what stands there. */
  async make(wanted: NewZone, now: Instant, signal: AbortSignal): Promise<void> {
    const look = await this.#file.look(signal)
    if (look.kind === 'file') return
    if (look.kind !== 'absent') throw this.#fault(look)
    await this.#replace(newZoneText(wanted, now), null, signal)
  }

  async #read(signal: AbortSignal): Promise<Read> {
    const look = await this.#file.look(signal)
    if (look.kind !== 'file') throw this.#fault(look)
    // Parsing is synchronous: an abort that came during the read is heard first.
    await setImmediate()
    signal.throwIfAborted()
    const text = Buffer.from(look.bytes.buffer, look.bytes.byteOffset, look.bytes.byteLength).toString(
      'latin1',
    )
    return { zone: this.#parsed(() => parseZone(this.#zone, text)), digest: look.digest }
  }

  #parsed<T>(operation: () => T): T {
    try {
      return operation()
    } catch (error) {
      if (!(error instanceof ZoneFault)) throw error
      throw this.#unavailable(
        `cannot be read as a zone: line ${error.line} ${error.message}. Mend that line; until then the file is left alone`,
      )
    }
  }

  /** @param expected the digest of what must stand there, null for nothing @returns false where it is something else by now */
  async #replace(text: string, expected: string | null, signal: AbortSignal): Promise<boolean> {
    const bytes = Buffer.from(text, 'latin1')
    if (bytes.length > MAX_ZONE_BYTES)
      throw new Failure(
        'provider_refused',
        `zonefile: ${this.#file.path} would grow beyond ${MAX_ZONE_BYTES} bytes. Nothing was changed.`,
      )
    const how = { mode: MODE, keeps_mode: true, expected, evidence: false } as const
    try {
      await this.#file.replace([bytes], how, signal)
      return true
    } catch (error) {
      if (error instanceof Failure && error.code === 'conflict') return false
      throw error
    }
  }

  #fault(look: Exclude<FileLook, { kind: 'file' }>): Failure {
    switch (look.kind) {
      case 'absent':
        return this.#unavailable(
          'does not exist. Put the file back; where it is lost, write one with the SOA and NS records of the zone, and with what others had in it',
        )
      case 'oversize':
        return this.#unavailable(
          `has ${look.size} bytes, more than the ${MAX_ZONE_BYTES} that are read. Divide the zone`,
        )
      case 'intruder':
        return this.#unavailable(`is a ${look.what}, not a file. Put the zone itself there`)
    }
  }

  #unavailable(what: string): Failure {
    return new Failure('component_unavailable', `zonefile: ${this.#file.path} ${what}.`)
  }
}

// The first text of a zone: SOA and NS, nothing else.

// Secondaries ask every three hours and again after one, serve on for two weeks; a name that is missing is asked for
// again after five minutes, since names appear by deploys (RFC 2308 §5).
const TIMERS = '10800 3600 1209600 300'

interface NewZone {
  readonly zone: string
  /** Host names, at least one. */
  readonly nameservers: readonly string[]
  /** Mailbox as a name, `hostmaster.example.com`; null for that of the zone itself. */
  readonly contact: string | null
}

/** Throws `provider_refused` where no server would load the outcome. */
function newZoneText({ zone, nameservers, contact }: NewZone, now: Instant): string {
  const servers = [...new Set(nameservers.map((server) => written(server, zone)))]
  const [primary] = servers
  if (primary === undefined) throw refused(zone, 'no name server is set for new zones')
  const inside = servers.find((server) => isBelow(server, zone))
  if (inside !== undefined)
    throw refused(
      zone,
      `its name server ${inside} lies in the zone itself and needs an address record there. Write the file once by hand`,
    )
  const mailbox = contact === null ? `hostmaster.${zone}` : written(contact, zone)
  return [
    `$TTL 3600`,
    `@\tIN\tSOA\t${absoluteName(primary)} ${absoluteName(mailbox)} ${dateSerial(now)} ${TIMERS}`,
    ...servers.map((server) => `@\tIN\tNS\t${absoluteName(server)}`),
    '',
  ].join('\n')
}

function written(name: string, zone: string): string {
  try {
    const normal = normalName(name.endsWith('.') ? name : `${name}.`, '.')
    nameToWire(normal)
    return normal
  } catch (error) {
    throw error instanceof RecordFault ? refused(zone, `a name in its settings ${error.message}`) : error
  }
}

const refused = (zone: string, why: string): Failure =>
  new Failure('provider_refused', `zonefile: the zone ${zone} cannot be made: ${why}.`)
