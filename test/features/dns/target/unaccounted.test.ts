/** Sets that no record accounts for: told and left alone, until a person says what becomes of an orphan. */
import { describe, expect, it } from 'vitest'
import { NO_DOMAIN } from '../../../../src/model/network/dns.ts'
import { marksBy } from '../../../../src/features/dns/target/marks/marker.ts'
import { othersIn } from '../../../../src/features/dns/target/others.ts'
import { recordViews } from '../../../../src/features/dns/target/records.ts'
import { type Bench, bench, lines, mark, OTHER, owned } from './bench.ts'
import { PROFILE_NAMES } from './profiles.ts'
import { desiredOf } from './rows.ts'

const APP = { domain: 'app.example.com' }
const OLD = 'old.example.com'
const DESIRED = desiredOf([APP])

const has_comments = ({ provider }: Bench) => marksBy(provider.traits) === 'comment'

/** As a database that was set back leaves it behind. */
function orphan(
  at: Bench,
  set: { readonly name?: string; readonly type?: 'A' | 'AAAA'; readonly id?: number },
) {
  const { name = OLD, type = 'A', id = 77 } = set
  const text = `${mark(id)} change=9`
  const values = [type === 'A' ? '192.0.2.77' : '2001:db8::77']
  at.provider.stranger({ name, type, values, ...(has_comments(at) && { comment: text }) })
  if (!has_comments(at)) at.provider.stranger({ name: `_plumbline.${name}`, type: 'TXT', values: [text] })
}

/** What a person who says so leaves in the ledger. */
const told = (at: Bench, type: 'A' | 'AAAA' = 'A') =>
  at.ledger.put(
    owned({
      name: OLD,
      type,
      state: 'removing',
      domain_id: NO_DOMAIN,
      values: at.provider.now().get(`${OLD} ${type}`)!.values,
      proxied: at.provider.traits.has_proxy ? false : null,
    }),
  )

const explained = async (at: Bench, desired = DESIRED) =>
  at.target.explain({ working: desired, released: desired, observed: await at.look(), rows_moved: false })
    .differences

it('what no record accounts for is told of as somebody else’s, and our own marks are not', async () => {
  for (const profile of PROFILE_NAMES) {
    const at = bench(profile)
    await at.pass(DESIRED)
    const state = await at.look()
    const foreign = { type: 'TXT', ttl: 60, values: ['v=spf1 -all'], ids: [], comment: null, proxied: null }
    const rrsets = [...state.rrsets, { ...foreign, name: 'b.example.com' }, { ...foreign, name: APP.domain }]
    const found = { ...state, rrsets }
    expect(othersIn(found, recordViews(DESIRED, found), new Set([APP.domain]))).toMatchObject([
      { name: APP.domain, type: 'TXT', values: ['v=spf1 -all'], domain: APP.domain },
      { name: 'b.example.com', type: 'TXT', ttl: 60, domain: null },
    ])
  }
})

it('a TXT that we put there for an order is not of somebody else, and theirs beside it is', async () => {
  const [profile] = PROFILE_NAMES
  const at = bench(profile)
  await at.pass(DESIRED)
  const state = await at.look()
  const txt = { type: 'TXT', ttl: 60, ids: [], comment: null, proxied: null }
  const [first, second] = ['_acme-challenge.a.example.com', '_acme-challenge.b.example.com']
  const rrsets = [
    ...state.rrsets,
    { ...txt, name: first, values: ['ours'] },
    { ...txt, name: second, values: ['ours', 'theirs'] },
  ]
  const found = { ...state, rrsets }
  const own = [first, second].map((name) => ({ name, value: 'ours' }))
  const views = recordViews(DESIRED, found)
  expect(othersIn(found, views, new Set(), own)).toMatchObject([{ name: second, values: ['theirs'] }])
  expect(othersIn(found, views, new Set())).toHaveLength(2)
})

describe.each(PROFILE_NAMES)('at a provider like %s', (profile) => {
  it('an orphan at a name that nobody wants is told with its cause, and nothing is written for it', async () => {
    const at = bench(profile)
    await at.pass(DESIRED)
    orphan(at, {})
    const before = lines(at)
    for (let passes = 0; passes < 2; passes++)
      expect(await at.pass(DESIRED)).toMatchObject({
        deeds: [],
        left: 0,
        obstacles: [{ item: `A ${OLD}`, domain_ids: [], beside: true }],
      })
    expect(lines(at)).toEqual(before)
    expect(await explained(at)).toEqual([
      {
        item: `A ${OLD}`,
        cause: 'orphan',
        domains: [],
        detail: expect.stringMatching(/plumbline dns remove A old/),
      },
    ])
    const views = recordViews(DESIRED, await at.look())
    expect(views.find(({ name }) => name === OLD)).toMatchObject({
      state: 'orphan',
      domain_id: 77,
      domain: null,
      desired: null,
      observed: ['192.0.2.77'],
    })
  })

  it('an orphan goes, mark and all, when a person says so, and its other family stays what it is', async () => {
    const at = bench(profile)
    await at.pass(DESIRED)
    const before = lines(at)
    orphan(at, {})
    orphan(at, { type: 'AAAA' })
    told(at)
    expect(await at.pass(DESIRED)).toMatchObject({
      deeds: [`delete A ${OLD}`],
      left: 0,
      obstacles: [{ item: `AAAA ${OLD}`, beside: true }],
    })
    expect(await explained(at)).toMatchObject([{ item: `AAAA ${OLD}`, cause: 'orphan' }])
    told(at, 'AAAA')
    expect(await at.pass(DESIRED)).toMatchObject({ deeds: [`delete AAAA ${OLD}`], left: 0, obstacles: [] })
    expect(lines(at)).toEqual(before)
    expect([...at.ledger.rows.values()].map(({ name }) => name)).toEqual([APP.domain])
  })

  it('an orphan that somebody replaced before it went is left to them', async () => {
    const at = bench(profile)
    orphan(at, {})
    told(at)
    at.provider.stranger({ name: OLD, type: 'A', values: ['198.51.100.1'], comment: null })
    at.provider.stranger({ name: `_plumbline.${OLD}`, type: 'TXT', values: [] })
    await at.pass(desiredOf([]))
    expect(at.provider.now().get(`${OLD} A`)?.values).toEqual(['198.51.100.1'])
    expect(at.ledger.rows.size).toBe(0)
  })

  it('a name that is wanted again before the orphan went is ours and stays', async () => {
    const at = bench(profile)
    orphan(at, {})
    told(at)
    const desired = desiredOf([{ domain: OLD, domain_id: 5 }])
    expect(await at.pass(desired)).toMatchObject({ deeds: [`update A ${OLD}`], left: 0, obstacles: [] })
    expect([...at.ledger.rows.values()]).toMatchObject([{ domain_id: 5, state: 'owned' }])
  })

  it.each([
    ["a stranger's", null, /not made by Plumbline and stands beside ours: clients that prefer IPv6/],
    ["another installation's", `plumbline:1:${OTHER}:4`, /belongs to another installation/],
  ])('%s AAAA beside our A is told and never touched', async (_title, comment, detail) => {
    const at = bench(profile)
    if (comment !== null && !has_comments(at)) return
    await at.pass(DESIRED)
    at.provider.stranger({ name: APP.domain, type: 'AAAA', values: ['2001:db8:ffff::1'], comment })
    at.provider.stranger({ name: 'mail.example.com', type: 'AAAA', values: ['2001:db8:ffff::2'] })
    const before = lines(at)
    expect(await at.pass(DESIRED)).toMatchObject({
      deeds: [],
      left: 0,
      obstacles: [{ item: 'AAAA app.example.com', domain_ids: [1], beside: true }],
    })
    expect(lines(at)).toEqual(before)
    expect(await explained(at)).toEqual([
      {
        item: 'AAAA app.example.com',
        cause: 'foreign_owner',
        domains: [APP.domain],
        detail: expect.stringMatching(detail),
      },
    ])
    const brief = recordViews(DESIRED, await at.look()).map(({ name, type, domain }) => [name, type, domain])
    expect(brief).toEqual([
      [APP.domain, 'A', APP.domain],
      [APP.domain, 'AAAA', APP.domain],
    ])
    const gone = desiredOf([{ ...APP, retired: true }])
    expect(await at.pass(gone)).toMatchObject({ deeds: ['delete A app.example.com'], left: 0, obstacles: [] })
    expect(at.provider.now().has('app.example.com AAAA')).toBe(true)
  })

  it.each([
    ['1 stranger.example.net. ipv4hint=192.0.2.66', true],
    ['0 stranger.example.net.', true],
    ['1 . alpn=h2 ipv4hint=192.0.2.66', true],
    ['1 . alpn=h2 ipv6hint=2001:db8::66', true],
    ['1 . alpn="h2,h3"', false],
    ['1 app.example.com. alpn=h2', false],
    ['1 . ipv4hint=192.0.2.1', false],
  ])('an HTTPS record %s beside our A is told where it leads elsewhere: %s', async (value, told) => {
    const at = bench(profile)
    await at.pass(DESIRED)
    at.provider.stranger({ name: APP.domain, type: 'HTTPS', values: [value] })
    at.provider.stranger({ name: 'mail.example.com', type: 'HTTPS', values: ['0 elsewhere.example.net.'] })
    const before = lines(at)
    const obstacles = told ? [{ item: 'HTTPS app.example.com', domain_ids: [1], beside: true }] : []
    expect(await at.pass(DESIRED)).toMatchObject({ deeds: [], left: 0, obstacles })
    expect(lines(at)).toEqual(before)
    const differences = told ? [{ cause: 'foreign_owner', domains: [APP.domain] }] : []
    expect(await explained(at)).toMatchObject(differences)
    expect(await at.pass(desiredOf([{ ...APP, retired: true }]))).toMatchObject({ left: 0, obstacles: [] })
  })
})
