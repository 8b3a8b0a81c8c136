/** A name server that takes connections and says nothing: one caller waits, the others are told at once, and it comes back. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { LIED_ABOUT } from './dns-world.ts'
import { passingClock } from './passing-clock.ts'
import { createActive, openTestHouse } from './test-house.ts'

const BIND = LIED_ABOUT.find(({ title }) => title.startsWith('BIND'))!
const ZONE = 'mute.test'

/** Passes everything on, or takes connections and leaves them without a word. */
async function muteable(target_port: number) {
  const sockets = new Set<Socket>()
  const state = { is_mute: false, connections: 0 }
  const server = createServer((client) => {
    state.connections++
    const upstream = state.is_mute ? null : connect(target_port, '127.0.0.1')
    for (const socket of [client, ...(upstream === null ? [] : [upstream])]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    if (upstream === null) return void client.resume()
    client.pipe(upstream)
    upstream.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    port: (server.address() as { readonly port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

describePeers(BIND.programs, 'a name server without a word', () => {
  it('holds up one caller, is known dead to the others, and is back by itself', async () => {
    const world = await BIND.start([ZONE])
    const way = await muteable(world.tcp_port)
    try {
      const clock = passingClock()
      await using at = await openTestHouse({
        clock,
        // No client of ours looks a second time after a call.
        wrap: {},
        env: { ...world.through(way.port), PLUMBLINE_PUBLIC_IP: '203.0.113.10' },
      })
      const { call } = at
      await createActive(call, { domain: `app.${ZONE}` })
      const records = async () => (await call('GET', '/api/dns/records')).body
      clock.pass(2000)
      expect(await records()).toMatchObject({ drift: false })
      way.is_mute = true
      clock.pass(2000)
      expect(await records()).toMatchObject({ drift: null })
      const before = way.connections
      const answers = await Promise.all(Array.from({ length: 20 }, records))
      for (const answer of answers) {
        expect(answer).toMatchObject({ drift: null })
        expect(JSON.stringify(answer)).toContain('It is unreachable; next attempt at')
      }
      // Nobody but a probe, which may just have been due.
      expect(way.connections - before).toBeLessThanOrEqual(1)
      way.is_mute = false
      const isBack = async () => {
        clock.pass(5000)
        return (await records())['drift']
      }
      await expect.poll(isBack, { interval: 500 }).toBe(false)
    } finally {
      await way.close()
      await world.stop()
    }
  })
})
