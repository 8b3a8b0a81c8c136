/** What was last known to stand at a key, and when that is not known. */
import { expect, it } from 'vitest'
import { stoodLast } from '../../../src/engine/editions/stood-last.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import type { Applied } from '../../../src/ports/store.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const { codec } = fakeTarget(fakeWorld())
const released = (desired: string) => ({ desired, digest: codec.freeze(desired).digest })
const appliedAs = (desired: string): Applied => ({
  key: 'fake',
  release: 4,
  place: 'memory',
  digest: released(desired).digest,
  observed: '',
  at: 1,
})

/** @param frozen what release 4 froze; null: nobody knows any more */
function scene(frozen: string | null, over: Partial<AnyTarget> = {}) {
  const refused_items = new RefusedItems()
  const asked: unknown[] = []
  const store = {
    artifactAt: async (release: number, artifact: string) => {
      asked.push([release, artifact])
      return frozen === null ? null : codec.freeze(frozen)
    },
  }
  const target = fakeTarget(fakeWorld(), over)
  const stood = (applied: Applied | null) => stoodLast(target, { store, refused_items }, applied)
  return { stood, asked, refused_items }
}

it('it is what was applied last, which is read once', async () => {
  const { stood, asked } = scene('then')
  const applied = appliedAs('then')
  expect(await stood(applied)).toEqual(released('then'))
  expect(await stood(applied)).toEqual(released('then'))
  expect(asked).toEqual([[4, 'fake']])
})

it('it is the release of which all but refused items stood, whatever was applied', async () => {
  const { stood, refused_items, asked } = scene('then')
  refused_items.noteRest('fake', 'p', released('later'))
  expect([await stood(appliedAs('then')), await stood(null)]).toEqual([released('later'), released('later')])
  expect(asked).toEqual([])
})

it('it is not known where nothing was applied', async () => {
  const { stood, asked } = scene('then')
  expect([await stood(null), asked]).toEqual([null, []])
})

it('it is not known where nobody has what was released then', async () => {
  expect(await scene(null).stood(appliedAs('then'))).toBeNull()
})

it('it is not known where something else was applied than that release froze', async () => {
  expect(await scene('another').stood(appliedAs('then'))).toBeNull()
})

it('it is the key’s own part of a release by which that is told', async () => {
  const portion = (desired: unknown) => String(desired).slice(0, 1)
  const applied = { ...appliedAs('then'), digest: 't' }
  expect(await scene('then', { portion }).stood(applied)).toEqual(released('then'))
  expect(await scene('then', { portion }).stood({ ...applied, digest: 'x' })).toBeNull()
})
