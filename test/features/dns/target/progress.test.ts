/** How a long change comes along, batch by batch, for whoever waits for it. */
import { expect, it } from 'vitest'
import { bench } from './bench.ts'
import { desiredOf } from './rows.ts'

const WANTED = desiredOf(Array.from({ length: 10 }, (_, i) => ({ domain: `app${i}.example.com` })))
const never = new AbortController().signal

async function wroteBy(at: ReturnType<typeof bench>): Promise<readonly number[]> {
  const wrote: number[] = []
  const observation = await at.target.observe(never)
  if (!observation.known) throw new Error(observation.detail)
  const differences = at.target.diff(WANTED, observation.state)
  const context = {
    signal: never,
    evidence: false,
    wrote: (keys: readonly string[]) => void wrote.push(keys.length),
  }
  await at.target.apply(differences, WANTED, context)
  return wrote
}

it('each batch that was taken is told with its number of sets', async () => {
  expect(await wroteBy(bench())).toEqual([4, 4, 2])
})

it('a batch that was not taken counts for nothing', async () => {
  const at = bench()
  let changes = 0
  at.provider.fault = (verb) => (verb === 'change' && ++changes === 2 ? 'unavailable' : null)
  expect(await wroteBy(at)).toEqual([4, 0])
})
