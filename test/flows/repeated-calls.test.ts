/** Idempotency-Key over a whole house: it gives an answer to nobody but the one who was given it before. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { answerMemory } from '../../src/http-wiring.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { StoreWriter } from '../../src/ports/store.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

let at: TestHouse

beforeEach(async () => {
  at = await openTestHouse({ env: { PLUMBLINE_TRUSTED_NETWORKS: '10.1.0.0/16' } })
})
afterEach(() => at[Symbol.asyncDispose]())

const EDGES = '/api/ccm/edge/edges'
const again = { 'idempotency-key': 'k1' }

it('a stranger gets no answer of an edge by its key, nor by guessing at a token', async () => {
  const { edge, token } = (await at.call('POST', EDGES, { body: { name: 'fra1' } })).body as unknown as {
    readonly edge: { readonly id: number }
    readonly token: string
  }
  const beat = (bearer: string) =>
    at.call('POST', `${EDGES}/${edge.id}/heartbeat`, {
      key: null,
      peer: '203.0.113.9',
      headers: { ...again, authorization: `Bearer ${bearer}` },
    })
  expect((await beat(token)).status).toBe(200)
  const stranger = await beat('guessed')
  expect([stranger.status, stranger.headers.get('idempotent-replayed')]).toEqual([401, null])
  const edge_again = await beat(token)
  expect([edge_again.status, edge_again.headers.get('idempotent-replayed')]).toEqual([200, null])
})

it('two hosts of a trusted network never meet in one key', async () => {
  const deploy = async (peer: string) =>
    (await at.call('POST', '/api/deploy-proxy', { key: null, peer, headers: again })).headers.get(
      'idempotent-replayed',
    )
  expect([await deploy('10.1.0.1'), await deploy('10.1.0.2'), await deploy('10.1.0.1')]).toEqual([
    null,
    null,
    'true',
  ])
})

it('a dry run is looked at each time, and leaves its key for the call itself', async () => {
  const body = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
  const save = (query: string) => at.call('POST', `/api/domains${query}`, { body, headers: again })
  expect((await save('?dry_run=true')).status).toBe(200)
  expect((await save('')).status).toBe(201)
  expect((await save('?dry_run=true')).status).toBe(409)
  const repeated = await save('')
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
})

itInDepth(
  'of one caller a thousand answers are kept, and a flood of them costs nobody else theirs',
  async () => {
    await at.house.close()
    const store = await openStore({ directory: at.directory, log: silentLog, clock: systemClock })
    try {
      const memory = answerMemory(store, systemClock)
      const answer = async (holder: string, key: string) => {
        await memory.reserve(`${holder}${key}`, 'digest', holder)
        await memory.save(`${holder}${key}`, { status: 200, body: '{}' })
      }
      await answer('another,', 'first')
      for (let i = 0; i < 1210; i++) await answer('flood,', String(i).padStart(4, '0'))
      const found = async (key: string) => (await memory.find(key)) !== null
      expect(await found('another,first')).toBe(true)
      expect([await found('flood,0099'), await found('flood,1209')]).toEqual([false, true])
    } finally {
      await store.close()
    }
  },
)

it('forgetting looks at all that is kept, and is done once for many calls', async () => {
  await at.house.close()
  const store = await openStore({ directory: at.directory, log: silentLog, clock: systemClock })
  try {
    let looks = 0
    const counted = (tx: StoreWriter): StoreWriter => ({
      ...tx,
      forgetMoreAnswers: (beginning, kept) => {
        looks += 1
        return tx.forgetMoreAnswers(beginning, kept)
      },
    })
    const watched = {
      ...store,
      write: <T>(work: (tx: StoreWriter) => Promise<T>) => store.write((tx) => work(counted(tx))),
    }
    const memory = answerMemory(watched, systemClock)
    for (let i = 0; i < 100; i++) expect(await memory.reserve(`one,${i}`, 'digest', 'one,')).toBe(true)
    expect(looks, 'what a process before it left').toBe(2)
    await memory.reserve('two,1', 'digest', 'two,')
    expect(looks, 'both holders, and all').toBe(5)
  } finally {
    await store.close()
  }
})
