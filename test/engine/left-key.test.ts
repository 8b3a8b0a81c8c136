/** A key that leaves, and may come back, while a caller waits for it: a later release decides what is left to do there. */
import { expect, it } from 'vitest'
import type { ConvergeProgress } from '../../src/engine/progress.ts'
import type { AnyFamily, AnyTarget } from '../../src/engine/target.ts'
import type { Report } from '../../src/model/report.ts'
import { fakeTarget, fakeWorld } from './fake-target.ts'
import { openRig, type Rig } from './rig.ts'

const THERE = 'there.example.com'

/** A family with one key, as long as the record of that name is released. */
function familyOf(target: AnyTarget): AnyFamily {
  const targetsFor: AnyFamily['targetsFor'] = ({ rows }) =>
    rows.some(({ fields }) => fields.domain === THERE) ? [target] : []
  return { ...target, targetsFor }
}

async function takeAway({ store, engine }: Rig): Promise<void> {
  const { id } = (await store.domainByName(THERE))!
  const request = { actor: 'another', request_id: '', reason: 'test', plan_hash: null, warnings: [] }
  await store.write((tx) => engine.release(tx, { ...request, rows: [{ domain_id: id, row: null }] }))
  engine.onReleased()
  await engine.retarget()
}

async function bringBack(rig: Rig): Promise<void> {
  await rig.release(THERE, 3)
  await rig.engine.retarget()
}

async function aCall(
  during: 'before it is asked' | 'while it is worked on',
  happens: (rig: Rig) => Promise<void> = takeAway,
) {
  const [first, there] = [fakeWorld(), fakeWorld()]
  let disturb: () => Promise<void> = async () => undefined
  const disturbed = (world: typeof first): Partial<AnyTarget> => ({
    observe: async (signal) => {
      const seen = await fakeTarget(world).observe(signal)
      const once = disturb
      disturb = async () => undefined
      await once()
      return seen
    },
  })
  const at_first = during === 'before it is asked'
  const last = fakeTarget(there, { name: 'last', key: 'last', ...(!at_first && disturbed(there)) })
  const rig = await openRig({
    world: first,
    started: false,
    ...(at_first && { target: disturbed(first) }),
    families: [familyOf(last)],
  })
  await rig.release('here.example.com', 1)
  await rig.release(THERE, 2)
  disturb = () => happens(rig)
  return rig
}

it('before it is asked: the call ends with the reports of all others', async () => {
  await using rig = await aCall('before it is asked')
  const reports = await rig.engine.converge('open')
  expect(reports.map(({ key, outcome }) => [key, outcome])).toEqual([['fake', 'repaired']])
})

it('while it is worked on: the call has its report, and the next one has none', async () => {
  await using rig = await aCall('while it is worked on')
  expect((await rig.engine.converge('open')).map(({ key }) => key)).toEqual(['fake', 'last'])
  expect((await rig.engine.converge('open')).map(({ key }) => key)).toEqual(['fake'])
})

const nothing = () => undefined
const silentSteps = { looks: nothing, writes: nothing, wrote: nothing, ended: nothing, left: nothing }

/** A call for that key alone, which waits in the queue by then. */
async function anotherCall({ engine }: Rig): Promise<{ readonly reports: Promise<readonly Report[]> }> {
  const asks = Promise.withResolvers<void>()
  const progress: ConvergeProgress = {
    expects: () => undefined,
    of: () => (asks.resolve(), silentSteps),
    proves: () => () => undefined,
  }
  const reports = engine.converge('open', { records: 'all', keys: ['last'], progress })
  await asks.promise
  return { reports }
}

it.each([
  ['has come back', async () => undefined, ['last']],
  ['has come back and left anew', takeAway, []],
])(
  'a caller who waits while it is worked on as it was has an answer where it %s',
  async (_title, then, keys) => {
    let other: Awaited<ReturnType<typeof anotherCall>> | undefined
    await using rig = await aCall('while it is worked on', async (during) => {
      await takeAway(during)
      await bringBack(during)
      other = await anotherCall(during)
      await then(during)
    })
    await rig.engine.converge('open')
    expect((await other!.reports).map(({ key }) => key)).toEqual(keys)
  },
)

it('a caller from before it left has the report of when it was back', async () => {
  let other: Awaited<ReturnType<typeof anotherCall>> | undefined
  await using rig = await aCall('while it is worked on', async (during) => {
    other = await anotherCall(during)
    await takeAway(during)
    await bringBack(during)
  })
  await rig.engine.converge('open')
  expect((await other!.reports).map(({ key }) => key)).toEqual(['last'])
})

it('whose names are another one’s now: the call works on that one, too, and tells both', async () => {
  const place = { held: 'last' }
  const [last, other] = ['last', 'other'].map((key) => fakeTarget(fakeWorld(), { name: key, key }))
  const family = (target: AnyTarget): AnyFamily => ({
    ...target,
    targetsFor: () => (place.held === target.key ? [target] : []),
  })
  const world = fakeWorld()
  const plain = fakeTarget(world)
  let moves = false
  const observe: AnyTarget['observe'] = async (signal) => {
    if (moves) {
      moves = false
      place.held = 'other'
      await rig.engine.retarget()
    }
    return plain.observe(signal)
  }
  await using rig = await openRig({
    world,
    target: { observe },
    started: false,
    families: [family(last!), family(other!)],
  })
  await rig.release('here.example.com', 1)
  const left: string[] = []
  const of = (key: string) => ({
    looks: () => undefined,
    writes: () => undefined,
    wrote: () => undefined,
    ended: () => undefined,
    left: () => left.push(key),
  })
  const progress = { expects: () => undefined, of, proves: () => () => undefined }
  moves = true
  const reports = await rig.engine.converge('open', { records: 'all', progress })
  expect(reports.map(({ key, outcome }) => [key, outcome])).toEqual([
    ['fake', 'repaired'],
    ['other', 'repaired'],
  ])
  expect(left).toEqual(['last'])
})
