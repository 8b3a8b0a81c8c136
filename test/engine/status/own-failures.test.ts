/** A world that is as we left it was changed by nobody: what is missing there is our own write, which failed. */
import { describe, expect, it } from 'vitest'
import { causeOf } from '../../../src/engine/cause.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { openRig } from '../rig.ts'

const never = new AbortController().signal
const A = 'a.example.com'

/** As a file is explained: by the table of causes. */
const explain: AnyTarget['explain'] = ({ working, released, observed, rows_moved }) => {
  const sides = { working: working as string, released: released as string, observed: observed as string }
  const cause = causeOf(sides, rows_moved)
  const differences = cause === null ? [] : [{ item: 'the fake', cause, domains: [A], detail: 'by hand' }]
  return { differences, unified_diff: null, note: null }
}

async function refused() {
  const rig = await openRig({ target: { explain } })
  await rig.release(A, 1)
  await rig.engine.converge('open')
  rig.world.write = 'throws'
  await rig.release(A, 2)
  await rig.engine.converge('open')
  const told = async () => {
    const { cause, differences } = await rig.engine.observeFirstKey('fake', never)
    return { cause, differences }
  }
  return { rig, told }
}

it('a write that failed is told as that, on every page', async () => {
  const { rig, told } = await refused()
  await using _ = rig
  const difference = {
    item: 'the fake',
    cause: 'rejected',
    domains: [A],
    detail: 'deployed and not in place: the fake is full',
  }
  expect(await told()).toEqual({ cause: 'rejected', differences: [difference] })
  await rig.engine.conditions()
  const [status] = rig.engine.statuses(null)
  expect([status!.cause, status!.differences]).toEqual(['rejected', [difference]])
  const again = await rig.restart({ target: { explain }, started: false })
  expect((await again.engine.observeFirstKey('fake', never)).cause).toBe('rejected')
  await again[Symbol.asyncDispose]()
})

it('what somebody did to it meanwhile is told as that', async () => {
  const { rig, told } = await refused()
  await using _ = rig
  rig.world.content = 'by hand'
  expect(await told()).toMatchObject({ cause: 'edited', differences: [{ detail: 'by hand' }] })
  rig.world.content = null
  expect(await told()).toMatchObject({ cause: 'lost' })
})

describe('of what is written as a whole, and has parts', () => {
  const B = 'b.example.com'

  /** As a routes file is explained: line by line, by the table of causes. */
  const byLine: AnyTarget['explain'] = ({ working, released, observed, rows_moved }) => {
    const lines = (text: unknown) =>
      new Map(
        ((text as string | null) ?? '')
          .split('\n')
          .flatMap((line) => (line === '' ? [] : [[line.split(' ')[0]!, line]])),
      )
    const [mine, theirs, there] = [lines(working), lines(released), lines(observed)]
    const differences = [...new Set([...mine.keys(), ...theirs.keys(), ...there.keys()])].flatMap((item) => {
      const side = (of: ReadonlyMap<string, string>) => of.get(item) ?? null
      const cause = causeOf(
        { working: side(mine), released: side(theirs), observed: side(there) },
        rows_moved,
      )
      return cause === null ? [] : [{ item, cause, domains: [], detail: 'by hand' }]
    })
    return { differences, unified_diff: null, note: null }
  }

  /** A and B stand; then B is changed, and `then` is done while nothing can be written. */
  async function changed(then: (content: string) => string, started = true) {
    const rig = await openRig({ target: { explain: byLine }, started })
    await rig.release(A, 1)
    await rig.release(B, 1)
    await rig.engine.converge('open')
    rig.world.write = 'throws'
    await rig.release(B, 2)
    await rig.engine.converge('open')
    rig.world.content = then(rig.world.content!)
    const told = async (engine = rig.engine) => {
      const { differences } = await engine.observeFirstKey('fake', never)
      return Object.fromEntries(differences.map(({ item, cause }) => [item, cause]))
    }
    return { rig, told }
  }

  it.each<[string, (content: string) => string, Record<string, string>]>([
    ['nobody did anything', (text) => text, { [B]: 'rejected' }],
    ['a line was added', (text) => `${text}stranger 1\n`, { [B]: 'rejected', stranger: 'edited' }],
    [
      'another line was changed',
      (text) => text.replace(`${A} 1`, `${A} 9`),
      { [A]: 'edited', [B]: 'rejected' },
    ],
    ['another line was taken away', (text) => text.replace(`${A} 1\n`, ''), { [A]: 'lost', [B]: 'rejected' }],
    ['the line itself was changed', (text) => text.replace(`${B} 1`, `${B} 9`), { [B]: 'edited' }],
    ['the line itself was taken away', (text) => text.replace(`${B} 1\n`, ''), { [B]: 'lost' }],
    ['somebody wrote what was refused', (text) => text.replace(`${B} 1`, `${B} 2`), {}],
  ])('each part is told as what it is where %s', async (_, then, expected) => {
    const { rig, told } = await changed(then)
    await using _rig = rig
    expect(await told()).toEqual(expected)
    const again = await rig.restart({ target: { explain: byLine }, started: false })
    expect(await told(again.engine)).toEqual(expected)
    await again[Symbol.asyncDispose]()
  })

  it('what was never tried, because it is suspended, was changed by nobody', async () => {
    const rig = await openRig({ target: { explain: byLine } })
    await using _ = rig
    await rig.release(A, 1)
    await rig.engine.converge('open')
    const setting = {
      scope: 'fake',
      mode: 'suspend',
      reason: 'moving',
      actor: 'ann',
      expires_at: null,
    } as const
    rig.engine.adoptMode(setting)
    await rig.release(A, 2)
    await rig.release(B, 1)
    await rig.engine.converge('open')
    const { differences } = await rig.engine.observeFirstKey('fake', never)
    expect(differences.map(({ item, cause, detail }) => [item, cause, detail])).toEqual(
      [A, B].map((item) => [item, 'rejected', 'deployed and not in place: ann suspended it: moving.']),
    )
  })
})
