/** Work that many ask for at once runs once for all of them, and never tells of what was before they asked. */
import { expect, it } from 'vitest'
import { SingleFlight } from '../../../src/kernel/async/single-flight.ts'

function singleFlight() {
  const ends: PromiseWithResolvers<string>[] = []
  const work = new SingleFlight((_asked: string) => {
    const end = Promise.withResolvers<string>()
    ends.push(end)
    return end.promise
  })
  return { work, ends }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('who joins shares the work that runs; who asks afresh shares the one after it', async () => {
  const { work, ends } = singleFlight()
  const joined = [work.join('a'), work.join('b')]
  const fresh = [work.afresh('c'), work.afresh('d')]
  expect(ends).toHaveLength(1)
  ends[0]!.resolve('first')
  expect(await Promise.all(joined)).toEqual(['first', 'first'])
  await settled()
  expect(ends).toHaveLength(2)
  ends[1]!.resolve('second')
  expect(await Promise.all(fresh)).toEqual(['second', 'second'])
})

it('one runs at a time, whoever asks in the moment in which one ends', async () => {
  const { work, ends } = singleFlight()
  const first = work.join('a')
  const next = work.afresh('b')
  const between = first.then(() => work.join('c'))
  ends[0]!.resolve('first')
  await settled()
  expect(ends).toHaveLength(2)
  ends[1]!.resolve('second')
  expect(await Promise.all([next, between])).toEqual(['second', 'second'])
})

it('work that fails fails for those who share it, and the next begins', async () => {
  const { work, ends } = singleFlight()
  const first = work.join('a').catch((error: unknown) => error)
  const next = work.afresh('b')
  ends[0]!.reject(new Error('broken'))
  expect(await first).toEqual(new Error('broken'))
  await settled()
  ends[1]!.resolve('second')
  expect(await next).toBe('second')
})
