/** A provider's own form: what was written and read back is what was fitted, for every kind of provider. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fit, isFitted } from '../../../../../src/features/dns/target/writing/fit.ts'
import { MemoryProvider } from '../memory-provider.ts'
import { PROFILE_NAMES, PROFILES } from '../profiles.ts'

const content = fc.record({
  ttl: fc.option(fc.integer({ min: 0, max: 2_147_483_647 })),
  values: fc.array(fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.10'), { minLength: 1 }),
  comment: fc.option(fc.string({ maxLength: 600 })),
  proxied: fc.option(fc.boolean()),
})

it.each(PROFILE_NAMES)('fit(read(write(fit(x)))) = fit(x) at a provider like %s', async (profile) => {
  const never = new AbortController().signal
  await fc.assert(
    fc.asyncProperty(content, async (wanted) => {
      const provider = new MemoryProvider(profile)
      const { traits } = provider
      const fitted = fit(traits, wanted)
      expect(fit(traits, fitted)).toEqual(fitted)
      const change = { name: 'app.example.com', type: 'A', wanted: fitted, seen: null }
      await provider.change('example.com', [change], never)
      const [read] = await provider.list('example.com', never)
      expect(isFitted(read!, fitted)).toBe(true)
      expect(fit(traits, read!)).toEqual(fitted)
    }),
  )
})

it.each<[keyof typeof PROFILES, number | null, boolean | null, number | null, boolean | null]>([
  ['cloudflare_like', 30, null, 60, false],
  ['cloudflare_like', 999_999, false, 86_400, false],
  ['cloudflare_like', 300, true, null, true],
  ['cloudflare_like', null, null, null, false],
  ['powerdns_like', 0, true, 1, null],
  ['powerdns_like', null, null, 300, null],
  ['no_comments', 60, null, 3600, null],
])(
  'at %s a TTL of %s with proxied %s becomes %s with %s',
  (profile, ttl, proxied, fitted_ttl, fitted_proxied) => {
    const fitted = fit(PROFILES[profile], { ttl, proxied, comment: null, values: ['192.0.2.1'] })
    expect([fitted.ttl, fitted.proxied]).toEqual([fitted_ttl, fitted_proxied])
  },
)
