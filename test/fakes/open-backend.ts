/** A backend that takes every connection, hears it out and says nothing: somebody is there, on this host. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface OpenBackend extends AsyncDisposable {
  readonly port: number
}

export async function openBackend(): Promise<OpenBackend> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).once('close', () => open.delete(socket))
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
