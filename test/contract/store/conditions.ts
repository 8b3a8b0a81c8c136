/** The store contract: conditions by domain and component, and the strangers that put things back. */
import { expect, test } from 'vitest'
import type { Condition } from '../../../src/model/condition.ts'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { eachStore, type OpenStore } from './opened.ts'

const GOOD: Condition = {
  domain_id: 0,
  component: 'routes',
  status: 'true',
  reason: 'in_sync',
  message: 'The file is as released.',
  observed_revision: null,
  last_transition_at: 1000,
}
const BAD: Condition = {
  ...GOOD,
  domain_id: 3,
  status: 'false',
  reason: 'drifting',
  message: 'app.example.com was edited by hand.',
  observed_revision: 4,
}

export function conditionsContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)
  const save = (...conditions: readonly Condition[]) => write((tx) => tx.saveConditions(conditions))

  test('conditions are kept in the order of domain and component, over a restart', async () => {
    expect(await opened.store.conditions()).toEqual([])
    const dns = { ...GOOD, component: 'dns', status: 'unknown', reason: 'never_looked' } as const
    await save({ ...BAD, domain_id: 20 }, BAD, GOOD, dns)
    const kept = [dns, GOOD, BAD, { ...BAD, domain_id: 20 }]
    expect(await opened.store.conditions()).toEqual(kept)
    expect(await (await opened.reopen()).conditions()).toEqual(kept)
  })

  test('a condition replaces the one of its domain and component in every part, and no other', async () => {
    const elsewhere = [
      { ...BAD, component: 'dns' },
      { ...BAD, domain_id: 4 },
    ]
    await save(GOOD, BAD, ...elsewhere)
    const healed: Condition = {
      domain_id: 3,
      component: 'routes',
      status: 'true',
      reason: 'in_sync',
      message: 'The route is as released.',
      observed_revision: 5,
      last_transition_at: 2000,
    }
    await save(healed)
    expect(await opened.store.conditions()).toEqual([GOOD, elsewhere[0], healed, elsewhere[1]])
  })

  test('a condition that is given twice at once has its last word', async () => {
    await save(BAD, GOOD, { ...BAD, message: 'Put back by a stranger.', reason: 'contested' })
    expect(await opened.store.conditions()).toEqual([
      GOOD,
      { ...BAD, message: 'Put back by a stranger.', reason: 'contested' },
    ])
  })

  test('dropping takes the named domains of one component, and those that have none', async () => {
    const kept = [GOOD, { ...BAD, component: 'dns' }, { ...BAD, domain_id: 5 }]
    await save(...kept, BAD, { ...BAD, domain_id: 4 })
    await write((tx) => tx.dropConditions('routes', [3, 4, 99]))
    await write((tx) => tx.dropConditions('routes', []))
    await write((tx) => tx.dropConditions('nothing', [5]))
    expect(await (await opened.reopen()).conditions()).toEqual(kept)
  })

  test('a thousand domains of two components are saved, replaced and dropped at once', async () => {
    const all = (status: Condition['status']) =>
      Array.from({ length: 1000 }, (_, i) =>
        ['dns', 'routes'].map((c) => ({ ...BAD, domain_id: i + 1, component: c, status })),
      ).flat()
    await save(...all('false'))
    await save(...all('true'))
    expect(await opened.store.conditions()).toEqual(all('true'))
    const ids = Array.from({ length: 1000 }, (_, i) => i + 1)
    await write((tx) => tx.dropConditions('dns', ids.slice(0, 990)))
    await write((tx) => tx.dropConditions('routes', ids))
    expect((await opened.store.conditions()).map((c) => [c.domain_id, c.component])).toEqual(
      ids.slice(990).map((id) => [id, 'dns']),
    )
  })

  test('conditions that are rolled back never were', async () => {
    await save(GOOD)
    const attempt = write(async (tx) => {
      await tx.saveConditions([{ ...GOOD, status: 'false', reason: 'failing' }, BAD])
      await tx.dropConditions('routes', [0])
      expect(await tx.conditions()).toEqual([BAD])
      throw new Error('mine')
    })
    await expect(attempt).rejects.toThrow('mine')
    expect(await opened.store.conditions()).toEqual([GOOD])
  })

  test('reverts of a key are told since a time, oldest first, and cleared per key', async () => {
    const revert = (key: string, at: number) => ({ key, observed: `seen at ${at}`, at })
    for (const at of [3000, 1000, 2000]) await write((tx) => tx.addRevert(revert('routes', at)))
    await write((tx) => tx.addRevert(revert('sso', 2500)))
    await write((tx) => tx.addRevert(revert('routes', 3000)))
    const store = await opened.reopen()
    expect(await store.revertsSince('routes', 2000)).toEqual(
      [2000, 3000, 3000].map((at) => revert('routes', at)),
    )
    expect(await store.revertsSince('routes', 3001)).toEqual([])
    expect(await store.revertsSince('dns', 0)).toEqual([])
    await write((tx) => tx.clearReverts('routes'))
    await write((tx) => tx.clearReverts('dns'))
    expect(await store.revertsSince('routes', 0)).toEqual([])
    expect(await store.revertsSince('sso', 0)).toEqual([revert('sso', 2500)])
  })
}
