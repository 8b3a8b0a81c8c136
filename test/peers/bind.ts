/** BIND: zones that take updates and give transfers to whoever holds one of the keys. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digStatus, servesZone, type TsigKey } from './dig.ts'
import { type Peer, startPeer, until } from './peer.ts'
import { newZoneText } from './zone-text.ts'

export interface Bind extends Peer {
  readonly dns_port: number
  /** A new zone with one name server, served when the promise resolves. */
  addZone(zone: string): Promise<void>
}

export interface BindOptions {
  readonly keys: readonly TsigKey[]
}

export const BIND_PROGRAMS = ['named', 'dig'] as const

export async function startBind({ keys }: BindOptions): Promise<Bind> {
  const zones: string[] = []
  const write = (directory: string, port: number) =>
    writeFileSync(join(directory, 'named.conf'), settings({ directory, port, keys, zones }), { mode: 0o600 })
  const { peer, ports } = await startPeer({
    name: 'bind',
    ports: 1,
    async prepare(directory, [port = 0]) {
      mkdirSync(join(directory, 'zones'))
      write(directory, port)
      return {
        program: 'named',
        args: ['-g', '-n', '1', '-c', join(directory, 'named.conf')],
        ready: async () => (await digStatus(port, 'example.test', 'SOA')) !== '',
      }
    },
  })
  const [dns_port = 0] = ports
  return {
    ...peer,
    dns_port,
    async addZone(zone) {
      writeFileSync(join(peer.directory, 'zones', `${zone}.zone`), newZoneText(zone))
      zones.push(zone)
      write(peer.directory, dns_port)
      process.kill(peer.pid, 'SIGHUP')
      await until(`BIND to serve ${zone}`, () => servesZone(dns_port, zone))
    },
  }
}

interface Settings {
  readonly directory: string
  readonly port: number
  readonly keys: readonly TsigKey[]
  readonly zones: readonly string[]
}

function settings({ directory, port, keys, zones }: Settings): string {
  const key = ({ name, algorithm, secret }: TsigKey) =>
    `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };`
  const grants = keys.map(({ name }) => `grant ${name} zonesub ANY;`).join(' ')
  const holders = keys.map(({ name }) => `key ${name};`).join(' ')
  const zoneBlock = (zone: string) =>
    `zone "${zone}" { type primary; file "zones/${zone}.zone"; update-policy { ${grants} }; allow-transfer { ${holders} }; };`
  return `options {
  directory "${directory}";
  pid-file none;
  lock-file none;
  session-keyfile "${join(directory, 'session.key')}";
  managed-keys-directory "${directory}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion no;
  notify no;
  dnssec-validation no;
};
controls { };
${keys.map(key).join('\n')}
${zones.map(zoneBlock).join('\n')}
`
}
