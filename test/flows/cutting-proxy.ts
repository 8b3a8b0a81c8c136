/** A way to a server that ends somebody's life when so many bytes have gone along it. */
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../kit/ports.ts'

export interface CuttingProxy {
  readonly port: number
  /** Bytes that clients sent so far. */
  readonly sent: number
  /** Calls `deed` once, in the very moment when the next `bytes` have been sent, before or after they are passed on. */
  cutAfter(bytes: number, moment: 'before' | 'after', deed: () => void): void
  close(): Promise<void>
}

/** @param listen_port where it is heard; a free one by default */
export async function cuttingProxy(target_port: number, listen_port?: number): Promise<CuttingProxy> {
  const port = listen_port ?? (await freePort())
  const open = new Set<Socket>()
  let sent = 0
  let cut: { readonly at: number; readonly moment: 'before' | 'after'; readonly deed: () => void } | null =
    null
  const server = createServer((client) => {
    const upstream = connect(target_port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => open.delete(socket))
    }
    client.on('data', (bytes) => {
      sent += bytes.length
      const due = cut !== null && sent >= cut.at ? cut : null
      if (due !== null) cut = null
      if (due?.moment === 'before') {
        due.deed()
        upstream.destroy()
        return
      }
      upstream.write(bytes)
      due?.deed()
    })
    client.on('end', () => upstream.end())
    upstream.pipe(client)
  }).listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port,
    get sent() {
      return sent
    },
    cutAfter(bytes, moment, deed) {
      cut = { at: sent + bytes, moment, deed }
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
