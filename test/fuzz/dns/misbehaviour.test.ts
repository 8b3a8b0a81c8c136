/** Random misbehaviours of hosted providers on the wire: a sample in every run, 10,000 at night. */
import { describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { campaign, noFigures, total } from './campaign.ts'
import { HOSTED } from './providers.ts'
import { byTier, TIER } from '../../kit/tier.ts'
import { describeInDepth } from '../../kit/in-depth.ts'

const DEEP = TIER === 'nightly'
const WANTED = byTier(3, 200, 2600)

/** The gate leaves out Cloudflare, of whose zones a page is a thousand records. */
const KINDS = byTier(
  HOSTED.filter(({ kind }) => kind !== 'cloudflare'),
  HOSTED,
)

describe.each(KINDS)('$kind', (kind) => {
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

describeInDepth('the judge sees', () => {
  it.each(Object.entries(BUGS))('%s', async (_name, { bug, red }) => {
    const [cloudflare] = HOSTED
    const broken = (async () => {
      for (let seed = 1; seed <= 20; seed++) await campaign(cloudflare!, { seed, figures: noFigures(), bug })
    })()
    await expect(broken).rejects.toThrow(red)
  })
})
