/** Whether a challenge's TXT value can be seen at every server that an authority may ask. */
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import type { ChallengeRecord, ChallengeRecords } from './port.ts'
import type { DnsServer } from '../lookup/port.ts'
import { hostPort } from '../../../model/network/address.ts'
import {
  type NameServer,
  NameServers,
  type NameServerParts,
  type ZoneServers,
} from '../zones/name-servers.ts'

export interface ChallengeVisibilityParts extends NameServerParts {
  /** The zone that holds a name; null where no account has one. */
  readonly zoneFor: (name: string) => string | null
}

type Visibility = Awaited<ReturnType<ChallengeRecords['visible']>>

/** What one server said of the value. `skipped`: this host has no way there, which says nothing about the server. */
export type ServerAnswer = 'shown' | 'skipped' | { readonly detail: string }

export class ChallengeVisibility implements Pick<ChallengeRecords, 'visible'> {
  readonly #parts: ChallengeVisibilityParts
  readonly #name_servers: NameServers

  constructor(parts: ChallengeVisibilityParts) {
    this.#parts = parts
    this.#name_servers = new NameServers(parts)
  }

  /** Resolvers are not asked: one that has kept "not there" would only make the wait longer. */
  async visible(record: ChallengeRecord, signal: AbortSignal): Promise<Visibility> {
    const zone = this.#parts.zoneFor(record.name)
    if (zone === null)
      return { visible: false, detail: `no DNS account that answers has a zone for ${record.name}` }
    const found = await this.#serversOf(zone, signal)
    if (!found.ok) return { visible: false, detail: found.detail }
    return visibilityOf(await Promise.all(found.servers.map((server) => this.#ask(server, record, signal))))
  }

  /** The search may be another caller's, and end when that one leaves: then there is another. */
  async #serversOf(zone: string, signal: AbortSignal): Promise<ZoneServers> {
    try {
      return await untilAborted(this.#name_servers.of(zone, signal), signal)
    } catch {
      signal.throwIfAborted()
      return untilAborted(this.#name_servers.of(zone, signal), signal)
    }
  }

  async #ask(
    server: NameServer,
    { name, value }: ChallengeRecord,
    signal: AbortSignal,
  ): Promise<ServerAnswer> {
    const question = { server: server.server, name, type: 'TXT' as const, recursion: false, signal }
    const reply = await this.#parts.lookup.ask(question)
    if (!reply.ok) return reply.reason === 'no_route' ? 'skipped' : { detail: reply.detail }
    const who = called(server)
    if (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN')
      return { detail: `${who} answered ${reply.rcode}` }
    if (!reply.authoritative) return { detail: `${who} does not serve the zone of ${name}` }
    const is_shown = reply.answers.some(
      (one) => one.type === 'TXT' && one.name === name && one.value === value,
    )
    return is_shown ? 'shown' : { detail: `${who} does not show it yet` }
  }
}

/** Pure. Servers that this host has no way to are left out, unless they are all that there are. */
export function visibilityOf(answers: readonly ServerAnswer[]): Visibility {
  const details = answers.flatMap((visibility) => (typeof visibility === 'object' ? [visibility.detail] : []))
  if (details.length > 0) return { visible: false, detail: details.join('; ') }
  return answers.includes('shown')
    ? { visible: true, detail: null }
    : { visible: false, detail: 'none of its name servers can be reached from this host' }
}

function called({ host, server }: { readonly host: string; readonly server: DnsServer }): string {
  const place = hostPort(server.address, server.port)
  return host === server.address ? place : `${host} (${place})`
}
