/** Cloudflare's batches: as few requests as can be, one transaction each, and what happens when the zone is not as it was seen. */
import { describe, expect, it } from 'vitest'
import { breakAfter, breakBefore, html, status } from '../../../fakes/dns/faults.ts'
import { eachCloudflare, many, ZONE } from './cloudflare-opened.ts'
import { changeTo, signal } from './opened.ts'
import { itInDepth } from '../../../kit/in-depth.ts'

const open = eachCloudflare()

const BATCH = /\/batch$/

describe('a thousand changes', () => {
  itInDepth('are five requests, whether they make, edit or take away', async () => {
    const opened = await open()
    const { provider, fake } = opened
    const wishes = many(1000)
    for (const edit of [
      wishes,
      wishes.map((wish) => ({ ...wish, values: ['198.51.100.1'] })),
      wishes.map((wish) => ({ ...wish, values: null })),
    ]) {
      const changes = await changeTo(opened, edit)
      fake.forgetRequests()
      for (let at = 0; at < changes.length; at += provider.traits.batch_most) {
        const outcomes = await provider.change(
          ZONE,
          changes.slice(at, at + provider.traits.batch_most),
          signal(),
        )
        expect(outcomes.every((outcome) => outcome.ok)).toBe(true)
      }
      expect([fake.count(), fake.count('POST', BATCH)]).toEqual([5, 5])
    }
    expect(fake.records.size).toBe(0)
  })

  it('of which each has several records go in as few batches as hold them, no set torn apart', async () => {
    const opened = await open()
    const wishes = many(100).map((wish) => ({ ...wish, values: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] }))
    const changes = await changeTo(opened, wishes)
    opened.fake.forgetRequests()
    await opened.provider.change(ZONE, changes, signal())
    expect(opened.fake.count()).toBe(2)
    expect(opened.fake.records.size).toBe(300)
  })

  it('of which nothing is left to do send nothing', async () => {
    const opened = await open()
    await opened.provider.change(ZONE, await changeTo(opened, many(10)), signal())
    const again = await changeTo(opened, many(10))
    opened.fake.forgetRequests()
    expect(await opened.provider.change(ZONE, again, signal())).toHaveLength(10)
    expect(opened.fake.count()).toBe(0)
  })
})

describe('a batch', () => {
  const good = { name: `good.${ZONE}`, type: 'A', values: ['192.0.2.1'] }

  it('with one bad set is refused as a whole, in the words of the provider', async () => {
    const opened = await open()
    opened.fake.add(ZONE, { name: `taken.${ZONE}`, type: 'CNAME', content: 'x.example.net' })
    const changes = await changeTo(opened, [good, { ...good, name: `taken.${ZONE}` }])
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringMatching(
        /^cloudflare: could not change the records of example.org: .*81054/,
      ) as unknown,
    })
    expect((await opened.world.look())(good.name, 'A')).toBeNull()
  })

  it('that does not exist here is sent as single calls, and one bad set sinks itself alone', async () => {
    const opened = await open()
    const { fake, provider } = opened
    fake.has_batch = false
    fake.add(ZONE, { name: `old.${ZONE}`, type: 'A', content: '192.0.2.9' })
    fake.add(ZONE, { name: `taken.${ZONE}`, type: 'CNAME', content: 'x.example.net' })
    const changes = await changeTo(opened, [
      good,
      { ...good, name: `taken.${ZONE}` },
      { name: `old.${ZONE}`, type: 'A', values: null },
      { ...good, name: `last.${ZONE}` },
    ])
    expect(await provider.change(ZONE, changes, signal())).toMatchObject([
      { ok: true },
      { ok: false, code: 'provider_refused' },
      { ok: true, ids: [] },
      { ok: true },
    ])
    expect((await opened.world.look())(good.name, 'A')).toMatchObject({ values: ['192.0.2.1'] })
    expect((await opened.world.look())(`old.${ZONE}`, 'A')).toBeNull()
  })

  it('at which the server fails says so, unless it asks to wait', async () => {
    const opened = await open()
    const changes = await changeTo(opened, many(4))
    const thrownAt = async (fault: Parameters<typeof opened.fake.misbehave>[0]) => {
      opened.fake.misbehave(fault)
      return opened.provider.change(ZONE, changes, signal()).catch((thrown: unknown) => thrown)
    }
    const facts = { server_failed: true }
    expect(await thrownAt(status(500))).toMatchObject({ code: 'component_unavailable', details: { facts } })
    expect(await thrownAt(html(502))).toMatchObject({ code: 'component_unavailable', details: { facts } })
    for (const fault of [
      status(503, { headers: { 'retry-after': '5' } }),
      status(429, { headers: { 'retry-after': '5' } }),
      breakBefore,
    ])
      expect(await thrownAt(fault)).not.toMatchObject({ details: { facts } })
  })

  it('behind one that went through, at which the server fails, can be sent again', async () => {
    const opened = await open()
    const wishes = many(100).map((wish) => ({ ...wish, values: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] }))
    const changes = await changeTo(opened, wishes)
    let batches = 0
    opened.fake.misbehave(status(500), { when: ({ path }) => BATCH.test(path) && ++batches === 2 })
    const outcomes = await opened.provider.change(ZONE, changes, signal())
    const failed = outcomes.filter(({ ok }) => !ok)
    expect(failed.length).toBeGreaterThan(0)
    expect(new Set(failed.map((outcome) => !outcome.ok && outcome.server_failed))).toEqual(
      new Set(['at_its_request']),
    )
  })

  it('sent as single calls goes on past one at which the server fails, and ends after a few', async () => {
    const opened = await open()
    opened.fake.has_batch = false
    const [changes, rest] = [await changeTo(opened, many(9)), await changeTo(opened, many(40).slice(9))]
    const isAt = (labels: readonly string[], { json }: { json: unknown }) =>
      labels.some((label) => (json as { name?: string } | undefined)?.name?.startsWith(label))
    opened.fake.misbehave(status(500), { times: 99, when: (asked) => isAt(['h0001', 'h0003'], asked) })
    const outcomes = await opened.provider.change(ZONE, changes, signal())
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true, false, true, true, true, true, true])
    expect(outcomes[1]).toMatchObject({ server_failed: 'at_this_set' })
    opened.fake.forgetRequests()
    opened.fake.misbehave(status(500), { times: 99, when: (asked) => isAt(['h'], asked) })
    await expect(opened.provider.change(ZONE, rest, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
      details: {},
    })
    expect(opened.fake.count('POST', /\/dns_records$/)).toBe(4)
  })

  it('sent as single calls stops at a limit: what was done is told, what is left, too', async () => {
    const opened = await open()
    opened.fake.has_batch = false
    const changes = await changeTo(opened, many(4))
    let posts = 0
    opened.fake.misbehave(status(429, { headers: { 'retry-after': '9' } }), {
      when: ({ method, path }) => method === 'POST' && path.endsWith('/dns_records') && ++posts === 3,
    })
    expect(await opened.provider.change(ZONE, changes, signal())).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false, code: 'provider_busy' },
      { ok: false, code: 'provider_busy' },
    ])
    expect(opened.fake.records.size).toBe(2)
  })

  it('whose answer was lost is found done, not done twice', async () => {
    const opened = await open()
    const changes = await changeTo(opened, [good])
    opened.fake.misbehave(breakAfter)
    await expect(opened.provider.change(ZONE, changes, signal())).rejects.toMatchObject({
      code: 'component_unavailable',
    })
    // The caller did not look again: the identical record is taken as ours.
    const [outcome] = await opened.provider.change(ZONE, changes, signal())
    expect(outcome).toEqual({ ok: true, ids: [[...opened.fake.records.keys()][0]] })
    expect(opened.fake.records.size).toBe(1)
  })

  it('that meets a record that is gone takes deleting as done and makes what it was to edit', async () => {
    const opened = await open()
    const { fake, provider } = opened
    const edited = fake.add(ZONE, { name: `e.${ZONE}`, type: 'A', content: '192.0.2.1' })
    const deleted = fake.add(ZONE, { name: `d.${ZONE}`, type: 'A', content: '192.0.2.1' })
    const changes = await changeTo(opened, [
      { name: `e.${ZONE}`, type: 'A', values: ['192.0.2.2'] },
      { name: `d.${ZONE}`, type: 'A', values: null },
    ])
    fake.records.delete(edited)
    fake.records.delete(deleted)
    expect(await provider.change(ZONE, changes, signal())).toMatchObject([
      { ok: true },
      { ok: true, ids: [] },
    ])
    expect([...fake.records.values()]).toMatchObject([{ name: `e.${ZONE}`, content: '192.0.2.2' }])
  })

  it("never touches a record that was not seen: somebody else's at the same name is left, and told", async () => {
    const opened = await open()
    const { fake, provider } = opened
    const seen = fake.add(ZONE, { name: `e.${ZONE}`, type: 'A', content: '192.0.2.1' })
    const changes = await changeTo(opened, [good, { name: `e.${ZONE}`, type: 'A', values: ['192.0.2.2'] }])
    fake.records.delete(seen)
    fake.add(ZONE, { name: `e.${ZONE}`, type: 'A', content: '203.0.113.9', comment: 'mine' })
    expect(await provider.change(ZONE, changes, signal())).toMatchObject([
      { ok: true },
      { ok: false, code: 'component_unavailable' },
    ])
    expect([...fake.records.values()].find(({ name }) => name === `e.${ZONE}`)).toMatchObject({
      content: '203.0.113.9',
      comment: 'mine',
    })
  })
})

it("taking away a set leaves a stranger's record that came in place of the one that was seen", async () => {
  const opened = await open()
  const { fake, provider } = opened
  const seen = fake.add(ZONE, { name: `e.${ZONE}`, type: 'A', content: '192.0.2.1' })
  const changes = await changeTo(opened, [{ name: `e.${ZONE}`, type: 'A', values: null }])
  fake.records.delete(seen)
  fake.add(ZONE, { name: `e.${ZONE}`, type: 'A', content: '203.0.113.9' })
  expect(await provider.change(ZONE, changes, signal())).toEqual([{ ok: true, ids: [] }])
  expect([...fake.records.values()]).toMatchObject([{ content: '203.0.113.9' }])
})
