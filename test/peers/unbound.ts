/** Unbound as the resolver of a small network, with the settings that a test gives it and nothing of the machine's. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digStatus } from './dig.ts'
import { type Peer, runTool, startPeer } from './peer.ts'

export interface Unbound extends Peer {
  readonly dns_port: number
  /** Every `*.conf` in it is read at the start and at every `reload`. */
  readonly config_directory: string
  reload(): Promise<void>
}

export interface UnboundOptions {
  /** Files by name (`*.conf`), placed into the folder of settings. */
  readonly config?: Readonly<Record<string, string>>
}

export const UNBOUND_PROGRAMS = ['unbound', 'unbound-control', 'dig'] as const

export async function startUnbound({ config = {} }: UnboundOptions = {}): Promise<Unbound> {
  const { peer, ports } = await startPeer({
    name: 'unbound',
    ports: 1,
    async prepare(directory, [port = 0]) {
      mkdirSync(join(directory, 'conf.d'))
      for (const [name, text] of Object.entries(config)) writeFileSync(join(directory, 'conf.d', name), text)
      writeFileSync(join(directory, 'unbound.conf'), settings(directory, port))
      return {
        program: 'unbound',
        args: ['-d', '-p', '-c', join(directory, 'unbound.conf')],
        ready: async () => (await digStatus(port, 'example.test', 'A')) !== '',
      }
    },
  })
  const [dns_port = 0] = ports
  return {
    ...peer,
    dns_port,
    config_directory: join(peer.directory, 'conf.d'),
    reload: async () =>
      void (await runTool('unbound-control', ['-c', join(peer.directory, 'unbound.conf'), 'reload'])),
  }
}

/** It keeps the user that started it; the names of the outside are refused, so nothing is asked there. */
const settings = (directory: string, port: number): string => `server:
  interface: 127.0.0.1
  port: ${port}
  do-daemonize: no
  use-syslog: no
  logfile: ""
  username: ""
  chroot: ""
  directory: "${directory}"
  pidfile: ""
  num-threads: 1
  module-config: "iterator"
  do-not-query-localhost: no
  local-zone: "." refuse
remote-control:
  control-enable: yes
  control-use-cert: no
  control-interface: "${join(directory, 'control.sock')}"
include: "${join(directory, 'conf.d')}/*.conf"
`
