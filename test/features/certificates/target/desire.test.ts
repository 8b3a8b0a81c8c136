/** Which certificates are ours, for which names, and how they are kept with a release. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covers } from '../../../../src/model/network/certificate.ts'
import type { DomainFields } from '../../../../src/model/domain/record.ts'
import type { IntentRow } from '../../../../src/model/intent.ts'
import { certificatesCodec } from '../../../../src/features/certificates/target/codec.ts'
import {
  desireCertificates,
  type Responsibility,
} from '../../../../src/features/certificates/target/desire.ts'
import { aRow } from '../../../fixtures.ts'

const rows = (...all: readonly (Partial<DomainFields> & Partial<IntentRow>)[]): readonly IntentRow[] =>
  all.map((fields, i) => {
    const { live = true, retired = false, ...rest } = fields
    const domain = { service_type: 'internal', domain: `app${i}.example.com`, ...rest } as const
    return { ...aRow({ domain_id: i + 1, ...domain }), live, retired }
  })

const wishes = (all: readonly IntentRow[], responsibility: Responsibility = 'internal') =>
  desireCertificates({ rows: all }, responsibility).wishes.map(({ names, domain_ids }) => [names, domain_ids])

describe('a certificate is wanted for', () => {
  it.each<[string, Partial<DomainFields> & Partial<IntentRow>, Responsibility, boolean]>([
    ['an internal name', {}, 'internal', true],
    ['a public name of the proxy’s', { service_type: 'http' }, 'internal', false],
    ['a public name of ours', { service_type: 'http' }, 'all', true],
    ['TLS that the proxy ends for TCP', { service_type: 'tcp-proxy', protocol: 'tcp' }, 'all', true],
    ['what is managed elsewhere', { service_type: 'manual' }, 'all', false],
    ['a name without TLS', { ssl_enabled: false }, 'all', false],
    ['one that is off line', { live: false }, 'all', false],
    ['one that is retired', { live: false, retired: true }, 'all', false],
  ])('%s', (_title, fields, responsibility, wanted) => {
    expect(wishes(rows(fields), responsibility)).toHaveLength(wanted ? 1 : 0)
  })
})

describe('names share a certificate', () => {
  it.each<[string, readonly string[], readonly (readonly string[])[]]>([
    ['wildcard and apex', ['x.test', '*.x.test'], [['*.x.test', 'x.test']]],
    ['a wildcard and what it covers', ['a.x.test', '*.x.test'], [['*.x.test']]],
    ['not two levels below', ['a.b.x.test', '*.x.test'], [['*.x.test'], ['a.b.x.test']]],
    ['not strangers', ['a.test', 'b.test'], [['a.test'], ['b.test']]],
    [
      'an apex that a wildcard above covers',
      ['b.x.test', '*.b.x.test', '*.x.test'],
      [['*.b.x.test'], ['*.x.test']],
    ],
  ])('%s', (_title, names, expected) => {
    const found = wishes(rows(...names.map((domain) => ({ domain }))))
    expect(found.map(([theirs]) => theirs)).toEqual(expected)
  })

  it('and each certificate is for every record that it serves', () => {
    const all = rows({ domain: 'x.test' }, { domain: 'a.x.test' }, { domain: '*.x.test' })
    expect(wishes(all)).toEqual([
      [
        ['*.x.test', 'x.test'],
        [1, 2, 3],
      ],
    ])
  })
})

const label = fc.constantFrom('a', 'b', 'c')
const name = fc
  .tuple(fc.boolean(), fc.array(label, { minLength: 0, maxLength: 3 }))
  .map(([wild, labels]) => `${wild ? '*.' : ''}${[...labels, 'test', 'example'].join('.')}`)

it('every wanted name is covered by exactly one certificate that says it is for it, whatever the order of the records', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      const all = rows(...names.map((domain) => ({ domain })))
      const desired = desireCertificates({ rows: all }, 'internal')
      for (const { domain_id, fields } of all) {
        const serving = desired.wishes.filter(({ domain_ids }) => domain_ids.includes(domain_id))
        expect(serving).toHaveLength(1)
        expect(covers(serving[0]!.names, fields.domain)).toBe(true)
      }
      for (const wish of desired.wishes) {
        expect(wish.name).toBe(wish.names[0])
        for (const wanted of wish.names) expect(names).toContain(wanted)
      }
      expect(desireCertificates({ rows: all.toReversed() }, 'internal')).toEqual(desired)
    }),
  )
})

it('names that are off line are kept, retired ones are not', () => {
  const all = rows({ domain: 'off.test', live: false }, { domain: 'gone.test', live: false, retired: true })
  expect(desireCertificates({ rows: all }, 'internal').kept).toEqual(['off.test'])
})

it('what a release asks for is read as it was kept', () => {
  const desired = desireCertificates({ rows: rows({}, { live: false }) }, 'internal')
  const { chunks, digest } = certificatesCodec.freeze(desired)
  expect(certificatesCodec.thaw(chunks)).toEqual(desired)
  expect(certificatesCodec.freeze(certificatesCodec.thaw(chunks)).digest).toBe(digest)
})
