/** A zone through the life of its records, on every kind of provider. */
import { describe, expect, it } from 'vitest'
import { bench, INSTALLATION, lines, mark, OTHER, owned, ZONE } from './bench.ts'
import { PROFILE_NAMES } from './profiles.ts'
import { desiredOf } from './rows.ts'
import { leftoversOf } from '../../../../src/features/dns/target/leaving/removable.ts'
import { NO_DOMAIN } from '../../../../src/model/network/dns.ts'

const APP = { domain: 'app.example.com' }
const REPORTED = { changed_at: 1, reported_at: 1 }
const NONE = { known: true, deeds: [], repairs: [], obstacles: [], left: 0 }

describe.each(PROFILE_NAMES)('a zone at a provider like %s', (profile) => {
  it('gets what is wanted in one pass, and then nothing is asked but whether it stands', async () => {
    const at = bench(profile)
    const desired = desiredOf([
      APP,
      { domain: '*.apps.example.com', static_ip: '2001:db8::1' },
      { domain: ZONE },
    ])
    const first = await at.pass(desired)
    expect(first.deeds).toEqual([
      'create AAAA *.apps.example.com',
      'create A app.example.com',
      'create A example.com',
    ])
    expect(first).toMatchObject({ left: 0, obstacles: [] })
    expect(first.repairs.every(({ ok }) => ok)).toBe(true)
    expect([...at.ledger.rows.values()].map(({ state }) => state)).toEqual(['owned', 'owned', 'owned'])
    const { change, list } = at.provider.calls
    const writes = at.ledger.writes
    expect(await at.pass(desired)).toEqual(NONE)
    expect(at.provider.calls.change).toBe(change)
    expect(at.ledger.writes).toBe(writes)
    if (at.provider.traits.has_stamp) expect(at.provider.calls.list).toBe(list)
  })

  it('follows addresses, TTLs and names, and takes the old name away', async () => {
    const at = bench(profile)
    await at.pass(desiredOf([APP]))
    expect((await at.pass(desiredOf([{ ...APP, static_ip: '192.0.2.7', dns_ttl: 7200 }]))).deeds).toEqual([
      'update A app.example.com',
    ])
    const renamed = await at.pass(
      desiredOf([{ domain: 'new.example.com', static_ip: '192.0.2.7', dns_ttl: 7200 }]),
    )
    expect(renamed).toMatchObject({
      deeds: ['create A new.example.com', 'delete A app.example.com'],
      left: 0,
    })
    expect(lines(at).filter((line) => line.includes('app.'))).toEqual([])
    expect(at.provider.now().get('new.example.com A')).toMatchObject({ values: ['192.0.2.7'], ttl: 7200 })
    expect(at.ledger.rows.size).toBe(1)
  })

  it('keeps everything when records vanish, and takes away what is retired, mark and all', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: 'mail.example.com', type: 'A', values: ['198.51.100.9'] })
    const before = lines(at)
    await at.pass(desiredOf([APP, { domain: 'web.example.com' }]))
    const full = lines(at)
    expect(await at.pass(desiredOf([]))).toEqual(NONE)
    expect(await at.pass(desiredOf([{ ...APP, live: false }]))).toEqual(NONE)
    expect(lines(at)).toEqual(full)
    const gone = await at.pass(
      desiredOf([
        { ...APP, retired: true },
        { domain: 'web.example.com', retired: true },
      ]),
    )
    expect(gone.deeds).toEqual(['delete A app.example.com', 'delete A web.example.com'])
    expect(lines(at)).toEqual(before)
    expect(at.ledger.rows.size).toBe(0)
  })

  it('takes the other family away only when the record names its own address', async () => {
    const at = bench(profile)
    const both = desiredOf([APP], { public_ip: ['192.0.2.1', '2001:db8::1'] })
    await at.pass(both)
    expect((await at.pass(desiredOf([APP]))).deeds).toEqual([])
    expect((await at.pass(desiredOf([{ ...APP, static_ip: '192.0.2.1' }]))).deeds).toEqual([
      'delete AAAA app.example.com',
    ])
    expect(at.provider.now().has('app.example.com A')).toBe(true)
    expect(await at.pass(desiredOf([{ ...APP, static_ip: '192.0.2.1' }]))).toEqual(NONE)
  })

  it('tells of a family that no address is set for any more, leaves it, and takes it away at a word', async () => {
    const at = bench(profile)
    await at.pass(desiredOf([{ ...APP, static_ip: '2001:db8::9' }]))
    const back = desiredOf([APP])
    const before = at.target.explain({
      working: back,
      released: desiredOf([{ ...APP, static_ip: '2001:db8::9' }]),
      observed: await at.look(),
      rows_moved: true,
    })
    expect(before.differences).toMatchObject([{ item: 'A app.example.com', cause: 'pending_deploy' }])
    const told = {
      obstacles: [{ item: 'AAAA app.example.com', domain_ids: [1], beside: true }],
      left: 0,
    }
    expect(await at.pass(back)).toMatchObject({ deeds: ['create A app.example.com'], ...told })
    expect(await at.pass(back)).toMatchObject({ deeds: [], ...told })
    const row = [...at.ledger.rows.values()].find(({ type }) => type === 'AAAA')!
    expect(leftoversOf([...at.ledger.rows.values()], back, [])).toMatchObject([
      { type: 'AAAA', because: 'no_address' },
    ])
    const { differences } = at.target.explain({
      working: back,
      released: back,
      observed: await at.look(),
      rows_moved: false,
    })
    expect(differences).toMatchObject([
      { item: 'AAAA app.example.com', cause: 'removing', domains: ['app.example.com'] },
    ])
    expect(differences[0]!.detail).toContain('plumbline dns remove AAAA app.example.com')
    const undeployed = { working: desiredOf([{ ...APP, static_ip: '2001:db8::9' }]), released: back }
    const saved = at.target.explain({ ...undeployed, observed: await at.look(), rows_moved: true })
    expect(saved.differences).toMatchObject([
      { item: 'A app.example.com', cause: 'pending_deploy' },
      { item: 'AAAA app.example.com', cause: 'removing' },
    ])
    at.ledger.put({ ...row, domain_id: NO_DOMAIN, state: 'removing' })
    expect(await at.pass(back)).toMatchObject({ deeds: ['delete AAAA app.example.com'], obstacles: [] })
    expect(await at.pass(back)).toEqual(NONE)
    expect(at.provider.now().has('app.example.com A')).toBe(true)
  })

  it('says nothing of a family that a gateway may speak of again', async () => {
    const at = bench(profile)
    await at.pass(desiredOf([{ ...APP, static_ip: '2001:db8::9' }]))
    const reporting = desiredOf([{ ...APP, ddns_enabled: true }], { hub_host: 'hub.example.com' })
    at.ledger.reported = [
      { ...REPORTED, host: APP.domain, ipv4: '198.51.100.7', ipv6: null },
      { ...REPORTED, host: 'hub.example.com', ipv4: '198.51.100.8', ipv6: '2001:db8::8' },
    ]
    expect(await at.pass(reporting)).toMatchObject({ obstacles: [], left: 0 })
    at.ledger.reported = []
    const nowhere = desiredOf([APP], { public_ip: [] })
    expect(await at.pass(nowhere)).toEqual({ ...NONE })
  })

  it('tells of a family that nobody who reports has ever reported, where another address is in force', async () => {
    const hub = { hub_host: 'hub.example.com' }
    for (const reported of [[], [{ ...REPORTED, host: hub.hub_host, ipv4: '198.51.100.8', ipv6: null }]]) {
      const at = bench(profile)
      await at.pass(desiredOf([{ ...APP, static_ip: '2001:db8::9' }], hub))
      at.ledger.reported = reported
      expect(await at.pass(desiredOf([APP], hub))).toMatchObject({
        deeds: ['create A app.example.com'],
        obstacles: [{ item: 'AAAA app.example.com', beside: true }],
      })
    }
  })

  it('hands a name over to the record that has it now', async () => {
    const at = bench(profile)
    await at.pass(desiredOf([APP]))
    const handed = await at.pass(
      desiredOf([
        { ...APP, retired: true },
        { ...APP, domain_id: 9 },
      ]),
    )
    expect(handed).toMatchObject({ deeds: ['update A app.example.com'], left: 0 })
    expect([...at.ledger.rows.values()].map(({ domain_id }) => domain_id)).toEqual([9])
    expect(lines(at).join('\n')).toContain(mark(9))
    expect(lines(at).join('\n')).not.toContain(mark(1))
  })

  it("puts a stranger's edit right, brings back what is lost, and mends the mark", async () => {
    const at = bench(profile)
    const desired = desiredOf([APP])
    await at.pass(desired)
    const right = lines(at)
    const there = at.provider.now().get('app.example.com A')!
    at.provider.stranger({ ...there, values: ['198.51.100.1'] })
    expect((await at.pass(desired)).deeds).toEqual(['update A app.example.com'])
    at.provider.stranger({ name: APP.domain, type: 'A', values: [] })
    expect((await at.pass(desired)).deeds).toEqual(['create A app.example.com'])
    at.provider.stranger({ ...there, comment: null })
    at.provider.stranger({ name: '_plumbline.app.example.com', type: 'TXT', values: [] })
    const moved = await at.pass(desiredOf([{ ...APP, static_ip: '192.0.2.5' }]))
    expect(moved).toMatchObject({ deeds: ['update A app.example.com'], left: 0 })
    await at.pass(desired)
    expect(lines(at)).toEqual(right)
  })

  it.each<[string, { name?: string; type: string; values: string[] }, RegExp]>([
    ["somebody's address", { type: 'A', values: ['198.51.100.1'] }, /not made by Plumbline/],
    ['the very address', { type: 'A', values: ['192.0.2.1'] }, /not made by Plumbline/],
    ['an alias', { type: 'CNAME', values: ['x.example.net'] }, /is a CNAME to x\.example\.net/],
    ['a delegation', { type: 'NS', values: ['ns.example.net'] }, /is delegated/],
    ['a redirection above', { name: ZONE, type: 'DNAME', values: ['example.net'] }, /DNAME/],
    [
      "another installation's mark",
      { name: '_plumbline.app.example.com', type: 'TXT', values: [`plumbline:1:${OTHER}:4`] },
      /another installation.*ffffffff/,
    ],
    [
      'a mark of a later version',
      { name: '_plumbline.app.example.com', type: 'TXT', values: [`plumbline:2:${INSTALLATION}:4`] },
      /another installation/,
    ],
  ])('leaves %s alone and says so', async (_title, set, message) => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, ...set })
    const before = lines(at)
    const report = await at.pass(desiredOf([APP]))
    expect(report).toMatchObject({ deeds: [], left: 0 })
    expect(report.obstacles).toEqual([
      {
        item: 'A app.example.com',
        domain_ids: [1],
        failure: { code: 'foreign_owner', message: expect.stringMatching(message), retry_after_ms: 0 },
      },
    ])
    expect(lines(at)).toEqual(before)
    expect(at.ledger.rows.size).toBe(0)
  })

  it('takes over what was adopted, an alias too, and gives up what was released', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, type: 'CNAME', values: ['x.example.net'] })
    at.provider.stranger({ name: 'web.example.com', type: 'A', values: ['198.51.100.1'] })
    at.ledger.put(
      owned({ state: 'adopted', values: ['x.example.net'] }),
      owned({ state: 'adopted', name: 'web.example.com', domain_id: 2, values: ['198.51.100.1'] }),
    )
    const desired = desiredOf([APP, { domain: 'web.example.com' }])
    const taken = await at.pass(desired)
    expect(taken).toMatchObject({ obstacles: [], left: 0 })
    expect(taken.deeds.toSorted()).toEqual(['update A app.example.com', 'update A web.example.com'])
    expect(at.provider.now().has('app.example.com CNAME')).toBe(false)
    expect(at.provider.now().get('web.example.com A')?.values).toEqual(['192.0.2.1'])
    for (const row of at.ledger.rows.values()) at.ledger.put({ ...row, state: 'releasing' })
    const released = await at.pass(desired)
    expect(released).toMatchObject({ left: 0, obstacles: [{}, {}] })
    expect(at.ledger.rows.size).toBe(0)
    expect(lines(at).join('\n')).not.toContain('plumbline')
    expect(at.provider.now().get('web.example.com A')?.values).toEqual(['192.0.2.1'])
  })

  it('stops for an alias that is not the one that was adopted', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, type: 'CNAME', values: ['y.example.net'] })
    at.ledger.put(owned({ state: 'adopted', values: ['x.example.net'] }))
    expect(await at.pass(desiredOf([APP]))).toMatchObject({ deeds: [], obstacles: [{}] })
  })

  it.each([
    ['another address', '198.51.100.1', { type: 'A', values: ['198.51.100.9'] }],
    ['an address in place of the alias', 'x.example.net', { type: 'A', values: ['198.51.100.9'] }],
  ])('leaves %s alone that stands by now where something was adopted', async (_title, adopted, set) => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, ...set })
    at.ledger.put(owned({ state: 'adopted', values: [adopted] }))
    const before = lines(at)
    for (let pass = 0; pass < 2; pass++)
      expect((await at.pass(desiredOf([APP]))).obstacles).toMatchObject([
        { item: 'A app.example.com', failure: { code: 'foreign_owner' } },
      ])
    expect(lines(at)).toEqual(before)
  })

  it('leaves what was adopted alone once it bears the mark of another installation', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, type: 'A', values: ['198.51.100.1'] })
    at.provider.stranger({
      name: '_plumbline.app.example.com',
      type: 'TXT',
      values: [`plumbline:1:${OTHER}:4`],
    })
    at.ledger.put(owned({ state: 'adopted', values: ['198.51.100.1'] }))
    const before = lines(at)
    expect((await at.pass(desiredOf([APP]))).obstacles).toMatchObject([
      { failure: { code: 'foreign_owner', message: expect.stringContaining('another installation') } },
    ])
    expect(lines(at)).toEqual(before)
  })

  it('takes over what was adopted also where a crash came behind its change', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: APP.domain, type: 'A', values: ['192.0.2.1'] })
    at.ledger.put(owned({ state: 'adopted', values: ['198.51.100.1'] }))
    expect(await at.pass(desiredOf([APP]))).toMatchObject({ obstacles: [], left: 0 })
    expect([...at.ledger.rows.values()]).toMatchObject([{ state: 'owned', values: ['192.0.2.1'] }])
  })

  it('forgets what is retired and was taken away or replaced by somebody', async () => {
    const at = bench(profile)
    at.ledger.put(owned(), owned({ name: 'web.example.com' }))
    at.provider.stranger({ name: 'web.example.com', type: 'A', values: ['198.51.100.1'] })
    const before = lines(at)
    const report = await at.pass(desiredOf([{ ...APP, retired: true }]))
    expect(report).toMatchObject({ deeds: ['delete A app.example.com', 'delete A web.example.com'], left: 0 })
    expect(at.ledger.rows.size).toBe(0)
    expect(lines(at)).toEqual(before)
  })

  it('does the rest when the provider refuses one set', async () => {
    const at = bench(profile)
    at.provider.refuses.add('n3.example.com')
    const rows = Array.from({ length: 9 }, (_, i) => ({ domain: `n${i}.example.com` }))
    const report = await at.pass(desiredOf(rows))
    expect(report.repairs.filter(({ ok }) => !ok)).toEqual([
      {
        key: 'n3.example.com A',
        ok: false,
        failure: { code: 'provider_refused', message: expect.stringContaining('n3'), retry_after_ms: 0 },
      },
    ])
    expect(report.left).toBe(1)
    const sets = [...at.provider.now().values()].filter(({ type }) => type === 'A')
    expect(sets).toHaveLength(8)
    // Nothing but what stands is in the ledger, unless its mark does.
    expect([...at.ledger.rows.values()].filter(({ state }) => state === 'owned')).toHaveLength(8)
    at.provider.refuses.clear()
    expect(await at.pass(desiredOf(rows))).toMatchObject({ deeds: ['create A n3.example.com'], left: 0 })
  })

  it.each([[['n3']], [['n0', 'n1', 'n2']], [['n6', 'n7', 'n8']], [['n0', 'n4', 'n8']]])(
    'does the rest when the server fails at the sets of %s, and keeps that they may be there',
    async (bad) => {
      const at = bench(profile)
      const rows = Array.from({ length: 9 }, (_, i) => ({ domain: `n${i}.example.com` }))
      const names = bad.map((label) => `${label}.example.com`)
      for (const name of names) at.provider.fails_at.add(name)
      const report = await at.pass(desiredOf(rows))
      const failed = report.repairs.flatMap((repair) => (repair.ok ? [] : [repair]))
      expect(failed.map(({ key }) => key)).toEqual(names.map((name) => `${name} A`))
      for (const { key, failure } of failed)
        expect(failure).toMatchObject({
          code: 'component_unavailable',
          message: expect.stringContaining(key.split(' ')[0]!) as unknown,
        })
      const there = [...at.provider.now().values()].filter(({ type }) => type === 'A')
      expect(there.map(({ name }) => name).filter((name) => names.includes(name))).toEqual([])
      expect(there).toHaveLength(9 - names.length)
      // What a server does that says that it failed, nobody knows: none of it looks like a stranger's afterwards.
      const rows_kept = [...at.ledger.rows.values()]
      const states = names.map((wanted) => rows_kept.find(({ name }) => name === wanted)?.state)
      expect(states).toEqual(names.map(() => 'sending'))
      at.provider.fails_at.clear()
      expect(await at.pass(desiredOf(rows))).toMatchObject({ left: 0, obstacles: [] })
    },
  )

  it('asks a server that fails at everything a few times, however many sets there are', async () => {
    const at = bench(profile)
    at.provider.fails_at.add('*')
    const rows = Array.from({ length: 60 }, (_, i) => ({ domain: `n${i}.example.com` }))
    const report = await at.pass(desiredOf(rows))
    expect(at.provider.calls.change).toBeLessThanOrEqual(10)
    expect(report.repairs.every(({ ok }) => !ok)).toBe(true)
    at.provider.fails_at.clear()
    expect(await at.pass(desiredOf(rows))).toMatchObject({ left: 0, obstacles: [] })
  })

  it('stops asking when the provider wants it to wait, and keeps how long', async () => {
    const at = bench(profile)
    at.provider.fault = (verb) => (verb === 'change' && at.provider.calls.change === 2 ? 'busy' : null)
    const rows = Array.from({ length: 20 }, (_, i) => ({ domain: `n${i}.example.com` }))
    const report = await at.pass(desiredOf(rows))
    expect(at.provider.calls.change).toBe(2)
    const failed = report.repairs.flatMap((repair) => (repair.ok ? [] : [repair.failure]))
    expect(failed.length).toBeGreaterThan(10)
    expect(new Set(failed.map(({ code, retry_after_ms }) => `${code} ${retry_after_ms}`))).toEqual(
      new Set(['provider_busy 7000']),
    )
    expect(await at.pass(desiredOf(rows))).toMatchObject({ left: 0, obstacles: [] })
  })
})
