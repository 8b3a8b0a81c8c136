/** Which CAA records count for a name: the first found on the way up, those of an alias' target among them. */
import { describe, expect, it } from 'vitest'
import { CaaLookup } from '../../../src/features/dns/challenges/caa-lookup.ts'
import type { DnsReply } from '../../../src/features/dns/lookup/port.ts'
import { at, failure, memoryDns, own, record, reply } from './memory-dns.ts'

const signal = new AbortController().signal
const caa = (name: string, ...values: string[]): DnsReply =>
  reply({ answers: values.map((value) => record(name, 'CAA', value)) })
const NONE = reply()
const GONE = own([], { rcode: 'NXDOMAIN' })

function lookupOf(answers: Readonly<Record<string, DnsReply>>) {
  const world = Object.fromEntries(Object.entries(answers).map(([name, answer]) => [`${name} CAA`, answer]))
  const lookup = memoryDns({ '192.0.2.53': world })
  const check = new CaaLookup({ lookup, resolvers: async () => [at('192.0.2.53')] })
  const evaluate = (name: string) =>
    check.evaluate({ name, identities: ['ca.example'], account_url: null }, signal)
  return { lookup, evaluate }
}

describe('the result', () => {
  it('without any records is yes, after all names up to the top were asked for', async () => {
    const { lookup, evaluate } = lookupOf({ 'app.example.com': GONE, 'example.com': NONE, com: NONE })
    expect(await evaluate('app.example.com')).toEqual({ allowed: true, detail: null })
    expect(lookup.asked).toEqual(
      ['app.example.com', 'example.com', 'com'].map((name) => `192.0.2.53 ${name} CAA+`),
    )
  })

  it('is of the nearest records, and nothing above them is asked for', async () => {
    const { lookup, evaluate } = lookupOf({ 'app.example.com': caa('app.example.com', '0 issue ca.example') })
    expect((await evaluate('app.example.com')).allowed).toBe(true)
    expect(lookup.asked).toHaveLength(1)
  })

  it('of a refusal says whose records they are and what would help', async () => {
    const { evaluate } = lookupOf({
      'app.example.com': NONE,
      'example.com': caa('example.com', '0 issue other.example', '0 iodef mailto:x@example.com'),
    })
    const { allowed, detail } = await evaluate('app.example.com')
    expect(allowed).toBe(false)
    expect(detail).toMatch(/CAA records of example\.com, other\.example may issue\. Add one/)
  })

  it('of a wildcard begins at the name below which it stands', async () => {
    const { lookup, evaluate } = lookupOf({
      'example.com': caa('example.com', '0 issue ca.example', '0 issuewild ;'),
    })
    expect((await evaluate('*.example.com')).allowed).toBe(false)
    expect((await evaluate('example.com')).allowed).toBe(true)
    expect(new Set(lookup.asked).size).toBe(1)
  })

  it('heeds the records to which an alias leads', async () => {
    const { evaluate } = lookupOf({
      'app.example.com': reply({
        answers: [
          record('app.example.com', 'CNAME', 'host.example.net'),
          record('host.example.net', 'CAA', '128 future x'),
        ],
      }),
    })
    expect((await evaluate('app.example.com')).allowed).toBe(false)
  })

  it.each([
    ['silent', failure('silent')],
    ['SERVFAIL', reply({ rcode: 'SERVFAIL' })],
    ['REFUSED', reply({ rcode: 'REFUSED' })],
  ])('where resolvers are %s half-way cannot be told', async (_what, failure) => {
    const { evaluate } = lookupOf({ 'app.example.com': NONE, 'example.com': failure })
    const { allowed, detail } = await evaluate('app.example.com')
    expect(allowed).toBeNull()
    expect(detail).toContain('CAA records of example.com')
  })
})
