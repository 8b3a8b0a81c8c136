/** The store contract: plans, each applied at most once, and confirmations, each good for once. */
import { expect, test } from 'vitest'
import type { StoreWriter } from '../../../src/ports/store.ts'
import type { NewPlan } from '../../../src/ports/records/trails.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'
import { draft } from './samples.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const PLAN: NewPlan = {
  id: 'plan-1',
  created_at: 1000,
  expires_at: 901_000,
  actor: 'key',
  request_id: 'req-1',
  scope: '{"domains":[1]}',
  hash: 'aa',
  body: '{"actions":[]}',
}

const CONFIRMATION = {
  hash: 'aa',
  at: 2000,
  actor: 'key',
  request_id: 'req-2',
  rules: ['bulk_relative', 'protected_name'],
}

export function plansContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)
  const claim = (at: number, release: number) => write((tx) => tx.claimPlan(PLAN.id, at, release))

  test('a plan comes back as it was saved, over a restart; one that was never made is null', async () => {
    expect(await opened.store.plan(PLAN.id)).toBeNull()
    await write((tx) => tx.savePlan(PLAN))
    const stored = { ...PLAN, applied_at: null, applied_release: null }
    expect(await opened.store.plan(PLAN.id)).toEqual(stored)
    expect(await (await opened.reopen()).plan(PLAN.id)).toEqual(stored)
  })

  test('a plan is claimed once and remembers its release', async () => {
    await write((tx) => tx.savePlan(PLAN))
    await write((tx) => tx.savePlan({ ...PLAN, id: 'plan-2' }))
    expect(await claim(2000, 7)).toBe(true)
    expect(await claim(3000, 8)).toBe(false)
    const store = await opened.reopen()
    expect(await claim(4000, 9)).toBe(false)
    expect(await store.plan(PLAN.id)).toMatchObject({ applied_at: 2000, applied_release: 7 })
    expect(await store.plan('plan-2')).toMatchObject({ applied_at: null, applied_release: null })
  })

  test('of one actor the newest 50 that wait are kept, and what was applied stays', async () => {
    await write((tx) => tx.savePlan(PLAN))
    expect(await claim(2000, 7)).toBe(true)
    await write((tx) => tx.savePlan({ ...PLAN, id: 'ana', actor: 'sso:ana' }))
    for (let n = 0; n < 52; n++)
      await write((tx) => tx.savePlan({ ...PLAN, id: `n${n}`, created_at: 2000 + n }))
    const kept = async (id: string) => (await opened.store.plan(id)) !== null
    expect([await kept('n0'), await kept('n1'), await kept('n2'), await kept('n51')]).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect([await kept(PLAN.id), await kept('ana')]).toEqual([true, true])
  })

  test('of 1,000 callers at the same time exactly one claims the plan, and it is the one that is remembered', async () => {
    await write((tx) => tx.savePlan(PLAN))
    const callers = Array.from({ length: 1000 }, (_, i) => i + 1)
    const answers = await Promise.all(callers.map((n) => claim(n, n)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    const winner = callers[answers.indexOf(true)]
    expect(await opened.store.plan(PLAN.id)).toMatchObject({ applied_at: winner, applied_release: winner })
  })

  itInDepth('of 1,000 callers that release what they claim, one makes a release', async () => {
    await write((tx) => tx.savePlan(PLAN))
    const apply = async (tx: StoreWriter) => {
      const { applied_at } = (await tx.plan(PLAN.id))!
      if (applied_at !== null) return false
      const { number } = await tx.addRelease(draft([]))
      return tx.claimPlan(PLAN.id, 2000, number)
    }
    const answers = await Promise.all(Array.from({ length: 1000 }, () => write(apply)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await opened.store.latestRelease()).toMatchObject({ number: 1 })
    expect(await opened.store.plan(PLAN.id)).toMatchObject({ applied_release: 1 })
  })

  test('a claim that is rolled back leaves the plan to the next caller', async () => {
    await write((tx) => tx.savePlan(PLAN))
    const attempt = write(async (tx) => {
      expect(await tx.claimPlan(PLAN.id, 2000, 1)).toBe(true)
      expect(await tx.plan(PLAN.id)).toMatchObject({ applied_at: 2000 })
      throw new Error('the release was refused')
    })
    await expect(attempt).rejects.toThrow('the release was refused')
    expect(await claim(3000, 2)).toBe(true)
    expect(await opened.store.plan(PLAN.id)).toMatchObject({ applied_at: 3000, applied_release: 2 })
  })

  test('a plan that is not there cannot be claimed, which is not the same as being too late', async () => {
    const failure = await failureOf(claim(2000, 1), 'not_found')
    expect(failure.message).toContain('There is no plan plan-1.')
  })

  test('two plans never share an id: the second is refused and the first stays', async () => {
    await write((tx) => tx.savePlan(PLAN))
    await failureOf(
      write((tx) => tx.savePlan({ ...PLAN, hash: 'bb' })),
      'internal',
    )
    expect(await opened.store.plan(PLAN.id)).toMatchObject({ hash: 'aa' })
  })

  test('plans that expired before a time are forgotten, applied or not; one that expires then is kept', async () => {
    for (const expires_at of [1000, 2000, 3000])
      await write((tx) => tx.savePlan({ ...PLAN, id: `plan-${expires_at}`, expires_at }))
    await write((tx) => tx.claimPlan('plan-1000', 500, 1))
    await write((tx) => tx.forgetPlans(2000))
    const store = await opened.reopen()
    const kept = await Promise.all([1000, 2000, 3000].map((at) => store.plan(`plan-${at}`)))
    expect(kept.map((plan) => plan !== null)).toEqual([false, true, true])
  })

  test('a confirmation is used up by its first use, over a restart and whoever comes again', async () => {
    expect(await write((tx) => tx.useConfirmation(CONFIRMATION))).toBe(true)
    expect(await write((tx) => tx.useConfirmation(CONFIRMATION))).toBe(false)
    expect(await write((tx) => tx.useConfirmation({ ...CONFIRMATION, hash: 'bb' }))).toBe(true)
    await opened.reopen()
    const other = { hash: 'aa', at: 9000, actor: 'sso:ada', request_id: 'req-9', rules: [] }
    expect(await write((tx) => tx.useConfirmation(other))).toBe(false)
  })

  itInDepth('of 1,000 callers with one confirmation exactly one uses it', async () => {
    const tries = Array.from({ length: 1000 }, () => write((tx) => tx.useConfirmation(CONFIRMATION)))
    expect((await Promise.all(tries)).filter(Boolean)).toEqual([true])
  })

  test('a confirmation is not used up by work that failed', async () => {
    const attempt = write(async (tx) => {
      expect(await tx.useConfirmation(CONFIRMATION)).toBe(true)
      expect(await tx.useConfirmation(CONFIRMATION)).toBe(false)
      throw new Error('the plan was stale')
    })
    await expect(attempt).rejects.toThrow('the plan was stale')
    expect(await write((tx) => tx.useConfirmation(CONFIRMATION))).toBe(true)
  })
}
