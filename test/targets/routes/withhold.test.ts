/** A rendering without the entries of some names: nothing of them is left, nothing else is touched, and no map is empty. */
import fc from 'fast-check'
import { parse } from 'yaml'
import { expect, it } from 'vitest'
import { renderRoutes } from '../../../src/targets/routes/desire.ts'
import { withoutDomains } from '../../../src/targets/routes/withhold.ts'
import { rowOf } from '../sso/rows.ts'
import { someSettings } from './settings.ts'

const text = (rows: readonly ReturnType<typeof rowOf>[]) => renderRoutes({ rows }, someSettings())
const read = (chunks: readonly Uint8Array[]): unknown => parse(Buffer.concat(chunks).toString())

const POOL = [
  rowOf({ domain: 'a.example.com' }),
  rowOf({
    domain: 'b.example.com',
    service_type: 'spa',
    cors_enabled: true,
    cors_origin: 'https://x.example',
  }),
  rowOf({ domain: 'c.example.com', service_type: 'api', default_path: '/app' }),
  rowOf({ domain: '*.example.com', ssl_enabled: true }),
  rowOf({ domain: 'ab.example.com', auth_required: false }),
]

it('what is left is what the other records alone would give, but for definitions that nobody uses now', () => {
  fc.assert(
    fc.property(fc.subarray(POOL, { minLength: 1 }), fc.subarray(POOL), (rows, out) => {
      const names = new Set(out.map(({ fields }) => fields.domain))
      const { chunks } = withoutDomains(text(rows), names)
      const document = read(chunks) as { http: Record<string, Record<string, unknown>> }
      const alone = read(
        text(rows.filter(({ fields }) => !names.has(fields.domain))).chunks,
      ) as typeof document
      expect(document.http['routers']).toEqual(alone.http['routers'])
      expect(document.http['services']).toEqual(alone.http['services'])
      expect(document.http['middlewares']).toMatchObject(
        Object.fromEntries(
          Object.entries(alone.http['middlewares'] ?? {}).filter(
            ([name]) => !name.startsWith('plumbline-generation-'),
          ),
        ),
      )
      for (const section of Object.values(document.http)) expect(Object.keys(section)).not.toEqual([])
      for (const name of names) expect(Buffer.concat(chunks).toString()).not.toContain(`_${name}"`)
    }),
    { numRuns: 100 },
  )
})

it('without names to leave out the bytes are the same', () => {
  const whole = text(POOL)
  expect(Buffer.concat(withoutDomains(whole, new Set()).chunks)).toEqual(Buffer.concat(whole.chunks))
})
