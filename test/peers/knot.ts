/** Knot DNS: zones that take updates and give transfers to whoever holds one of the keys. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digStatus, servesZone, type TsigKey } from './dig.ts'
import { type Peer, runTool, startPeer, until } from './peer.ts'
import { newZoneText } from './zone-text.ts'

export interface Knot extends Peer {
  readonly dns_port: number
  /** A new zone with one name server, served when the promise resolves. */
  addZone(zone: string): Promise<void>
  /** Its command-line tool, speaking to this server. */
  control(...args: readonly string[]): Promise<string>
  /** Changes the zone in one transaction. Throws with its words where one of the commands is refused. */
  edit(zone: string, commands: readonly ZoneCommand[]): Promise<void>
}

/** Such as `['set', 'app', '60', 'A', '192.0.2.1']`: what follows `zone-` and the zone. */
export type ZoneCommand = readonly ['set' | 'unset', ...string[]]

export interface KnotOptions {
  readonly keys: readonly TsigKey[]
}

export const KNOT_PROGRAMS = ['knotd', 'knotc', 'dig'] as const

export async function startKnot({ keys }: KnotOptions): Promise<Knot> {
  const zones: string[] = []
  const write = (directory: string, port: number) =>
    writeFileSync(join(directory, 'knot.conf'), settings({ directory, port, keys, zones }), { mode: 0o600 })
  const { peer, ports } = await startPeer({
    name: 'knot',
    ports: 1,
    async prepare(directory, [port = 0]) {
      for (const folder of ['zones', 'database', 'run']) mkdirSync(join(directory, folder))
      write(directory, port)
      return {
        program: 'knotd',
        args: ['-c', join(directory, 'knot.conf')],
        ready: async () => (await digStatus(port, 'example.test', 'SOA')) !== '',
      }
    },
  })
  const [dns_port = 0] = ports
  const socket = () => ['-s', join(peer.directory, 'run', 'knot.sock')]
  const control = (...args: readonly string[]) => runTool('knotc', [...socket(), ...args])
  return {
    ...peer,
    dns_port,
    control,
    async edit(zone, commands) {
      const changes = commands.map(([verb, ...words]) => [`zone-${verb}`, zone, ...words])
      const lines = [['zone-begin', zone], ...changes]
      // One process for all of them, which goes on after one that is refused.
      const said = await runTool(
        'knotc',
        socket(),
        lines.map((line) => line.map(quoted).join(' ')).join('\n'),
      )
      if (!/^error: /m.test(said)) return void (await control('zone-commit', zone))
      await control('zone-abort', zone)
      throw new Error(`knotc: ${said}`)
    },
    async addZone(zone) {
      writeFileSync(join(peer.directory, 'zones', `${zone}.zone`), newZoneText(zone))
      zones.push(zone)
      write(peer.directory, dns_port)
      await control('reload')
      await until(`Knot to serve ${zone}`, () => servesZone(dns_port, zone))
    },
  }
}

/** Taken as one word, with its blanks and double quotes. */
const quoted = (word: string): string => `'${word}'`

interface Settings {
  readonly directory: string
  readonly port: number
  readonly keys: readonly TsigKey[]
  readonly zones: readonly string[]
}

const settings = ({ directory, port, keys, zones }: Settings): string => `server:
    listen: 127.0.0.1@${port}
    rundir: ${join(directory, 'run')}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: ${join(directory, 'database')}
log:
  - target: stderr
    any: info
key:
${keys.map(({ name, algorithm, secret }) => `  - id: ${name}\n    algorithm: ${algorithm}\n    secret: ${secret}`).join('\n')}
acl:
  - id: holders
    address: 127.0.0.1
    key: [${keys.map(({ name }) => name).join(', ')}]
    action: [update, transfer]
template:
  - id: default
    storage: ${join(directory, 'zones')}
    file: "%s.zone"
    zonefile-sync: 0
    acl: [holders]
${zones.length === 0 ? '' : 'zone:\n'}${zones.map((zone) => `  - domain: ${zone}\n`).join('')}`
