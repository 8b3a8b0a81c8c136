/** A way over UDP to a name server that can fall silent, or show an old address in place of the new one. */
import { createSocket, type Socket } from 'node:dgram'
import { connect, createServer } from 'node:net'
import { freePort } from '../kit/ports.ts'

export interface NameServerWay {
  readonly port: number
  /** `silent`: nothing comes back. `stale`: answers hold `old` where `now` stands. */
  be(mood: 'open' | 'silent' | 'stale'): void
  close(): Promise<void>
}

/** IPv4 addresses as they stand in an A record. */
export interface Shown {
  readonly now: string
  readonly old: string
}

export async function nameServerWay(target_port: number, { now, old }: Shown): Promise<NameServerWay> {
  let mood: 'open' | 'silent' | 'stale' = 'open'
  const asking = new Set<Socket>()
  const server = createSocket('udp4')
  server.on('message', (question, { port, address }) => {
    if (mood === 'silent') return
    const upstream = createSocket('udp4')
    asking.add(upstream)
    const end = () => void (asking.delete(upstream) && upstream.close())
    upstream.on('error', end)
    upstream.on('message', (answer) => {
      server.send(mood === 'stale' ? replaced(answer, bytesOf(now), bytesOf(old)) : answer, port, address)
      end()
    })
    upstream.send(question, target_port, '127.0.0.1')
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.bind(port, '127.0.0.1', resolve))
  // What does not fit into a datagram, as the answer to a challenge may not.
  const tcp = createServer((client) => {
    if (mood !== 'open') return void client.destroy()
    const upstream = connect(target_port, '127.0.0.1')
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve))
  return {
    port,
    be: (next) => void (mood = next),
    async close() {
      for (const upstream of asking) upstream.close()
      asking.clear()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await new Promise((resolve) => tcp.close(resolve))
    },
  }
}

const bytesOf = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

function replaced(answer: Buffer, from: Buffer, to: Buffer): Buffer {
  const copy = Buffer.from(answer)
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 4)) to.copy(copy, at)
  return copy
}
