/** An answer is asked for once while it is young, and never kept over a `forget`. */
import { expect, it } from 'vitest'
import { Cached } from '../../../src/kernel/async/cached.ts'
import { systemClock } from '../../../src/kernel/clock.ts'

function cached() {
  let now_ms = 0
  const asked: PromiseWithResolvers<string>[] = []
  const told: string[] = []
  const answers = new Cached({
    clock: { ...systemClock, elapsed: () => now_ms },
    ask: () => {
      const answer = Promise.withResolvers<string>()
      asked.push(answer)
      return answer.promise
    },
    keepFor: (answer, took_ms) => (answer === 'short' ? 10 : 100) + took_ms,
    kept: (answer) => told.push(answer),
  })
  return { answers, asked, told, at: (ms: number) => (now_ms = ms) }
}

it('is asked once by all who come together, and again when it is old', async () => {
  const { answers, asked, told, at } = cached()
  const both = [answers.get(), answers.get()]
  await Promise.resolve()
  at(5)
  asked[0]!.resolve('first')
  expect(await Promise.all(both)).toEqual(['first', 'first'])
  at(109)
  expect(await answers.get()).toBe('first')
  at(110)
  const next = answers.get()
  asked[1]!.resolve('short')
  expect(await next).toBe('short')
  at(120)
  void answers.get()
  expect(asked).toHaveLength(3)
  expect(told).toEqual(['first', 'short'])
  expect(answers.last).toBe('short')
})

it('keeps no failure, and one that nobody waits for harms nobody', async () => {
  const { answers, asked } = cached()
  const failing = expect(answers.get()).rejects.toThrow('broken')
  asked[0]!.reject(new Error('broken'))
  await failing
  void answers.get().catch(() => undefined)
  expect(asked).toHaveLength(2)
})

it('that is forgotten is asked for anew, and what was being asked for is told to its caller alone', async () => {
  const { answers, asked, told } = cached()
  const before = answers.get()
  answers.forget()
  const after = answers.get()
  expect(asked).toHaveLength(2)
  asked[1]!.resolve('new')
  expect(await after).toBe('new')
  asked[0]!.resolve('old')
  expect(await before).toBe('old')
  expect(answers.last).toBe('new')
  expect(told).toEqual(['new'])
  answers.forget()
  expect(answers.last).toBe('new')
  void answers.get()
  expect(asked).toHaveLength(3)
})

it('that is outdated shares what is being asked for, and keeps nothing of it', async () => {
  const { answers, asked } = cached()
  const first = answers.get()
  answers.outdate()
  const second = answers.get()
  expect(asked).toHaveLength(1)
  asked[0]!.resolve('old')
  expect(await Promise.all([first, second])).toEqual(['old', 'old'])
  void answers.get()
  expect(asked).toHaveLength(2)
  asked[1]!.resolve('new')
  await Promise.resolve()
  expect(await answers.get()).toBe('new')
  expect(asked).toHaveLength(2)
})
