/**
 * The store contract: whatever happened, in whatever order, rolled back or not, the editions that a store answers from
 * its memory are those that it reads when it is opened afresh.
 */
import { expect, test } from 'vitest'
import { type DomainFields, isLive } from '../../../src/model/domain/record.ts'
import { rowOf } from '../../../src/model/intent.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Store, StoreWriter } from '../../../src/ports/store.ts'
import type { ReleaseHead } from '../../../src/ports/records/trails.ts'
import { tcpFields } from '../protocol-rules.ts'
import { eachStore, type OpenStore } from './opened.ts'
import { draft, named } from './samples.ts'
import { byTier } from '../../kit/tier.ts'

const ROUNDS = byTier(1, 6, 20)
const TRANSACTIONS = 250
const MAX_STEPS = 6
const NAMES = 300

type Random = (below: number) => number

/** Mulberry32: small, seeded, good enough to pick steps. */
function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

function someFields(random: Random): DomainFields {
  const domain = `n${random(NAMES)}.example.com`
  if (random(20) === 0) return { ...tcpFields, domain, ssl_enabled: random(2) === 0 }
  return named(domain, { backend_port: 1 + random(65535), tags: [`t${random(3)}`] })
}

const STEPS: readonly ((tx: StoreWriter, id: number, random: Random) => Promise<unknown>)[] = [
  ...Array.from({ length: 4 }, () => (tx: StoreWriter, _: number, random: Random) => {
    return tx.insertDomain(someFields(random), 1)
  }),
  (tx, id, random) => tx.reviseDomain(id, { fields: someFields(random) }, 1),
  (tx, id, random) =>
    tx.reviseDomain(id, { status: (['active', 'inactive', 'disabled'] as const)[random(3)]! }, 1),
  (tx, id) => judge(tx, id, 'error'),
  (tx, id) => judge(tx, id, 'active'),
  (tx, id) => tx.deleteDomain(id),
  (tx, id) => releaseIt(tx, id),
  (tx, id) => releaseIt(tx, id),
  (tx) => releaseAll(tx),
]

async function judge(tx: StoreWriter, id: number, verdict: 'error' | 'active'): Promise<void> {
  const record = await tx.domain(id)
  if (record !== null && isLive(record))
    await tx.setDomainStatus(id, verdict, verdict === 'error' ? 'refused' : null)
}

async function releaseIt(tx: StoreWriter, id: number): Promise<ReleaseHead> {
  const record = await tx.domain(id)
  return tx.addRelease(draft([{ domain_id: id, row: record && rowOf(record) }]))
}

async function releaseAll(tx: StoreWriter): Promise<ReleaseHead> {
  const { rows } = await tx.intent('working')
  const released = (await tx.intent('released')).rows
  const gone = released.filter((old) => !rows.some((row) => row.domain_id === old.domain_id))
  return tx.addRelease(
    draft([
      ...rows.map((row) => ({ domain_id: row.domain_id, row })),
      ...gone.map(({ domain_id }) => ({ domain_id, row: null })),
    ]),
  )
}

/** One transaction of a few steps. Refusals are expected and roll it back; now and then it fails of its own. */
async function live(store: Store, random: Random): Promise<boolean> {
  const work = store.write(async (tx) => {
    for (let step = 1 + random(MAX_STEPS); step > 0; step--) {
      const { rows } = await tx.intent('working')
      const id = rows.length === 0 ? 1 : rows[random(rows.length)]!.domain_id
      await STEPS[random(STEPS.length)]!(tx, id, random)
    }
    if (random(5) === 0) throw new Failure('conflict', 'as it happens')
  })
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof Failure && error.code !== 'internal') return false
    throw error
  }
}

export function randomWalkContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('memory equals a fresh load after thousands of random steps', async () => {
    const random = seeded(20260722)
    let committed = 0
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < TRANSACTIONS; i++) committed += (await live(opened.store, random)) ? 1 : 0
      const remembered = await editionsOf(opened.store)
      const fresh = await editionsOf(await opened.reopen())
      expect(remembered).toEqual(fresh)
      expect(remembered.working.rows.length).toBeGreaterThan(20)
      expect(remembered.released.rows.length).toBeGreaterThan(20)
    }
    // Both roads were taken often enough to mean something.
    expect(committed).toBeGreaterThan(ROUNDS * TRANSACTIONS * 0.2)
    expect(committed).toBeLessThan(ROUNDS * TRANSACTIONS * 0.8)
  })
}

const editionsOf = async (store: Store) => ({
  working: await store.intent('working'),
  released: await store.intent('released'),
  head: await store.latestRelease(),
})
