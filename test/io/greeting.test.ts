/** A server that greets lives; one that only takes connections does not. */
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { greeting } from '../../src/io/greeting/greeting.ts'
import { freePort } from '../kit/ports.ts'
import { handClock } from '../fakes/hand-clock.ts'

const never = new AbortController().signal
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function serving(serve: (client: Socket) => void): Promise<number> {
  const server = createServer((client) => {
    client.on('error', () => undefined)
    serve(client)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const ask = (port: number, tls = false) => {
  const clock = handClock()
  return { clock, asked: greeting({ host: '127.0.0.1', port, tls, max_ms: 1000 }, clock, never) }
}

it('is there with its first bytes, and nobody listens any more', async () => {
  const closed = Promise.withResolvers<void>()
  const port = await serving((client) => {
    client.once('close', () => closed.resolve())
    client.resume().write('220 mail.example.com\r\n')
  })
  const { clock, asked } = ask(port)
  await asked
  await closed.promise
  expect(clock.sleepers()).toBe(0)
})

it.each([false, true])(
  'a server that takes the connection and says nothing is not there (tls: %s)',
  async (tls) => {
    const taken = Promise.withResolvers<void>()
    const port = await serving((client) => {
      client.resume()
      taken.resolve()
    })
    const { clock, asked } = ask(port, tls)
    const ended = asked.catch((error: unknown) => error)
    await taken.promise
    clock.pass(1000)
    expect(await ended).toMatchObject({ name: 'TimeoutError' })
  },
)

it('nor is one that closes, or that nobody is behind', async () => {
  await expect(ask(await serving((client) => client.end())).asked).rejects.toThrow()
  await expect(ask(await freePort()).asked).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
