/** TXT values of challenges among the values of others, at every kind of provider, whatever it does meanwhile. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import { Challenges } from '../../../../src/features/dns/challenges/challenges.ts'
import { ZoneIndex } from '../../../../src/features/dns/target/zones/zone-index.ts'
import { ZoneLock } from '../../../../src/features/dns/target/zones/zone-lock.ts'
import { owned } from './bench.ts'
import { type Fault, MemoryProvider, zoneOf } from './memory-provider.ts'
import { PROFILE_NAMES, type ProfileName } from './profiles.ts'

const never = new AbortController().signal
const NAME = '_acme-challenge.example.com'
const of = (value: string, name = NAME) => ({ name, value })

function rigOf(profile: ProfileName = 'powerdns_like', provider = new MemoryProvider(profile)) {
  const zone_index = new ZoneIndex(null)
  zone_index.setZones([zoneOf('example.com')])
  const challenges = new Challenges({
    zone_index,
    providers: [provider],
    lock: new ZoneLock(),
    log: silentLog,
  })
  const valuesAt = (name = NAME) => provider.now().get(`${name} TXT`)?.values ?? []
  return { provider, zone_index, challenges, valuesAt }
}

describe.each(PROFILE_NAMES)('challenges at a provider that is %s', (profile) => {
  it('two values stand together at one name, and go one by one', async () => {
    const { challenges, valuesAt, provider } = rigOf(profile)
    await challenges.present(of('wild'), never)
    await challenges.present(of('apex'), never)
    expect(valuesAt()).toEqual(['apex', 'wild'])
    await challenges.remove(of('wild'), never)
    expect(valuesAt()).toEqual(['apex'])
    await challenges.remove(of('apex'), never)
    expect(provider.now().has(`${NAME} TXT`)).toBe(false)
  })

  it('what others put at the name stays, and so do their lifetime and their comment', async () => {
    const { challenges, provider } = rigOf(profile)
    const { comment_most } = provider.traits
    const comment = comment_most === null ? null : 'by hand'
    provider.stranger({ name: NAME, type: 'TXT', values: ['theirs'], ttl: 3600, comment })
    await challenges.present(of('ours'), never)
    expect(provider.now().get(`${NAME} TXT`)).toMatchObject({
      values: ['ours', 'theirs'],
      ttl: 3600,
      comment,
    })
    await challenges.remove(of('ours'), never)
    expect(provider.now().get(`${NAME} TXT`)).toMatchObject({ values: ['theirs'], ttl: 3600, comment })
  })

  it('what stands there, or does not, is not written again', async () => {
    const { challenges, provider } = rigOf(profile)
    await challenges.present(of('once'), never)
    await challenges.present(of('once'), never)
    expect(provider.calls.change).toBe(1)
    await challenges.remove(of('other'), never)
    expect(provider.calls.change).toBe(1)
  })

  it('twenty at once: one write in flight, and each value arrives', async () => {
    const { challenges, valuesAt } = rigOf(profile)
    const values = Array.from({ length: 20 }, (_, i) => `v${i}`)
    await Promise.all(values.map((value) => challenges.present(of(value), never)))
    expect(valuesAt()).toEqual(values.toSorted())
    await Promise.all(values.map((value) => challenges.remove(of(value), never)))
    expect(valuesAt()).toEqual([])
  })

  it('whatever breaks off, after another try each value is as it was asked for, and strangers’ stay', async () => {
    const step = fc.record({
      verb: fc.constantFrom('present', 'remove', 'stranger'),
      value: fc.constantFrom('a', 'b', 'c'),
      fault: fc.constantFrom<Fault | null>(null, 'unavailable', 'busy', 'applied_then_unavailable'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { challenges, provider, valuesAt } = rigOf(profile)
        const wanted = new Set<string>()
        for (const { verb, value, fault } of steps) {
          if (verb === 'stranger') {
            wanted.add(`s-${value}`)
            provider.stranger({ name: NAME, type: 'TXT', values: [...wanted].sort() })
            continue
          }
          provider.fault = (called) => (called === 'change' ? fault : null)
          const first = await challenges[verb](of(value), never).catch((error: unknown) => error)
          if (first !== undefined) expect(first).toBeInstanceOf(Failure)
          provider.fault = () => null
          await challenges[verb](of(value), never)
          wanted[verb === 'present' ? 'add' : 'delete'](value)
          expect(valuesAt()).toEqual([...wanted].sort())
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(PROFILE_NAMES)(
  'a listing that hides what stands at the name, at a provider that is %s',
  (profile) => {
    /** Its listing hides the name; a question about the name alone is answered as it is told. */
    const hiding = (answer: 'shows' | 'fails') => {
      const rig = rigOf(profile)
      const { provider } = rig
      const all = provider.list.bind(provider)
      provider.list = async (zone, signal) => (await all(zone, signal)).filter(({ name }) => name !== NAME)
      const at = async (zone: string, { name }: { readonly name: string }, signal: AbortSignal) => {
        if (answer === 'fails') throw new Failure('component_unavailable', 'Nobody answers.')
        return (await all(zone, signal)).filter((set) => set.name === name)
      }
      Object.assign(provider, { at })
      return rig
    }

    it('another value stays when ours comes and when it goes', async () => {
      const { challenges, provider, valuesAt } = hiding('shows')
      provider.stranger({ name: NAME, type: 'TXT', values: ['theirs'] })
      await challenges.present(of('ours'), never)
      expect(valuesAt()).toEqual(['ours', 'theirs'])
      await challenges.remove(of('ours'), never)
      expect(valuesAt()).toEqual(['theirs'])
    })

    it('an alias is in the way', async () => {
      const { challenges, provider } = hiding('shows')
      provider.stranger({ name: NAME, type: 'CNAME', values: ['elsewhere.test'] })
      await expect(challenges.present(of('x'), never)).rejects.toThrow(/CNAME to elsewhere/)
      expect(provider.calls.change).toBe(0)
    })

    it('no answer is unknown, and nothing is written', async () => {
      const { challenges, provider, valuesAt } = hiding('fails')
      provider.stranger({ name: NAME, type: 'TXT', values: ['theirs'] })
      await expect(challenges.present(of('ours'), never)).rejects.toThrow('Nobody answers.')
      await expect(challenges.remove(of('theirs'), never)).rejects.toThrow('Nobody answers.')
      expect(valuesAt()).toEqual(['theirs'])
      expect(provider.calls.change).toBe(0)
    })
  },
)

it('a zone that is gone though sets of ours stood in it is not made for a challenge', async () => {
  const provider = new MemoryProvider('short_comments', 'example.com', { exists: false })
  const zone_index = new ZoneIndex({ account: provider.account, only: [] })
  const challenges = new Challenges({
    zone_index,
    providers: [provider],
    lock: new ZoneLock(),
    log: silentLog,
  })
  zone_index.setOwned([owned()])
  await expect(challenges.present(of('x'), never)).rejects.toThrow('no zone example.com')
  expect(await provider.zones(never)).toEqual([])
  zone_index.setOwned([])
  await challenges.present(of('x'), never)
  expect(await provider.zones(never)).toHaveLength(1)
})

describe('what is in the way', () => {
  it.each([
    ['an alias at the name', { name: NAME, type: 'CNAME', values: ['elsewhere.test'] }, /CNAME to elsewhere/],
    ['a delegation above it', { name: 'sub.example.com', type: 'NS', values: ['ns1.test'] }, /delegated/],
    ['a redirection above it', { name: 'sub.example.com', type: 'DNAME', values: ['x.test'] }, /DNAME/],
  ])('%s is told before and refused then, and nothing is written', async (_what, set, words) => {
    const { challenges, provider } = rigOf()
    provider.stranger(set)
    const name = set.type === 'CNAME' ? NAME : '_acme-challenge.app.sub.example.com'
    expect(await challenges.obstacle(name, never)).toMatch(words)
    await expect(challenges.present(of('x', name), never)).rejects.toMatchObject({ code: 'provider_refused' })
    expect(provider.calls.change).toBe(0)
  })

  it('nothing, where nothing is', async () => {
    const { challenges, provider } = rigOf()
    expect(await challenges.obstacle(NAME, never)).toBeNull()
    expect(provider.calls.change).toBe(0)
  })

  it('while an account does not answer nobody says that there is no zone, and it is tried again', async () => {
    const { challenges, zone_index } = rigOf()
    zone_index.silent = () => ['other']
    const name = '_acme-challenge.example.net'
    const unknown =
      'whether an account has a zone for _acme-challenge.example.net is not known while other does not answer.'
    expect(await challenges.obstacle(name, never)).toBe(`DNS: ${unknown}`)
    await expect(challenges.present(of('x', name), never)).rejects.toMatchObject({
      code: 'component_unavailable',
      message: expect.stringContaining(unknown) as unknown,
    })
  })

  it('a zone that nobody has: told, refused, and nothing to take away', async () => {
    const { challenges } = rigOf()
    const name = '_acme-challenge.example.net'
    expect(await challenges.obstacle(name, never)).toContain('No DNS account')
    await expect(challenges.present(of('x', name), never)).rejects.toMatchObject({ code: 'provider_refused' })
    await challenges.remove(of('x', name), never)
  })

  it('a zone that may not be written', async () => {
    const { challenges, zone_index } = rigOf()
    zone_index.setZones([zoneOf('example.com', { writable: false, detail: 'it is paused' })])
    expect(await challenges.obstacle(NAME, never)).toMatch(/cannot be written: it is paused/)
  })

  it('a set that the provider refuses comes back as its words', async () => {
    const { challenges, provider } = rigOf()
    provider.refuses.add(NAME)
    await expect(challenges.present(of('x'), never)).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining(NAME) as string,
    })
  })

  it('a caller who gives up while it waits for the zone is let go at once', async () => {
    const { challenges, provider, valuesAt } = rigOf()
    const abort = new AbortController()
    const first = challenges.present(of('first'), never)
    const second = challenges.present(of('second'), abort.signal)
    abort.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    await first
    expect(valuesAt()).toEqual(['first'])
    expect(provider.calls.change).toBe(1)
  })
})

it('a zone that is made on first use is made for the first value', async () => {
  const provider = new MemoryProvider('short_comments', 'example.com', { exists: false })
  const { challenges, zone_index, valuesAt } = rigOf('short_comments', provider)
  zone_index.setZones([])
  const maker = new ZoneIndex({ account: 'default', only: [] })
  const made = new Challenges({
    zone_index: maker,
    providers: [provider],
    lock: new ZoneLock(),
    log: silentLog,
  })
  expect(await challenges.obstacle(NAME, never)).toContain('No DNS account')
  expect(await made.obstacle(NAME, never)).toBeNull()
  await made.remove(of('never'), never)
  expect(maker.zoneFor(NAME)).toMatchObject({ planned: true })
  await made.present(of('first'), never)
  expect(valuesAt()).toEqual(['first'])
  expect(maker.zoneFor(NAME)).toMatchObject({ planned: false })
})
