/** An exposure behind a sign-in that is dead: the caller has an answer within ten seconds, and the work goes on behind it. */
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { ANSWER_TIMEOUT_MS } from '../../src/core/background/background.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { byTier } from '../kit/tier.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { APP } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const EXPOSED = { domain: APP.domain, backend_host: APP.backend_host, backend_port: APP.backend_port }
const TEN_SECONDS = 10_000
const SLOW = { timeout: 180_000 }

let passed_ms = 0
/** The waiting is the same, in a sixth of the time. */
const hastened: Clock = {
  now: () => systemClock.now(),
  elapsed: () => systemClock.elapsed() * 6 + passed_ms,
  sleep: (ms, signal) => systemClock.sleep(ms / 6, signal),
}
/** Its own `sleep` says that callers wait no longer than they do (test-house.ts). */
const real: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms, signal) }
const clock = byTier(hastened, real)

/** Answers how it ended. */
async function exposeInTime({ call }: SsoHouse): Promise<unknown> {
  const answer = await call('POST', '/api/domains/expose', { body: EXPOSED })
  // Answered by the wait that callers have, while the work goes on.
  expect(ANSWER_TIMEOUT_MS).toBeLessThan(TEN_SECONDS)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  // What is left of the wait for Authelia goes by at once; only the hastened clock knows of it.
  passed_ms = 30_000
  const location = answer.headers.get('location')!
  const view = async () => (await call('GET', location)).body
  await expect.poll(async () => (await view())['state'], { timeout: 100_000 }).not.toBe('running')
  return (await view())['answer']
}

it('Authelia stops and does not come up', SLOW, async () => {
  await using at = await openSsoHouse({ clock })
  at.authelia.next = 'dead'
  expect(await exposeInTime(at)).toMatchObject({ status: expect.any(Number) as unknown })
  const { body } = await at.call('GET', `/api/domains/by-name/${APP.domain}`)
  expect(['active', 'error']).toContain(body['status'])
})

itInDepth('Authelia takes connections and says nothing', SLOW, async () => {
  const mute = createServer(() => undefined)
  await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done))
  try {
    const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`
    await using at = await openSsoHouse({ clock, env: { PLUMBLINE_SSO_URL: url } })
    expect(await exposeInTime(at)).toMatchObject({ status: expect.any(Number) as unknown })
  } finally {
    mute.close()
  }
})
