/** Alertmanager over a configuration that somebody else writes, alone, with its API on loopback. */
import { join } from 'node:path'
import { fetch } from 'undici'
import { type Peer, startPeer } from './peer.ts'

export const ALERTMANAGER = 'prometheus-alertmanager'

export interface Alertmanager extends Peer {
  /** `http://127.0.0.1:…` */
  readonly origin: string
  /** `GET /api/v2/…` */
  ask(path: string): Promise<unknown>
}

/**
 * @param port where it listened before; left out: a free one
 * @param storage a folder that outlives it; left out: one of its own
 */
export async function startAlertmanager(
  config: string,
  port?: number,
  storage?: string,
): Promise<Alertmanager> {
  const { peer, ports } = await startPeer({
    name: 'alertmanager',
    ports: 1,
    prepare(directory, [free = 0]) {
      const listen = `127.0.0.1:${port ?? free}`
      return Promise.resolve({
        program: ALERTMANAGER,
        args: [
          `--config.file=${config}`,
          `--storage.path=${storage ?? join(directory, 'data')}`,
          `--web.listen-address=${listen}`,
          `--web.external-url=http://${listen}`,
          '--cluster.listen-address=',
        ],
        ready: async () => (await fetch(`http://${listen}/-/ready`)).status === 200,
      })
    },
  })
  const origin = `http://127.0.0.1:${port ?? ports[0] ?? 0}`
  return { ...peer, origin, ask: async (path) => (await fetch(`${origin}/api/v2/${path}`)).json() }
}
