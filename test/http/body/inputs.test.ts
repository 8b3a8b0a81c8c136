/** Reading what was sent: a large body is looked at in pieces, so that nobody else waits for the whole of it. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readInputs } from '../../../src/http/body/inputs.ts'
import { endpoint } from '../../../src/http/contract.ts'

const TAKES_MANY = endpoint({
  method: 'POST',
  path: '/api/many',
  id: 'many',
  summary: 'Takes many',
  level: 'open',
  tags: ['Test'],
  body: z.object({ names: z.array(z.string()) }),
  replies: { 200: z.strictObject({}) },
  handler: async () => ({ status: 200, body: {} }),
})

/** How many turns others had while it was read. */
async function turnsDuring(names: readonly string[]): Promise<number> {
  let turns = 0
  let going = true
  const others = () => {
    turns += 1
    if (going) setImmediate(others)
  }
  setImmediate(others)
  const body = Buffer.from(JSON.stringify({ names }))
  const read = await readInputs(TAKES_MANY, { target: '/api/many', body, proven: true })
  going = false
  expect(read.body).toEqual({ names })
  return turns
}

test('others have their turn between the pieces of a large body, and none is taken for a small one', async () => {
  expect(await turnsDuring(['one'])).toBe(0)
  expect(
    await turnsDuring(Array.from({ length: 30_000 }, (_, i) => `n${i}.example.com`)),
  ).toBeGreaterThanOrEqual(3)
})

const ASKED_BESIDE = endpoint({
  method: 'POST',
  path: '/api/asked',
  id: 'asked',
  summary: 'Is asked in its address',
  level: 'open',
  tags: ['Test'],
  query: z.object({ target: z.string().optional() }),
  replies: { 200: z.strictObject({}) },
  handler: async () => ({ status: 200, body: {} }),
})

test('a query parameter that stands in the body is refused, and led to the address', async () => {
  const read = (body: unknown) =>
    readInputs(ASKED_BESIDE, { target: '/api/asked', body: Buffer.from(JSON.stringify(body)), proven: true })
  const told = await read({ target: 'routes', other: 1 }).catch((error: unknown) => error)
  expect(told).toMatchObject({
    code: 'validation_failed',
    details: {
      errors: [
        { loc: ['body', 'target'], msg: 'is no field but a query parameter: ?target=…' },
        { loc: ['body', 'other'], msg: expect.stringContaining('is not a known field') as string },
      ],
    },
  })
  expect(await read({})).toMatchObject({ body: undefined })
})
