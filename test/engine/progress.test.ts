/** Whoever waits for a convergence is told how it comes along; whoever does not costs nothing. */
import { expect, it } from 'vitest'
import type { ConvergeProgress } from '../../src/engine/progress.ts'
import { openRig } from './rig.ts'

function told() {
  const words: string[] = []
  const progress: ConvergeProgress = {
    expects: (targets) => words.push(`expects ${targets.map(({ key }) => key).join()}`),
    of: (key) => ({
      looks: () => words.push(`${key} looks`),
      writes: (items) => words.push(`${key} writes ${items}`),
      wrote: (items) => words.push(`${key} wrote ${items}`),
      ended: ({ outcome }) => words.push(`${key} ${outcome}`),
      left: () => words.push(`${key} left`),
    }),
    proves: () => () => undefined,
  }
  return { words, progress }
}

it('is told what is expected, looked at, written piece by piece and ended', async () => {
  const pieces: ((keys: readonly string[]) => void)[] = []
  await using rig = await openRig({
    target: {
      diff: (desired, observed) =>
        desired === observed
          ? []
          : ['one', 'two', 'three'].map((key) => ({
              key,
              verb: 'create' as const,
              item: key,
              before: null,
              after: null,
              payload: null,
            })),
      async apply(differences, desired, { wrote }) {
        pieces.push(wrote!)
        wrote!(['one'])
        wrote!(['two', 'three'])
        rig.world.content = desired as string
        return differences.map(({ key }) => ({ key, ok: true as const }))
      },
    },
    started: false,
  })
  await rig.release('app.example.com', 80)
  const { words, progress } = told()
  await rig.engine.converge('open', { records: 'all', progress })
  const whole = ['fake looks', 'fake writes 3', 'fake wrote 1', 'fake wrote 2', 'fake repaired']
  expect(words).toEqual(['expects fake', ...whole])
  words.length = 0
  await rig.engine.converge('open', { records: 'all', progress })
  expect(words).toEqual(['expects fake', 'fake looks', 'fake clean'])
})

it('several callers of one pass are all told; a key that fails ends, too', async () => {
  await using rig = await openRig({ started: false })
  await rig.release('app.example.com', 80)
  rig.world.write = 'throws'
  const [first, second, third] = [told(), told(), told()]
  await Promise.all([
    rig.engine.converge('open', { records: 'all', progress: first.progress }),
    rig.engine.converge('open', { records: 'all', progress: second.progress }),
    rig.engine.converge('open', { records: 'all', progress: third.progress }),
  ])
  // Whoever asks while a pass runs waits for the next one.
  for (const { words } of [first, second, third]) {
    expect(words[0]).toBe('expects fake')
    expect(words.slice(1)).toEqual(['fake looks', 'fake writes 1', 'fake failed'])
  }
})

it('is told of its own records alone, however its neighbours fare', async () => {
  const failure = { code: 'provider_refused', message: 'not this one', retry_after_ms: 0 } as const
  const done = new Set<string>()
  await using rig = await openRig({
    target: {
      every_ms: 60_000,
      whole: false,
      glance: () => null,
      observe: () =>
        Promise.resolve({ known: true, state: [...done], digest: [...done].join(), at: Date.now() }),
      diff: (_desired, observed) =>
        ['mine', 'bad', 'lost']
          .filter((key) => !(observed as string[]).includes(key))
          .map((key, i) => ({
            key,
            verb: 'create' as const,
            item: key,
            before: null,
            after: 'there',
            domain_ids: [i + 1],
            payload: null,
          })),
      apply(differences, _desired, { wrote }) {
        const taken = differences.map(({ key }) => key).filter((key) => key !== 'bad')
        for (const key of taken) done.add(key)
        wrote!(taken)
        return Promise.resolve(
          differences.map(({ key }) =>
            key === 'bad' ? { key, ok: false as const, failure } : { key, ok: true as const },
          ),
        )
      },
    },
    started: false,
  })
  await rig.release('app.example.com', 80)
  const { words, progress } = told()
  const figures: string[] = []
  const of: ConvergeProgress['of'] = (key) => ({
    ...progress.of(key),
    ended: ({ outcome, differences, repaired }) => figures.push(`${outcome} ${repaired} of ${differences}`),
  })
  await rig.engine.converge('open', { keys: ['fake'], records: [1], progress: { ...progress, of } })
  expect(words).toEqual(['expects fake', 'fake looks', 'fake writes 1', 'fake wrote 1'])
  expect(figures).toEqual(['repaired 1 of 1'])
})
