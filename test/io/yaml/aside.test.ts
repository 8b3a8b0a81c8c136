/** Large documents are read as small ones are, and the event loop is free for others meanwhile. */
import { expect, test } from 'vitest'
import { readGoYamlAside, readYamlAside } from '../../../src/io/yaml/aside.ts'
import { readGoYaml } from '../../../src/io/yaml/go-tree.ts'
import { readYaml } from '../../../src/io/yaml/read.ts'
import { itInDepth, itOneIn } from '../../kit/in-depth.ts'
import { byTier } from '../../kit/tier.ts'

const never = new AbortController().signal
const rows = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `  app${i}: { rule: "Host", port: ${i}, on: true, list: [a, ~, 1.5] }\n`,
  )
const large = (last = '') =>
  `__proto__: { constructor: 1 }\nhttp:\n${rows(byTier(1000, 2000)).join('')}${last}`

itOneIn(4).each<[string, string]>([
  ['good', large()],
  ['broken in its last line', large('  "x: 1\n')],
  ['with a key twice', large('  app7: 1\n')],
  ['larger than is read', large().repeat(4)],
  ['small', 'a: { __proto__: 1 }'],
])('a text that is %s gives the same answer', async (_what, text) => {
  const options = { max_bytes: 300_000, scalars: 'text' } as const
  const read = await readYamlAside(text, options, never)
  expect(read).toStrictEqual(readYaml(text, options))
  expect(await readGoYamlAside(text, never)).toStrictEqual(readGoYaml(text))
})

/** How often the event loop turns while the work is done. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  try {
    await work()
  } finally {
    clearImmediate(next)
  }
  return turns
}

itInDepth('the event loop turns while a large one is read', async () => {
  const text = `http:\n${rows(5000).join('')}`
  const turns = await turnsDuring(async () => {
    expect((await readYamlAside(text, { max_bytes: 1024 * 1024 }, never)).ok).toBe(true)
  })
  expect(turns).toBeGreaterThan(100)
})

test('the event loop turns between small ones', async () => {
  const turns = await turnsDuring(async () => {
    for (let i = 0; i < 20; i++) {
      await readYamlAside('a: 1', {}, never)
      await readGoYamlAside('a: 1', never)
    }
  })
  expect(turns).toBeGreaterThanOrEqual(39)
})

itInDepth('several at once all get their own', async () => {
  const texts = [1, 2, 3].map((number) => large(`last: ${number}\n`))
  const reads = await Promise.all(texts.map((text) => readYamlAside(text, { max_bytes: 300_000 }, never)))
  expect(reads.map((read) => read.ok && (read.data as { last: number }).last)).toEqual([1, 2, 3])
})

test('who leaves is let go, and the next is read', async () => {
  const leaving = new AbortController()
  const options = { max_bytes: 300_000 }
  const reading = readYamlAside(large(), options, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(reading).rejects.toThrow('left')
  expect((await readYamlAside(large(), options, never)).ok).toBe(true)
})

itInDepth('who leaves before their turn is let go at once', async () => {
  const leaving = new AbortController()
  const options = { max_bytes: 1024 * 1024 }
  const ended: string[] = []
  const first = readYamlAside(`http:\n${rows(5000).join('')}`, options, never).then(() => ended.push('first'))
  const second = readYamlAside(large(), options, leaving.signal).catch((error: Error) =>
    ended.push(error.message),
  )
  leaving.abort(new Error('left'))
  await Promise.all([first, second])
  expect(ended).toEqual(['left', 'first'])
})
