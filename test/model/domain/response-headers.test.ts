/** What `headers` middlewares make of an answer, held against the stand-in of the proxy, which serves it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { responseHeaders } from '../../../src/model/domain/response-headers.ts'
import { type AtTraefik, atTraefik } from '../../fakes/traefik/at-traefik.ts'
import { runs } from '../../kit/tier.ts'

const config = fc.record(
  {
    stsSeconds: fc.constantFrom(0, 600, 31_536_000),
    stsIncludeSubdomains: fc.boolean(),
    stsPreload: fc.boolean(),
    forceSTSHeader: fc.boolean(),
    frameDeny: fc.boolean(),
    customFrameOptionsValue: fc.constantFrom('', 'SAMEORIGIN'),
    contentTypeNosniff: fc.boolean(),
    browserXssFilter: fc.boolean(),
    customBrowserXSSValue: fc.constantFrom('', '0'),
    contentSecurityPolicy: fc.constantFrom('', "default-src 'self'"),
    referrerPolicy: fc.constantFrom('', 'no-referrer'),
    permissionsPolicy: fc.constantFrom('', 'camera=()'),
    customResponseHeaders: fc.dictionary(
      fc.constantFrom('X-Robots-Tag', 'Server', 'X-A'),
      fc.constantFrom('', 'a', 'b'),
    ),
  },
  { requiredKeys: [] },
)

test('they come out as the stand-in serves them, the outermost last', async () => {
  await using at = await atTraefik()
  await fc.assert(
    fc.asyncProperty(fc.array(config, { minLength: 1, maxLength: 3 }), async (configs) => {
      // The proxy refuses one that says nothing at all.
      const whole = configs.map((one) => ({
        ...one,
        customResponseHeaders: { 'X-Always': '1', ...one.customResponseHeaders },
      }))
      const served = await servedBy(at, whole)
      for (const { name, value } of responseHeaders(whole, false))
        expect([name, served(name)]).toEqual([name, value])
      for (const name of NAMES)
        if (!responseHeaders(whole, false).some((one) => one.name === name))
          expect([name, served(name)]).toEqual([name, null])
    }),
    { numRuns: runs(40) },
  )
})

const NAMES = [
  'Strict-Transport-Security',
  'X-Frame-Options',
  'X-Content-Type-Options',
  'X-XSS-Protection',
  'Content-Security-Policy',
]

test('over TLS they say HSTS, and text is as good as values', () => {
  expect(responseHeaders([{ STSSECONDS: '600', stsPreload: 'true' }], true)).toEqual([
    { name: 'Strict-Transport-Security', value: 'max-age=600; preload' },
  ])
  expect(responseHeaders([{ stsSeconds: 600 }], false)).toEqual([])
})

/** As the stand-in answers behind them; null for what it does not say. */
async function servedBy(at: AtTraefik, configs: readonly object[]): Promise<(name: string) => string | null> {
  at.traefik.provide('docker', {
    http: {
      routers: {
        a: {
          rule: 'PathPrefix(`/`)',
          service: 'noop@internal',
          entryPoints: ['web'],
          middlewares: configs.map((_, i) => `m${i}`),
        },
      },
      middlewares: Object.fromEntries(configs.map((headers, i) => [`m${i}`, { headers }])),
    },
  })
  const { headers } = await at.get()
  return (name) => (headers[name.toLowerCase()] as string | undefined) ?? null
}
