/** Asks the servers of the settings what they serve at a name, and a sibling of it whether a wildcard made that up. */
import { randomBytes } from 'node:crypto'
import { hostPort } from '../../../model/network/address.ts'
import type { DnsLookup, DnsLookupType, DnsServer } from '../lookup/port.ts'
import type { NamedTypes } from '../providers/port.ts'
import type { ServedRecords, ServedRrset } from '../target/served-records.ts'
import type { NameServers } from './name-servers.ts'

export interface ServedNameParts {
  readonly lookup: DnsLookup
  readonly servers: Pick<NameServers, 'of'>
}

const ASKED: readonly DnsLookupType[] = ['A', 'AAAA']

export class ServedNames implements ServedRecords {
  readonly #parts: ServedNameParts

  constructor(parts: ServedNameParts) {
    this.#parts = parts
  }

  async at(zone: string, wanted: NamedTypes, signal: AbortSignal): Promise<readonly ServedRrset[]> {
    const found = await this.#parts.servers.of(zone, signal)
    if (!found.ok) return []
    const answers = found.servers.map(({ server }) => this.#atServer(server, wanted, signal))
    return (await Promise.all(answers)).flat()
  }

  async #atServer(
    server: DnsServer,
    { name, types }: NamedTypes,
    signal: AbortSignal,
  ): Promise<readonly ServedRrset[]> {
    const of = ASKED.filter((type) => types.includes(type))
    const found = await this.#sets(server, { name, types: of }, signal)
    if (found.length === 0 || name.startsWith('*.')) return found
    const sibling = `${randomBytes(8).toString('hex')}.${name.slice(name.indexOf('.') + 1)}`
    const made_up = await this.#sets(server, { name: sibling, types: of }, signal)
    return found.filter(
      ({ type, values }) =>
        !made_up.some((other) => other.type === type && other.values.join() === values.join()),
    )
  }

  /** An alias in the place of several types is told once. */
  async #sets(
    server: DnsServer,
    { name, types }: { readonly name: string; readonly types: readonly DnsLookupType[] },
    signal: AbortSignal,
  ): Promise<readonly ServedRrset[]> {
    const sets = new Map<string, ServedRrset>()
    for (const type of types) {
      const reply = await this.#parts.lookup.ask({ server, name, type, recursion: false, signal })
      if (!reply.ok || !reply.authoritative) continue
      const own = reply.answers.filter((record) => record.name === name)
      for (const one of [type, 'CNAME']) {
        const records = own.filter((record) => record.type === one)
        const [first] = records
        if (first === undefined) continue
        const values = [...new Set(records.map(({ value }) => value))].sort()
        const { ttl } = first
        sets.set(one, { name, type: one, ttl, values, server: hostPort(server.address, server.port) })
      }
    }
    return [...sets.values()]
  }
}
