/** A long life of a zone at random, beside a model of it that is a plain map. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rrsetKey } from '../../../src/model/network/dns.ts'
import type { OpenProvider } from './opened.ts'
import { listing, step, type Wish } from './steps.ts'
import { HARD_TEXTS } from './texts.ts'
import { byTier } from '../../kit/tier.ts'

const LABELS = ['a', 'b', 'a.b', '*', '*.b', '_x.a', 'c', '@']
const VALUES: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2', '198.51.100.255'],
  AAAA: ['2001:db8::1', '2001:db8:1::2', '::1'],
  TXT: ['one', 'two', ...Object.values(HARD_TEXTS).slice(0, 6)],
  CNAME: ['x.example.net', 'y.example.net'],
}

/** `null` takes the whole name away; a CNAME stands alone, so it takes the other types of its name with it. */
const wish = fc.record({
  label: fc.constantFrom(...LABELS),
  type: fc.constantFrom('A', 'A', 'AAAA', 'TXT', 'CNAME'),
  values: fc.option(fc.subarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 1, maxLength: 3 }), { freq: 3 }),
})

export function randomLifeContract(open: OpenProvider): void {
  it('a zone at random is what its history says', async () => {
    const scripts = fc.array(
      fc.uniqueArray(wish, { selector: ({ label }) => label, minLength: 1, maxLength: 4 }),
      {
        minLength: 8,
        maxLength: 12,
      },
    )
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const opened = await open()
        try {
          const model = new Map<string, readonly string[]>()
          const foreign = [...(await listing(opened)).keys()]
          for (const drawn of script) {
            const wishes = drawn.flatMap((one) => wishesFor(one, opened.zone, model))
            const listed = await step(opened, wishes)
            const ours = [...listed].filter(([key]) => !foreign.includes(key))
            expect(new Map(ours.map(([key, set]) => [key, set.values]))).toEqual(model)
          }
        } finally {
          await opened.close()
        }
      }),
      { numRuns: byTier(1, 8, 40), endOnFailure: true },
    )
  })
}

interface Drawn {
  readonly label: string
  readonly type: string
  readonly values: readonly number[] | null
}

function wishesFor(
  { label, type, values }: Drawn,
  zone: string,
  model: Map<string, readonly string[]>,
): Wish[] {
  const name = label === '@' ? zone : `${label}.${zone}`
  // An apex has no alias, and a service mark (`_x`) no address.
  const kind =
    (label === '@' && type === 'CNAME') || (label.startsWith('_') && type !== 'CNAME') ? 'TXT' : type
  const pool = VALUES[kind]!
  const chosen = values === null ? null : [...new Set(values.map((i) => pool[i % pool.length]!))].sort()
  const alone = kind === 'CNAME' && chosen !== null ? chosen.slice(0, 1) : chosen
  const rivals = Object.keys(VALUES).filter(
    (other) =>
      other !== kind &&
      alone !== null &&
      (kind === 'CNAME' || other === 'CNAME') &&
      model.has(`${name} ${other}`),
  )
  const wishes: Wish[] = [
    { name, type: kind, values: alone },
    ...rivals.map((other) => ({ name, type: other, values: null })),
  ]
  for (const made of wishes)
    if (made.values === null) model.delete(rrsetKey(made))
    else model.set(rrsetKey(made), made.values)
  return wishes
}
