/** A thread that dies, hangs or rests takes nobody with it and leaves nothing behind. */
import { readdirSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { Thread } from '../../../src/kernel/async/thread.ts'

const FRAGILE = new URL('../../features/people/argon2/children/fragile-thread.ts', import.meta.url)
const never = () => new AbortController().signal
const threads: Thread<string, string>[] = []

function fragile(idle_ms = 60_000): Thread<string, string> {
  const thread = new Thread<string, string>(FRAGILE, idle_ms)
  threads.push(thread)
  return thread
}

afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.end()
})

/** Threads of this process, the runtime's own among them. */
const threadCount = (): number => readdirSync('/proc/self/task').length

it.each([
  ['exit', 'the thread has ended'],
  ['throw', 'no memory is left'],
])('one that ends by %s says so, and the next question has a new one', async (word, why) => {
  const thread = fragile()
  await expect(thread.ask(word, never())).rejects.toThrow(why)
  expect(await thread.ask('hello', never())).toBe('heard hello')
})

it('one that dies while nobody asks is replaced', async () => {
  const thread = fragile()
  expect(await thread.ask('later-exit', never())).toBe('heard later-exit')
  await expect.poll(() => thread.ask('hello', never()).catch(() => 'died')).toBe('heard hello')
})

it('one that does not answer is given up at the deadline, and the next question has a new one', async () => {
  const thread = fragile()
  const deadline = new AbortController()
  const hanging = thread.ask('hang', deadline.signal)
  deadline.abort()
  await expect(hanging).rejects.toThrow('aborted')
  expect(await thread.ask('hello', never())).toBe('heard hello')
  await expect(thread.ask('hello', deadline.signal)).rejects.toThrow('aborted')
})

it('it sees nothing of the environment', async () => {
  process.env['PLUMBLINE_CANARY'] = 'secret'
  try {
    const seen = JSON.parse(await fragile().ask('environment', never())) as object
    expect(Object.keys(seen).filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([])
  } finally {
    delete process.env['PLUMBLINE_CANARY']
  }
})

it.skipIf(process.platform !== 'linux')('it is gone when nobody has asked for a while', async () => {
  const before = threadCount()
  const thread = fragile(1)
  await thread.ask('hello', never())
  await expect.poll(threadCount).toBeLessThanOrEqual(before)
  expect(await thread.ask('hello', never())).toBe('heard hello')
})
