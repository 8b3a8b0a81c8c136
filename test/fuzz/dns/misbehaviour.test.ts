/** Random misbehaviours of hosted providers on the wire: a sample in every run, 10,000 at night. */
import { describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { campaign, noFigures, total } from './campaign.ts'
import { HOSTED } from './providers.ts'
import { byTier, sample, TIER } from '../../kit/tier.ts'
import { itOneIn } from '../../kit/in-depth.ts'

const DEEP = TIER === 'nightly'
const WANTED = byTier(6, 200, 2600)

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
      expect(figures.refused).toBeGreaterThan(0)
    },
  )
})

describe('the judge sees', () => {
  itOneIn(3).each(sample(Object.entries(BUGS), 2))('%s', async (_name, { bug, red }) => {
    const [cloudflare] = HOSTED
    const broken = (async () => {
      for (let seed = 1; seed <= 20; seed++) await campaign(cloudflare!, { seed, figures: noFigures(), bug })
    })()
    await expect(broken).rejects.toThrow(red)
  })
})
