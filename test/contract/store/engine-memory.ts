/** The store contract: journal, attempts, modes, what was applied, remembered answers. */
import { expect, test } from 'vitest'
import type { JournalIntent, ModeSetting, Store, StoreWriter } from '../../../src/ports/store.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'

const STEP: JournalIntent = {
  key: 'routes',
  component: 'routes',
  release: 0,
  differences: ['create app.example.com', 'delete "old"'],
  place: '/etc/traefik/routes.yml',
  before: 'aa',
  after: 'bb',
  at: 1000,
}

export function engineMemoryContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)

  /** What both the open store and one opened afterwards say. */
  async function everyTime(look: (store: Store) => Promise<void>): Promise<void> {
    await look(opened.store)
    await look(await opened.reopen())
  }

  test('a journal step is open until its outcome, in the order of its begin, over a restart', async () => {
    const first = await write((tx) => tx.beginStep(STEP))
    const second = await write((tx) => tx.beginStep({ ...STEP, key: 'sso' }))
    const third = await write((tx) => tx.beginStep({ ...STEP, key: 'dns' }))
    const fourth = await write((tx) => tx.beginStep({ ...STEP, key: 'cert' }))
    await write((tx) => tx.endStep(second, { kind: 'done' }, 2000))
    await write((tx) =>
      tx.endStep(third, { kind: 'failed', code: 'storage_full', message: 'no space' }, 2000),
    )
    await everyTime(async (store) => {
      expect(await store.openSteps()).toEqual([
        { ...STEP, id: first },
        { ...STEP, id: fourth, key: 'cert' },
      ])
    })
    await write((tx) => tx.endStep(first, { kind: 'recovered', found: 'after' }, 3000))
    expect((await opened.store.openSteps()).map((step) => step.id)).toEqual([fourth])
  })

  test('a journal step ends once', async () => {
    const id = await write((tx) => tx.beginStep(STEP))
    await write((tx) => tx.endStep(id, { kind: 'done' }, 2000))
    await failureOf(
      write((tx) => tx.endStep(id, { kind: 'done' }, 2000)),
      'internal',
    )
    await failureOf(
      write((tx) => tx.endStep(999, { kind: 'done' }, 2000)),
      'internal',
    )
  })

  test('attempts and what was applied are kept per key, the last word wins', async () => {
    const attempt = { key: 'routes', failures: 1, failed_at: 4000, next_attempt_at: 5000, message: 'refused' }
    const applied = {
      key: 'routes',
      release: 1,
      place: '/srv/routes.yml',
      digest: 'aa',
      observed: 'bb',
      at: 1000,
    }
    await write(async (tx) => {
      for (const key of ['sso', 'routes']) {
        await tx.saveAttempt({ ...attempt, key })
        await tx.saveApplied({ ...applied, key })
      }
      await tx.saveAttempt({ ...attempt, failures: 2, failed_at: 4500 })
      await tx.saveApplied({ ...applied, release: 2 })
    })
    await everyTime(async (store) => {
      expect(await store.attempts()).toEqual([
        { ...attempt, failures: 2, failed_at: 4500 },
        { ...attempt, key: 'sso' },
      ])
      expect(await store.applied()).toEqual([
        { ...applied, release: 2 },
        { ...applied, key: 'sso' },
      ])
    })
    await write((tx) => tx.clearAttempt('routes'))
    await write((tx) => tx.clearAttempt('nothing'))
    expect(await opened.store.attempts()).toEqual([{ ...attempt, key: 'sso' }])
  })

  test('a mode is kept per scope, with and without an end', async () => {
    const suspended = {
      scope: 'dns',
      mode: 'suspend',
      reason: 'move',
      actor: 'key',
      expires_at: 9000,
    } as const
    await write((tx) => tx.saveMode(suspended))
    await write((tx) => tx.saveMode({ ...suspended, scope: '*', mode: 'observe', expires_at: null }))
    await write((tx) => tx.saveMode({ ...suspended, mode: 'repair', expires_at: null }))
    await everyTime(async (store) => {
      expect(await store.modes()).toEqual([
        { ...suspended, scope: '*', mode: 'observe', expires_at: null },
        { ...suspended, mode: 'repair', expires_at: null },
      ])
    })
  })

  test('what a mode was set over is kept with it in its order, and that its end was told', async () => {
    const observed = { mode: 'observe', reason: 'we watch', actor: 'key', expires_at: null } as const
    const timed = { mode: 'repair', reason: '', actor: 'b', expires_at: 12_000 } as const
    const top = { scope: 'dns', mode: 'suspend', reason: 'move', actor: 'b', expires_at: 9000 } as const
    const save = (setting: ModeSetting) => write((tx) => tx.saveMode(setting))
    await save({ ...top, below: [timed, observed] })
    await everyTime(async (store) =>
      expect(await store.modes()).toEqual([{ ...top, below: [timed, observed] }]),
    )
    await save({ ...top, end_reported: true })
    await everyTime(async (store) => expect(await store.modes()).toEqual([{ ...top, end_reported: true }]))
    await save({ scope: 'dns', ...observed })
    await everyTime(async (store) => expect(await store.modes()).toEqual([{ scope: 'dns', ...observed }]))
  })

  test('the last deploy status is kept, null before the first', async () => {
    expect(await opened.store.deployStatus()).toBeNull()
    await write((tx) => tx.saveDeployStatus('{"success":false}'))
    await write((tx) => tx.saveDeployStatus('{"success":true}'))
    await everyTime(async (store) => expect(await store.deployStatus()).toBe('{"success":true}'))
  })

  test('an audit row is taken with and without a domain', async () => {
    const entry = {
      at: 1,
      actor: 'key',
      request_id: 'req-1',
      action: 'create',
      domain_id: 1,
      domain: 'app.example.com',
      revision_before: null,
      revision_after: 1,
      plan_hash: null,
      detail: { fields: ['domain'] },
    }
    await write((tx) => tx.audit(entry))
    await write((tx) =>
      tx.audit({ ...entry, action: 'deploy-all', domain_id: null, domain: null, detail: {} }),
    )
  })

  test('an idempotency key is reserved once and remembers its answer', async () => {
    expect(await opened.store.rememberedAnswer('k')).toBeNull()
    expect(await write((tx) => tx.reserveAnswer('k', 'digest', 1000))).toBe(true)
    expect(await write((tx) => tx.reserveAnswer('k', 'another', 1000))).toBe(false)
    expect(await opened.store.rememberedAnswer('k')).toEqual({ request_digest: 'digest', answer: null })
    await write((tx) => tx.saveAnswer('k', { status: 201, body: '{}' }))
    const remembered = { request_digest: 'digest', answer: { status: 201, body: '{}' } }
    await everyTime(async (store) => expect(await store.rememberedAnswer('k')).toEqual(remembered))
  })

  test('of callers that race for a key one wins', async () => {
    const tries = Array.from({ length: 10 }, () => write((tx) => tx.reserveAnswer('k', 'digest', 1000)))
    expect((await Promise.all(tries)).filter(Boolean)).toEqual([true])
  })

  test('a reservation can be given up, an answer cannot', async () => {
    await write((tx) => tx.reserveAnswer('open', 'digest', 1000))
    await write((tx) => tx.reserveAnswer('answered', 'digest', 1000))
    await write((tx) => tx.saveAnswer('answered', { status: 200, body: '' }))
    await write((tx) => tx.dropAnswer('open'))
    await write((tx) => tx.dropAnswer('answered'))
    expect(await opened.store.rememberedAnswer('open')).toBeNull()
    expect(await opened.store.rememberedAnswer('answered')).toMatchObject({
      answer: { status: 200, body: '' },
    })
    await failureOf(
      write((tx) => tx.saveAnswer('open', { status: 200, body: '' })),
      'internal',
    )
  })

  test('of answers whose key begins so the oldest are forgotten, and no call that has none yet', async () => {
    const answered = async (key: string, at: number) => {
      await write((tx) => tx.reserveAnswer(key, 'digest', at))
      await write((tx) => tx.saveAnswer(key, { status: 200, body: '' }))
    }
    for (const at of [1000, 2000, 3000, 4000]) await answered(`a,${at}`, at)
    await answered('b,1', 500)
    await write((tx) => tx.reserveAnswer('a,open', 'digest', 100))
    await write((tx) => tx.forgetMoreAnswers('a,', 2))
    const left = async () => {
      const keys = ['a,1000', 'a,2000', 'a,3000', 'a,4000', 'a,open', 'b,1']
      const found = await Promise.all(keys.map((key) => opened.store.rememberedAnswer(key)))
      return keys.filter((_key, i) => found[i] !== null)
    }
    expect(await left()).toEqual(['a,3000', 'a,4000', 'a,open', 'b,1'])
    await write((tx) => tx.forgetMoreAnswers('', 1))
    expect(await left()).toEqual(['a,4000', 'a,open'])
  })

  test('bodies beyond so many bytes are emptied, the oldest first, and that they were given stays', async () => {
    for (const [at, body] of ['ä'.repeat(5), 'b'.repeat(10), 'c'.repeat(10)].entries()) {
      await write((tx) => tx.reserveAnswer(`k${at}`, 'digest', at))
      await write((tx) => tx.saveAnswer(`k${at}`, { status: 200, body }))
    }
    await write((tx) => tx.reserveAnswer('open', 'digest', 0))
    const left = async () => {
      const found = await Promise.all(
        ['k0', 'k1', 'k2', 'open'].map((key) => opened.store.rememberedAnswer(key)),
      )
      return found.map((one) => one?.answer?.body.length ?? null)
    }
    await write((tx) => tx.forgetAnswerBodies(30))
    expect(await left()).toEqual([5, 10, 10, null])
    await write((tx) => tx.forgetAnswerBodies(29))
    expect(await left()).toEqual([0, 10, 10, null])
    await write((tx) => tx.forgetAnswerBodies(9))
    expect(await left()).toEqual([0, 0, 0, null])
    expect(await opened.store.rememberedAnswer('k0')).toEqual({
      request_digest: 'digest',
      answer: { status: 200, body: '' },
    })
  })

  test('answers older than a time are forgotten', async () => {
    for (const at of [1000, 2000, 3000]) await write((tx) => tx.reserveAnswer(`k${at}`, 'digest', at))
    await write((tx) => tx.forgetAnswers(2000))
    const kept = await Promise.all([1000, 2000, 3000].map((at) => opened.store.rememberedAnswer(`k${at}`)))
    expect(kept.map((answer) => answer !== null)).toEqual([false, true, true])
  })
}
