/** Random misbehaviours of hosted providers on the wire, a sample in every run and 10,000 with FAULTS=all. */
import { describe, expect, it } from 'vitest'
import type { DnsProvider } from '../../../src/ports/dns-provider.ts'
import { type Bug, campaign, noFigures, total } from './campaign.ts'
import { HOSTED } from './providers.ts'

const DEEP = process.env['FAULTS'] === 'all'
const WANTED = DEEP ? 3400 : 90

describe.each(HOSTED)('$kind', (kind) => {
  it(
    'what is not ours stays, nothing goes without a reason, and all comes to rest',
    { timeout: 1_800_000 },
    async () => {
      const figures = noFigures()
      for (let seed = 1; total(figures) < WANTED; seed++) await campaign(kind, { seed, figures })
      if (DEEP) process.stdout.write(`${kind.kind}: ${JSON.stringify(figures)}\n`)
      expect(total(figures)).toBeGreaterThanOrEqual(WANTED)
      expect(figures.deletes).toBeGreaterThan(0)
    },
  )
})

const around = (provider: DnsProvider, over: Partial<DnsProvider>): DnsProvider => ({
  account: provider.account,
  kind: provider.kind,
  get traits() {
    return provider.traits
  },
  zones: (signal) => provider.zones(signal),
  stamp: async () => null,
  list: (zone, signal) => provider.list(zone, signal),
  change: (zone, changes, signal) => provider.change(zone, changes, signal),
  ...over,
})

const BUGS: Readonly<Record<string, Bug>> = {
  'a listing that failed is an empty zone': {
    provider: (provider) =>
      around(provider, { list: (zone, signal) => provider.list(zone, signal).catch(() => []) }),
  },
  'whatever stands at a name of ours bears our mark': {
    provider: (provider) =>
      around(provider, {
        list: async (zone, signal) =>
          (await provider.list(zone, signal)).filter(
            ({ name, type }) => !(type === 'A' && name.startsWith('taken')),
          ),
      }),
  },
  'what is off line is retired': {
    rows: (rows) => rows.map((row) => (row.live === false ? { ...row, retired: true } : row)),
  },
}

describe('the judge sees', () => {
  it.each(Object.entries(BUGS))('%s', { timeout: 120_000 }, async (_name, bug) => {
    const [cloudflare] = HOSTED
    const broken = (async () => {
      for (let seed = 1; seed <= 20; seed++) await campaign(cloudflare!, { seed, figures: noFigures(), bug })
    })()
    await expect(broken).rejects.toThrow(/was touched|without a reason|not ours|at rest|is /)
  })
})
