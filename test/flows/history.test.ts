/** The history of a domain whose backend comes and goes, over a restart. */
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import type { Clock } from '../../src/kernel/clock.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { freePort } from '../kit/ports.ts'
import { createActive, openTestHouse } from './test-house.ts'

/** Waits of the history are cut short; nothing else is. */
const hurried: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms === 30_000 || (ms > 50_000 && ms <= 60_000) ? 100 : ms, signal),
}

it('counts looks at a backend, says what the last one saw, and keeps it over a restart', async () => {
  // Closed in between: nobody else may be given it then.
  const port = await freePort()
  const server = createServer((socket) => socket.end()).listen(port, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  let at = await openTestHouse({ clock: hurried, env: { PLUMBLINE_BACKEND_LOOKS: '1m' } })
  try {
    const id = await createActive(at.call, { backend_host: '127.0.0.1', backend_port: port })
    const other = await createActive(at.call, {
      domain: 'other.example.com',
      backend_host: '127.0.0.1',
      backend_port: port,
    })
    const historyOf = async (one: number) => (await at.call('GET', `/api/domains/${one}/history`)).body
    await expect.poll(() => historyOf(id)).toMatchObject({ last: { state: 'ok', backend_reachable: true } })
    await expect.poll(() => historyOf(other)).toMatchObject({ uptime: 100, bad: 0 })
    const lampOf = async () =>
      (
        (await at.call('GET', `/api/domains/${id}/lamps`)).body as unknown as {
          readonly lamps: readonly { readonly lamp: string }[]
        }
      ).lamps.find(({ lamp }) => lamp === 'probe')
    await expect.poll(lampOf).toMatchObject({ state: 'true', parts: [{ source: 'backend' }] })
    expect(await historyOf(id)).toMatchObject({ of: 'probe', bucket_seconds: 900, looks_every_seconds: 60 })
    await new Promise((done) => server.close(done))
    await expect.poll(() => historyOf(id)).toMatchObject({ last: { state: 'bad', backend_reachable: false } })
    await expect.poll(lampOf).toMatchObject({ state: 'wrong', cause: 'backend_silent' })
    const { buckets, uptime, ok } = (await historyOf(id)) as unknown as {
      readonly buckets: readonly { readonly bad: number }[]
      readonly uptime: number
      readonly ok: number
    }
    expect(buckets).toHaveLength(96)
    expect(uptime).toBeLessThan(100)
    expect(
      (await at.call('GET', `/api/domains/${id}/history?hours=2&of=probe`)).body['buckets'],
    ).toHaveLength(8)
    expect((await at.call('GET', '/api/domains/4711/history')).status).toBe(404)
    expect((await at.call('GET', `/api/domains/${id}/history?of=sleep`)).status).toBe(422)
    // Who closes it again, as a command that gives up does, waits for the same end and finds a closed store.
    await Promise.all([at.house.close(), at.house.close()])
    at = await at.reopen()
    const kept = (await historyOf(id)) as unknown as { readonly ok: number }
    expect(kept.ok).toBeGreaterThanOrEqual(ok)
  } finally {
    await at[Symbol.asyncDispose]()
  }
})
