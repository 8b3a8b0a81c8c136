/** The store contract: edges, what is known of them, and their tokens. */
import { expect, test } from 'vitest'
import { endedDigest } from '../../../src/kernel/issued-secret.ts'
import type { IssuedToken } from '../../../src/kernel/issued-tokens.ts'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'
import { edgeRecords, edgeTokens, type NewEdge } from '../../../src/features/edges/records.ts'

const FRA: NewEdge = {
  name: 'fra1',
  hostname: 'fra1.example.com',
  address: '198.51.100.7',
  region: 'eu "west"',
  desired_state: 'active',
  created_at: 1000,
}
const token = (over: Partial<IssuedToken> = {}): IssuedToken => ({
  id: 'token-1',
  digest: 'ab'.repeat(32),
  created_at: 1000,
  expires_at: null,
  ...over,
})

export function edgesContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)

  test('a new edge was never heard of, and is read back as it was written', async () => {
    const edge = await write((tx) => tx.of(edgeRecords).insertEdge(FRA))
    expect(edge).toEqual({
      ...FRA,
      id: edge.id,
      revision: 1,
      updated_at: 1000,
      last_seen: null,
      config_version: null,
      served_version: null,
      lost_at: null,
    })
    await write((tx) =>
      tx.of(edgeRecords).insertEdge({ ...FRA, name: 'ams1', hostname: null, address: null, region: null }),
    )
    const store = await opened.reopen()
    expect((await store.of(edgeRecords).edges()).map(({ name }) => name)).toEqual(['ams1', 'fra1'])
    expect(await store.of(edgeRecords).edge(edge.id)).toEqual(edge)
    expect(await store.of(edgeRecords).edge(999)).toBeNull()
  })

  test('a change is a new revision, what it calls itself is not, and neither writes the other', async () => {
    const { id } = await write((tx) => tx.of(edgeRecords).insertEdge(FRA))
    const contact = { last_seen: 5000, config_version: 'c', served_version: 's', lost_at: 6000 }
    await write((tx) => tx.of(edgeRecords).saveEdgeContact(id, contact))
    expect(await opened.store.of(edgeRecords).edge(id)).toMatchObject({ ...contact, revision: 1 })
    const change = { ...FRA, region: null, desired_state: 'draining' as const, updated_at: 7000 }
    await write((tx) => tx.of(edgeRecords).reviseEdge(id, change))
    expect(await opened.store.of(edgeRecords).edge(id)).toMatchObject({
      ...contact,
      revision: 2,
      region: null,
      desired_state: 'draining',
      created_at: 1000,
      updated_at: 7000,
    })
  })

  test('a name has one holder, who may keep it', async () => {
    const first = await write((tx) => tx.of(edgeRecords).insertEdge(FRA))
    const second = await write((tx) => tx.of(edgeRecords).insertEdge({ ...FRA, name: 'ams1' }))
    await failureOf(
      write((tx) => tx.of(edgeRecords).insertEdge(FRA)),
      'name_taken',
    )
    const taken = { ...FRA, updated_at: 1 }
    await failureOf(
      write((tx) => tx.of(edgeRecords).reviseEdge(second.id, taken)),
      'name_taken',
    )
    await write((tx) => tx.of(edgeRecords).reviseEdge(first.id, taken))
    expect(await opened.store.of(edgeRecords).edges()).toHaveLength(2)
  })

  test('an edge goes with its tokens, and its id is never given again', async () => {
    const { id } = await write((tx) => tx.of(edgeRecords).insertEdge(FRA))
    await write((tx) => tx.of(edgeTokens).add(id, token()))
    await write((tx) => tx.of(edgeRecords).deleteEdge(id))
    expect(await opened.store.of(edgeTokens).byDigest('ab'.repeat(32))).toBeNull()
    expect((await write((tx) => tx.of(edgeRecords).insertEdge(FRA))).id).not.toBe(id)
    await write((tx) =>
      tx
        .of(edgeRecords)
        .saveEdgeContact(id, { last_seen: 1, config_version: null, served_version: null, lost_at: null }),
    )
    expect(await opened.store.of(edgeRecords).edge(id)).toBeNull()
  })

  test('tokens are found by digest, end, and are forgotten only after their end', async () => {
    const { id: edge_id } = await write((tx) => tx.of(edgeRecords).insertEdge(FRA))
    const old = token()
    const young = token({ id: 'token-2', digest: 'cd'.repeat(32), created_at: 2000 })
    await write(async (tx) => {
      await tx.of(edgeTokens).add(edge_id, young)
      await tx.of(edgeTokens).add(edge_id, old)
      await tx.of(edgeTokens).limit(old.id, 3000)
    })
    const limited = { ...old, expires_at: 3000 }
    expect(await opened.store.of(edgeTokens).of(edge_id)).toEqual(
      [limited, young].map((one) => ({ ...one, edge_id })),
    )
    expect(await opened.store.of(edgeTokens).byDigest(old.digest)).toEqual({ ...limited, edge_id })
    await write((tx) => tx.of(edgeTokens).forget(3000))
    expect(await opened.store.of(edgeTokens).of(edge_id)).toHaveLength(2)
    await write((tx) => tx.of(edgeTokens).forget(3001))
    expect(await opened.store.of(edgeTokens).of(edge_id)).toEqual([{ ...young, edge_id }])
  })

  test('a token that was ended is found by no digest any more, and listed with its end', async () => {
    const { id: edge_id } = await write((tx) => tx.of(edgeRecords).insertEdge(FRA))
    const limited = token({ expires_at: 3000 })
    const other = token({ id: 'token-2', digest: 'cd'.repeat(32), created_at: 2000 })
    await write((tx) => tx.of(edgeTokens).add(edge_id, limited))
    await write((tx) => tx.of(edgeTokens).add(edge_id, other))
    const past = (at: number) => opened.store.of(edgeTokens).past(at)
    expect([await past(2999), await past(3000)]).toEqual([[], [{ ...limited, edge_id }]])
    for (const { id } of [limited, other, limited]) await write((tx) => tx.of(edgeTokens).end(id, 3000))
    await write((tx) => tx.of(edgeTokens).end('gone', 3000))
    expect(await past(9000)).toEqual([])
    const store = await opened.reopen()
    for (const { digest } of [limited, other]) expect(await store.of(edgeTokens).byDigest(digest)).toBeNull()
    expect(await store.of(edgeTokens).of(edge_id)).toEqual(
      [limited, other].map((one) => ({ ...one, edge_id, digest: endedDigest(one.digest), expires_at: 3000 })),
    )
  })
}
