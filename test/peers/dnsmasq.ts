/** dnsmasq as the resolver of a small network, with the settings that a test gives it and nothing of the machine's. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { digStatus } from './dig.ts'
import { type Peer, startPeer } from './peer.ts'

export interface Dnsmasq extends Peer {
  readonly dns_port: number
  /** Every file in it is read at the start (`conf-dir`). */
  readonly config_directory: string
  /** Every file in it is read at the start and at every `reload`, as /etc/hosts is written (`hostsdir`, `addn-hosts`). */
  readonly hosts_file: string
  /** SIGHUP: hosts files are read anew, settings are not. */
  reload(): void
}

export interface DnsmasqOptions {
  /** Files by name, placed into the folder of settings. */
  readonly config?: Readonly<Record<string, string>>
  /** The first text of the hosts file. */
  readonly hosts?: string
}

export const DNSMASQ_PROGRAMS = ['dnsmasq', 'dig'] as const

export async function startDnsmasq({ config = {}, hosts = '' }: DnsmasqOptions = {}): Promise<Dnsmasq> {
  const { peer, ports } = await startPeer({
    name: 'dnsmasq',
    ports: 1,
    async prepare(directory, [port = 0]) {
      mkdirSync(join(directory, 'conf.d'), { mode: 0o755 })
      for (const [name, text] of Object.entries(config)) writeFileSync(join(directory, 'conf.d', name), text)
      writeFileSync(join(directory, 'hosts'), hosts, { mode: 0o644 })
      writeFileSync(join(directory, 'dnsmasq.conf'), settings(directory, port))
      return {
        program: 'dnsmasq',
        args: ['--keep-in-foreground', `--conf-file=${join(directory, 'dnsmasq.conf')}`],
        ready: async () => (await digStatus(port, 'example.test', 'A')) !== '',
      }
    },
  })
  const [dns_port = 0] = ports
  return {
    ...peer,
    dns_port,
    config_directory: join(peer.directory, 'conf.d'),
    hosts_file: join(peer.directory, 'hosts'),
    reload: () => void process.kill(peer.pid, 'SIGHUP'),
  }
}

/** It keeps the user that started it, so it may read the folder; nothing is asked of the outside. */
const settings = (directory: string, port: number): string => `port=${port}
listen-address=127.0.0.1
bind-interfaces
no-resolv
no-hosts
no-poll
local=/test/
user=${userInfo().username}
pid-file=
log-facility=-
addn-hosts=${join(directory, 'hosts')}
conf-dir=${join(directory, 'conf.d')}
`
