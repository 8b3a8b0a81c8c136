/** A look at a zone that does not end in time is unknown, and never an error. */
import { expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Deps } from '../../../src/features/dns/deps.ts'
import { lookInTime } from '../../../src/features/dns/integrity/look-in-time.ts'
import { readRecords } from '../../../src/features/dns/records/read-records.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { heeds, WAYS_TO_HANG } from '../../kit/hanging.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

function house(look: (signal: AbortSignal) => Promise<never>) {
  const clock = handClock()
  const unreadable: string[] = []
  const deps = {
    clock,
    store: { intent: () => Promise.resolve({ rows: [] }) },
    dns: {
      keyOf: (zone: string) => `dns:${zone}`,
      look: (_zone: string, _intent: unknown, signal: AbortSignal) => look(signal),
      zonesFor: () => ['example.org'],
      withoutZone: () => [],
      discovery: { accounts: () => [] },
    },
    engine: {
      beginObservation: () => 1,
      compare: (key: string, { known, detail }: { known: boolean; detail: string }) => {
        if (!known) unreadable.push(`${key} ${detail}`)
        return Promise.resolve(null)
      },
    },
  } as unknown as Deps
  return { clock, deps, unreadable }
}

it.each(WAYS_TO_HANG)(
  'a provider that hangs and %s: the records are unknown, with the reason',
  async (_what, look) => {
    const { clock, deps, unreadable } = house(look)
    const reading = readRecords(deps, { zone: null, state: null }, never)
    await settled()
    clock.pass(5000)
    const detail = 'dns: example.org did not answer within 5000 ms.'
    expect(await reading).toMatchObject({
      drift: null,
      records: [],
      unknown: [{ zone: 'example.org', detail }],
    })
    expect(unreadable).toEqual([`dns:example.org ${detail}`])
    expect(clock.sleepers()).toBe(0)
  },
)

it('trouble is the reason in its own words; the end of the caller is thrown', async () => {
  const { deps } = house(() => Promise.reject(new Failure('component_unavailable', 'It is down.')))
  expect(await lookInTime(deps, 'example.org', never)).toMatchObject({ known: false, detail: 'It is down.' })
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(lookInTime(house(heeds).deps, 'example.org', gone)).rejects.toThrow('gone')
})
