/** A dead server is waited for once and not for every name. */
import { expect, it } from 'vitest'
import type { DnsReply } from '../../../src/features/dns/lookup/port.ts'
import { SPARED_MS, sparing } from '../../../src/features/dns/zones/sparing-lookup.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { at, failure, memoryDns, own, record } from './memory-dns.ts'

const signal = new AbortController().signal
const ANSWER = own([record('b.example', 'A', '192.0.2.9')])

function parts(first: DnsReply) {
  const dns = memoryDns({ '192.0.2.1': { 'a.example A': first, 'b.example A': ANSWER } })
  const clock = handClock()
  const lookup = sparing(dns, clock)
  const ask = (name: string, address = '192.0.2.1') =>
    lookup.ask({ server: at(address), name, type: 'A', recursion: false, signal })
  return { dns, clock, ask }
}

it.each(['silent', 'unreachable', 'no_route'] as const)(
  'a server that was %s is not asked again for a while, and then it is',
  async (reason) => {
    const { dns, clock, ask } = parts(failure(reason))
    expect(await ask('a.example')).toEqual(failure(reason))
    expect(await ask('b.example')).toEqual(failure(reason))
    expect(dns.asked).toEqual(['192.0.2.1 a.example A'])
    clock.pass(SPARED_MS)
    expect(await ask('b.example')).toEqual(ANSWER)
    expect(await ask('b.example')).toEqual(ANSWER)
    expect(dns.asked).toHaveLength(3)
  },
)

it('a malformed reply is about one name, so the next is asked', async () => {
  const { ask } = parts(failure('malformed'))
  await ask('a.example')
  expect(await ask('b.example')).toEqual(ANSWER)
})

it('another server is another matter', async () => {
  const { dns, ask } = parts(failure('silent'))
  await ask('a.example')
  await ask('b.example', '192.0.2.2')
  expect(dns.asked).toHaveLength(2)
})

it('the end of patience is thrown, dead or not', async () => {
  const { dns, clock } = parts(failure('silent'))
  const lookup = sparing(dns, clock)
  const query = { server: at('192.0.2.1'), name: 'a.example', type: 'A', recursion: false } as const
  await lookup.ask({ ...query, signal })
  await expect(lookup.ask({ ...query, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
    'enough',
  )
})
