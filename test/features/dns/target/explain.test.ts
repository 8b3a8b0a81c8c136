/** What a person is told about a zone: causes, excerpts and the list of records. */
import { describe, expect, it } from 'vitest'
import type { DriftCause } from '../../../../src/model/drift.ts'
import type { DnsDesired } from '../../../../src/features/dns/target/desire.ts'
import { recordViews } from '../../../../src/features/dns/target/records.ts'
import { type Bench, bench, mark, owned } from './bench.ts'
import { desiredOf } from './rows.ts'

const APP = { domain: 'app.example.com' }
const BEFORE = desiredOf([APP])
const MOVED = desiredOf([{ ...APP, static_ip: '192.0.2.7' }])

interface Case {
  readonly working: DnsDesired
  readonly released: DnsDesired | null
  /** After the released state stands. */
  readonly happens?: (at: Bench) => void
}

const SET = { name: APP.domain, type: 'A', ttl: 300, comment: mark(1) }

async function explain({ working, released, happens }: Case) {
  const at = bench()
  if (released !== null) await at.pass(released)
  happens?.(at)
  return at.target.explain({ working, released, observed: await at.look(), rows_moved: working !== released })
}

describe('the cause', () => {
  it.each<[string, Case, readonly (readonly [DriftCause, RegExp])[]]>([
    ['nothing differs', { working: BEFORE, released: BEFORE }, []],
    [
      'nothing was released',
      { working: BEFORE, released: null },
      [['pending_deploy', /nothing becomes 192\.0\.2\.1 ttl 300/]],
    ],
    [
      'a record was edited',
      { working: MOVED, released: BEFORE },
      [['pending_deploy', /192\.0\.2\.1 ttl 300 becomes 192\.0\.2\.7/]],
    ],
    [
      'a record was retired',
      { working: desiredOf([{ ...APP, retired: true }]), released: BEFORE },
      [['pending_deploy', /becomes nothing/]],
    ],
    ['a record vanished', { working: desiredOf([]), released: BEFORE }, []],
    [
      'somebody edited it',
      {
        working: BEFORE,
        released: BEFORE,
        happens: ({ provider }) => provider.stranger({ ...SET, values: ['198.51.100.1'] }),
      },
      [['edited', /198\.51\.100\.1 ttl 300 instead of 192\.0\.2\.1/]],
    ],
    [
      'somebody changed the TTL',
      {
        working: BEFORE,
        released: BEFORE,
        happens: ({ provider }) => provider.stranger({ ...SET, ttl: 60, values: ['192.0.2.1'] }),
      },
      [['edited', /ttl 60 instead of/]],
    ],
    [
      'somebody took it away',
      {
        working: BEFORE,
        released: BEFORE,
        happens: ({ provider }) => provider.stranger({ ...SET, values: [] }),
      },
      [['lost', /is missing/]],
    ],
    [
      'somebody took the mark away',
      {
        working: BEFORE,
        released: BEFORE,
        happens: ({ provider }) => provider.stranger({ ...SET, comment: null, values: ['192.0.2.1'] }),
      },
      [['edited', /the mark/]],
    ],
    [
      'somebody edited what was edited here',
      {
        working: MOVED,
        released: BEFORE,
        happens: ({ provider }) => provider.stranger({ ...SET, values: ['198.51.100.1'] }),
      },
      [['edited_and_pending', /198\.51\.100\.1/]],
    ],
    [
      'the ledger did not take note',
      { working: BEFORE, released: BEFORE, happens: ({ ledger }) => ledger.put(owned({ state: 'sending' })) },
      [['applied_unrecorded', /not on record/]],
    ],
    [
      'somebody else holds the name',
      {
        working: BEFORE,
        released: BEFORE,
        happens: ({ provider }) => provider.stranger({ ...SET, comment: null, values: ['198.51.100.1'] }),
      },
      [['foreign_owner', /Adopt it/]],
    ],
  ])('when %s', async (_title, sides, expected) => {
    const { differences, unified_diff } = await explain(sides)
    expect(unified_diff).toBeNull()
    expect(differences).toEqual(
      expected.map(([cause, detail]) => ({
        item: 'A app.example.com',
        cause,
        domains: [APP.domain],
        detail: expect.stringMatching(detail),
      })),
    )
  })

  it.each<[string, DriftCause, RegExp, NonNullable<Case['happens']>]>([
    [
      'is that it waits',
      'pending_deploy',
      /^saved but not deployed: .* becomes that of another record$/,
      () => {},
    ],
    [
      'whose mark somebody took away is that',
      'edited',
      /the mark/,
      ({ provider }) => provider.stranger({ ...SET, comment: null, values: ['192.0.2.1'] }),
    ],
  ])('of a name that is saved for another record %s', async (_title, cause, detail, happens) => {
    const released = desiredOf([APP, { domain: 'b.example.com' }])
    const working = desiredOf([{ domain: 'c.example.com' }, APP])
    const { differences } = await explain({ working, released, happens })
    expect(differences).toMatchObject([
      { item: 'A app.example.com', cause, detail: expect.stringMatching(detail) as unknown },
      { item: 'A b.example.com', cause: 'pending_deploy' },
      { item: 'A c.example.com', cause: 'pending_deploy' },
    ])
  })

  it('of a moved address is that something else than a record changed', async () => {
    const at = bench()
    const desired = desiredOf([APP], { hub_host: 'hub.example.net' })
    await at.pass(desired)
    at.ledger.reported = [
      { host: 'hub.example.net', ipv4: '192.0.2.8', ipv6: null, changed_at: 1, reported_at: 1 },
    ]
    const sides = { working: desired, released: desired, observed: await at.look(), rows_moved: true }
    expect(at.target.explain(sides).differences).toMatchObject([
      { cause: 'renderer_changed', detail: expect.stringContaining('its address') },
    ])
  })

  it('is accompanied by the names that nobody knows an address for', async () => {
    const desired = desiredOf([APP], { public_ip: [] })
    const told = await explain({ working: desired, released: desired })
    expect(told).toMatchObject({
      differences: [],
      note: expect.stringContaining('No address is known for app.example.com'),
    })
  })
})

describe('an excerpt', () => {
  it('holds the sets of the asked domains, line by line, and nothing for others', async () => {
    const at = bench()
    const desired = desiredOf([
      { ...APP, static_ip: '192.0.2.7' },
      { domain: 'b.example.com', ddns_enabled: true },
    ])
    await at.pass(desired)
    const { excerpt } = at.target
    expect(excerpt!.desired(desired, [APP.domain])).toBe('app.example.com 300 A 192.0.2.7\n')
    expect(excerpt!.observed(await at.look(), [APP.domain])).toBe('app.example.com 300 A 192.0.2.7\n')
    expect(excerpt!.desired(desired, ['b.example.com'])).toBe(
      'b.example.com 300 as reported for b.example.com, else A 192.0.2.1\n',
    )
    expect(excerpt!.desired(desired, ['c.example.com'])).toBeNull()
    expect(excerpt!.observed(await at.look(), ['c.example.com'])).toBeNull()
  })

  it('lets nothing that a stranger wrote drive a terminal', async () => {
    const at = bench()
    at.provider.stranger({ name: APP.domain, type: 'CNAME', values: ['\u001b]0;x\u0007.example'] })
    expect(at.target.excerpt!.observed(await at.look(), [APP.domain])).not.toMatch(/[\u001b\u0007]/) // eslint-disable-line no-control-regex
  })
})

describe('the list of records', () => {
  it("shows what is managed, what is in the way and what nobody knows, and no stranger's own", async () => {
    const at = bench()
    at.provider.stranger({ name: 'alias.example.com', type: 'CNAME', values: ['x.example.net'] })
    at.provider.stranger({ name: 'mail.example.com', type: 'A', values: ['198.51.100.9'] })
    at.ledger.put(owned({ name: 'kept.example.com', domain_id: 7 }))
    const desired = desiredOf([
      APP,
      { domain: 'alias.example.com' },
      { domain: 'kept.example.com', domain_id: 7, live: false },
    ])
    const state = await at.look()
    const brief = recordViews(desired, state).map((view) => [
      view.name,
      view.type,
      view.state,
      view.domain,
      view.desired,
      view.observed,
    ])
    expect(brief).toEqual([
      ['alias.example.com', 'CNAME', 'conflict', 'alias.example.com', ['192.0.2.1'], ['x.example.net']],
      ['app.example.com', 'A', 'absent', 'app.example.com', ['192.0.2.1'], null],
      ['kept.example.com', 'A', 'lost', 'kept.example.com', null, null],
    ])
    const nowhere = recordViews(desiredOf([APP], { public_ip: [] }), state)
    expect(nowhere.find(({ name }) => name === APP.domain)).toMatchObject({
      state: 'unaddressed',
      desired: null,
    })
  })
})
