/** Whatever fails, in whatever order, and however often the process dies: limits hold, and in the end all is well. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { createIssuer } from '../../../../src/features/certificates/issuing/create-issuer.ts'
import type { CertificateWish } from '../../../../src/features/certificates/issuing/port.ts'
import { type CallOutcomes, Killed, mortal } from './killing.ts'
import { newWorld, PLAIN, tidyRemains, WHY, WILD, type World } from './world.ts'
import { byTier } from '../../../kit/tier.ts'
import { itInDepth } from '../../../kit/in-depth.ts'
import { certificateRecords } from '../../../../src/features/certificates/records.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const FAILURES = [
  () => new Failure('component_unavailable', 'It does not answer.'),
  () => new Failure('provider_busy', 'Too many.', { retry_after_ms: 90_000 }),
  () => new Failure('provider_busy', 'Too many.'),
  () => new Failure('provider_refused', 'It says no.'),
  () => new Failure('provider_credentials', 'It does not know us.'),
  () => new Failure('storage_full', 'The disk is full.'),
  () => new TypeError('a mistake'),
]

type Event = 'live' | 'before' | 'after' | number

const events = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constant<Event>('live') },
    { weight: 1, arbitrary: fc.constantFrom<Event>('before', 'after') },
    { weight: 2, arbitrary: fc.nat({ max: FAILURES.length - 1 }) },
  ),
  { maxLength: 400, size: 'max' },
)
const steps = fc.array(fc.integer({ min: -40 * DAY, max: 40 * DAY }), { maxLength: 20, size: 'max' })

/** Lives through the events, then in peace. Dead is dead until the next process. */
function fateOf(script: readonly Event[]): CallOutcomes & { reborn(): void } {
  const rest = [...script]
  let dead = false
  return {
    reborn: () => {
      dead = false
    },
    next(call) {
      if (dead) return 'before'
      const event = rest.shift() ?? 'live'
      if (typeof event === 'number')
        // The store only ever fails as a whole: a disk that is full.
        return call === 'store.write' ? new Failure('storage_full', 'The disk is full.') : FAILURES[event]!()
      dead = event !== 'live'
      return event
    },
  }
}

/** As the target does it: looks, and asks where there is need; a failure is heeded. */
async function live(world: World, wish: CertificateWish, { script, jumps }: Life): Promise<void> {
  const fate = fateOf(script)
  const left = [...jumps]
  const newProcess = () => createIssuer(mortal(world.parts({ staging: world.staging }), fate))
  let issuer = newProcess()
  for (let tries = 0; tries < 500; tries++) {
    if (await isDone(world)) return
    try {
      await issuer.issue(wish, WHY)
    } catch (error) {
      if (error instanceof Killed) {
        fate.reborn()
        issuer = newProcess()
      }
      world.clock.pass(error instanceof Failure ? (error.details.retry_after_ms ?? 60_000) : 60_000)
      world.clock.set(left.shift() ?? 0)
    }
  }
  throw new Error('500 attempts were not enough')
}

interface Life {
  readonly script: readonly Event[]
  readonly jumps: readonly number[]
}

const isDone = async ({ store }: World): Promise<boolean> =>
  (await store.of(certificateRecords).certificates()).length > 0 &&
  (await store.of(certificateRecords).certificateOrders()).length === 0

/** The most of these times within any span of that length. */
const densest = (times: readonly number[], span: number): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + span).length))

test.each([
  ['one name', PLAIN],
  ['a wildcard, its apex and a third name', WILD],
])('%s', { timeout: 180_000 }, async (_what, wish) => {
  await fc.assert(
    fc.asyncProperty(events, async (script) => {
      const world = await newWorld()
      await live(world, wish, { script, jumps: [] })
      const [installed] = await world.store.of(certificateRecords).certificates()
      // A version whose row a crash kept away is the target's to clear, and a key without an order is tidied up.
      await world.issuer().tidy([wish], WHY.signal)
      const remains = await world.remains()
      expect({ ...remains, versions: [], troubles: 0 }).toEqual({
        ...tidyRemains(installed!.fingerprint),
        versions: [],
      })
      expect(remains.versions).toContain(installed!.fingerprint)
      expect(
        densest(
          world.acme.issued.map(({ at }) => at),
          7 * DAY,
        ),
      ).toBeLessThanOrEqual(4)
      expect(
        densest(
          world.acme.failed.map(({ at }) => at),
          HOUR,
        ),
      ).toBeLessThanOrEqual(4)
    }),
    { numRuns: byTier(5, 60) },
  )
})

itInDepth(
  'a clock that is set to and fro meanwhile loses nothing and makes no storm',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(events, steps, async (script, jumps) => {
        const world = await newWorld()
        await live(world, PLAIN, { script, jumps })
        const [installed] = await world.store.of(certificateRecords).certificates()
        await world.issuer().tidy([PLAIN], WHY.signal)
        expect(await world.remains()).toMatchObject({
          records: [],
          stranger: true,
          orders: 0,
          waiting_keys: 0,
        })
        expect(installed?.names).toEqual(PLAIN.names)
        expect(world.acme.issued.length).toBeLessThanOrEqual(4)
      }),
      { numRuns: 60 },
    )
  },
)
