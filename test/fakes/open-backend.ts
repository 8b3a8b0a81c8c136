/** A backend that takes every connection and says nothing: somebody is there, on this host. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export interface OpenBackend extends AsyncDisposable {
  readonly port: number
}

export async function openBackend(): Promise<OpenBackend> {
  const server = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
