/** Long lists of a body, entry by entry: the same answer as from the schema alone, with turns for others. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EstateRequest } from '../../../src/features/import/views.ts'
import { checkInPieces } from '../../../src/http/body/check-in-pieces.ts'

const estateOf = (count: number) => ({
  domains: Array.from({ length: count }, (_, i) => ({
    domain: `app-${i}.example.com`,
    service_type: 'http',
    environment: 'production',
    backend_host: '10.0.0.6',
    backend_port: 8080,
  })),
  deletes: ['gone.example.com'],
})

/** What came out, and how many turns others had. */
async function inPieces(schema: z.ZodType, value: unknown) {
  let turns = 0
  const checked = await checkInPieces(schema, value, async () => void turns++)
  return { checked, turns }
}

describe('what is right', () => {
  it('comes out as from the schema, with a turn for others before each 250 entries', async () => {
    const body = estateOf(1001)
    const { checked, turns } = await inPieces(EstateRequest, body)
    expect(checked).toEqual({ ok: true, value: EstateRequest.parse(body) })
    expect(turns).toBe(5)
  })

  it('is transformed once, and meets the rules over lists and over the whole', async () => {
    const seen: number[] = []
    const schema = z
      .strictObject({
        numbers: z.array(z.number().transform((n) => n + 1)).refine((all) => seen.push(all[0]!)),
      })
      .refine(({ numbers }) => seen.push(numbers[0]!))
    const { checked } = await inPieces(schema, { numbers: Array.from({ length: 300 }, () => 1) })
    expect(checked).toMatchObject({ ok: true, value: { numbers: Array.from({ length: 300 }, () => 2) } })
    expect(seen).toEqual([2, 2])
  })
})

describe('left to the schema is', () => {
  const LONG = estateOf(300)
  it.each<[string, unknown]>([
    ['a short list', estateOf(250)],
    ['no list at all', { domains: 'app.example.com' }],
    ['no object', [LONG]],
    ['nothing', null],
    ['a wrong entry', { domains: [...LONG.domains, { domain: 7 }] }],
    ['an unknown field', { ...LONG, domain: [] }],
    ['a wrong field beside the list', { ...LONG, deletes: [7] }],
    ['a list that is too long', { domains: Array.from({ length: 10_001 }, () => LONG.domains[0]) }],
  ])('%s', async (_what, body) => {
    expect((await inPieces(EstateRequest, body)).checked).toBeNull()
  })
})
