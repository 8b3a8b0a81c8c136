/** Knot, BIND and PowerDNS behind one face, for suites that ask the same of each of them. */
import { randomInt } from 'node:crypto'
import { Rfc2136Provider } from '../../../../src/features/dns/providers/rfc2136/provider.ts'
import type { TsigAlgorithm } from '../../../../src/features/dns/providers/rfc2136/tsig-algorithms.ts'
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { OpenedProvider, World } from '../../../contract/dns-provider/opened.ts'
import { presentation } from '../../../contract/dns-provider/presentation.ts'
import { BIND_PROGRAMS, startBind } from '../../../peers/bind.ts'
import type { TsigKey } from '../../../peers/dig.ts'
import { KNOT_PROGRAMS, startKnot } from '../../../peers/knot.ts'
import { nsupdate as sendUpdate } from '../../../peers/nsupdate.ts'
import type { Peer } from '../../../peers/peer.ts'
import type { describePeers } from '../../../peers/peers.ts'
import { POWERDNS_PROGRAMS, startPowerDns } from '../../../peers/powerdns.ts'
import { transferred } from '../../../peers/transferred.ts'

export interface NameServer extends Peer {
  readonly dns_port: number
  addZone(zone: string): Promise<void>
  /** From now on it fails at every change of this name; left out where it cannot be made to. */
  failAt?(name: string): Promise<void>
}

export interface Software {
  readonly title: string
  readonly programs: Parameters<typeof describePeers>[0]
  readonly start: (keys: readonly TsigKey[]) => Promise<NameServer>
}

export const SOFTWARE: readonly Software[] = [
  { title: 'Knot', programs: [...KNOT_PROGRAMS, 'nsupdate'], start: (keys) => startKnot({ keys }) },
  { title: 'BIND', programs: [...BIND_PROGRAMS, 'nsupdate'], start: (keys) => startBind({ keys }) },
  {
    title: 'PowerDNS',
    programs: [...POWERDNS_PROGRAMS, 'nsupdate'],
    start: (keys) => startPowerDns({ keys }),
  },
]

const secretOf = (octets: number): string => Buffer.alloc(octets, 'k').toString('base64')
export const KEYS: readonly TsigKey[] = [
  { name: 'main-key', algorithm: 'hmac-sha256', secret: secretOf(32) },
  { name: 'key384', algorithm: 'hmac-sha384', secret: secretOf(48) },
  { name: 'key512', algorithm: 'hmac-sha512', secret: secretOf(64) },
]
const [MAIN_KEY] = KEYS as readonly [TsigKey]

export interface ProviderWish {
  readonly zones: readonly string[]
  readonly key?: { readonly name?: string; readonly algorithm?: TsigAlgorithm; readonly secret?: string }
  readonly clock?: Clock
}

export function providerAt(
  port: number,
  { zones, key = {}, clock = systemClock }: ProviderWish,
): Rfc2136Provider {
  const { name, algorithm, secret } = { ...MAIN_KEY, ...key }
  return new Rfc2136Provider(
    {
      account: 'default',
      server: { host: '127.0.0.1', port },
      zones,
      key: { name, algorithm, secret: new Secret(secret) },
    },
    { clock },
  )
}

export const newZoneName = (): string => `z${randomInt(1e9)}.example.org`

/** A fresh zone on the server, changed by `nsupdate` and read by `dig`: no code of ours on that side. */
export async function openZone(server: NameServer): Promise<OpenedProvider> {
  const zone = newZoneName()
  await server.addZone(zone)
  const at = (port: number, secret?: string) =>
    providerAt(port, { zones: [zone], ...(secret !== undefined && { key: { secret } }) })
  return {
    provider: at(server.dns_port),
    zone,
    world: {
      look: transferred(server.dns_port, zone, MAIN_KEY),
      addForeign: strangerAt(server.dns_port, zone),
    },
    withCredential: (secret) => at(server.dns_port, secret),
    atPort: (port) => at(port),
    ...(server.failAt !== undefined && { failAt: (name) => server.failAt!(name) }),
    close: async () => undefined,
  }
}

const strangerAt =
  (port: number, zone: string): World['addForeign'] =>
  ({ name, type, ttl, values }) =>
    nsupdate(port, [
      `zone ${zone}.`,
      ...values.map((value) => `update add ${name}. ${ttl} IN ${type} ${presentation(type, value)}`),
    ])

/** Sends the lines as one update. Throws with its words when the server refuses. */
export const nsupdate = (port: number, lines: readonly string[]): Promise<void> =>
  sendUpdate(port, MAIN_KEY, lines)
