/** What is sent after the server failed, again or for the first time: somebody else may have put a set of theirs there meanwhile. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../../src/kernel/failure.ts'
import { SERVER_FAILED } from '../../../../../src/features/dns/providers/port.ts'
import { type Bench, bench } from '../bench.ts'
import { PROFILE_NAMES, PROFILES } from '../profiles.ts'
import { desiredOf, type RowWish } from '../rows.ts'

const STRANGER = '198.51.100.66'
const MOVED = '198.51.100.7'
const NAMES = ['n0', 'n1', 'n2', 'n3'].map((label) => `${label}.example.com`)
const wanting = (over: RowWish = {}) => desiredOf(NAMES.map((domain) => ({ domain, ...over })))
const addressOf = ({ provider }: Bench, name: string) => provider.now().get(`${name} A`)?.values

/** Right after the first request at which the server fails. */
function afterFirstFailure({ provider }: Bench, happens: () => void) {
  const change = provider.change.bind(provider)
  let has_happened = false
  const once = () => {
    if (!has_happened) happens()
    has_happened = true
  }
  provider.change = async (...asked) => {
    try {
      const outcomes = await change(...asked)
      if (outcomes.some((outcome) => !outcome.ok && outcome.server_failed !== undefined)) once()
      return outcomes
    } catch (error) {
      once()
      throw error
    }
  }
}

const takesName = (at: Bench, name: string) => () =>
  at.provider.stranger({ name, type: 'A', values: [STRANGER] })
const failed = ({ repairs }: Awaited<ReturnType<Bench['pass']>>) =>
  repairs.flatMap((repair) => (repair.ok ? [] : [[repair.key, repair.failure.code]]))

/** Those that send several sets in one request, and so send some of them again. */
const BATCHING = PROFILE_NAMES.filter((name) => PROFILES[name].atomic)

describe.each(BATCHING)('%s: a set that somebody put there while the server failed', (profile) => {
  it('stays where a new set was to stand, and the others are made', async () => {
    const at = bench(profile)
    at.provider.fails_at.add(NAMES[0]!)
    afterFirstFailure(at, takesName(at, NAMES[2]!))
    const report = await at.pass(wanting())
    expect(addressOf(at, NAMES[2]!)).toEqual([STRANGER])
    expect(failed(report)).toEqual([
      [`${NAMES[0]} A`, 'component_unavailable'],
      [`${NAMES[2]} A`, 'foreign_owner'],
    ])
    expect([addressOf(at, NAMES[1]!), addressOf(at, NAMES[3]!)]).toEqual([['192.0.2.1'], ['192.0.2.1']])
    at.provider.fails_at.clear()
    await at.pass(wanting())
    expect(addressOf(at, NAMES[2]!)).toEqual([STRANGER])
  })

  it.each([
    ['changed', wanting({ static_ip: MOVED }), [MOVED]],
    ['taken away', wanting({ retired: true }), undefined],
  ] as const)('stays where a set of ours was to be %s', async (_what, desired, then) => {
    const at = bench(profile)
    await at.pass(wanting())
    at.provider.fails_at.add(NAMES[0]!)
    afterFirstFailure(at, takesName(at, NAMES[2]!))
    const report = await at.pass(desired)
    expect(addressOf(at, NAMES[2]!)).toEqual([STRANGER])
    expect(failed(report)).toEqual([
      [`${NAMES[0]} A`, 'component_unavailable'],
      [`${NAMES[2]} A`, 'conflict'],
    ])
    expect([addressOf(at, NAMES[1]!), addressOf(at, NAMES[3]!)]).toEqual([then, then])
  })

  it('stays where it is an alias, and no address is put beside it', async () => {
    const at = bench(profile)
    at.provider.fails_at.add(NAMES[0]!)
    const alias = { name: NAMES[2]!, type: 'ALIAS', values: ['elsewhere.example.net'] }
    afterFirstFailure(at, () => at.provider.stranger(alias))
    expect(failed(await at.pass(wanting()))).toContainEqual([`${NAMES[2]} A`, 'foreign_owner'])
    expect(addressOf(at, NAMES[2]!)).toBeUndefined()
  })

  it('is asked for before each request, those later on too', async () => {
    const at = bench(profile)
    at.provider.fails_at.add(NAMES[0]!)
    let requests = 0
    const change = at.provider.change.bind(at.provider)
    at.provider.change = async (...asked) => {
      if (++requests === 3) takesName(at, NAMES[3]!)()
      return change(...asked)
    }
    await at.pass(wanting())
    expect(requests).toBeGreaterThan(3)
    expect(addressOf(at, NAMES[3]!)).toEqual([STRANGER])
  })

  it('and what the lost request made itself is no stranger', async () => {
    const at = bench(profile)
    const change = at.provider.change.bind(at.provider)
    let requests = 0
    at.provider.change = async (...asked) => {
      const outcomes = await change(...asked)
      if (++requests > 1) return outcomes
      throw new Failure('component_unavailable', 'It failed at the end.', { facts: SERVER_FAILED })
    }
    const report = await at.pass(wanting())
    expect(failed(report).filter(([, code]) => code === 'foreign_owner')).toEqual([])
    expect(NAMES.map((name) => addressOf(at, name))).toEqual(NAMES.map(() => ['192.0.2.1']))
    expect(await at.pass(wanting())).toMatchObject({ left: 0, obstacles: [] })
  })

  it('and no answer is unknown: nothing more is sent', async () => {
    const at = bench(profile)
    at.provider.fails_at.add(NAMES[0]!)
    afterFirstFailure(at, () => (at.provider.fault = (verb) => (verb === 'list' ? 'unavailable' : null)))
    const { calls } = at.provider
    const report = await at.pass(wanting())
    expect(calls.change).toBe(1)
    expect(failed(report)).toEqual(NAMES.map((name) => [`${name} A`, 'component_unavailable']))
    const states = [...at.ledger.rows.values()].map(({ state }) => state)
    expect(states.length).toBeGreaterThan(1)
    expect(new Set(states)).toEqual(new Set(['sending']))
  })
})
