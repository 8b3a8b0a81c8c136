/** A resolver with zones of its own: RFC 1034 §4.3.2 and the wildcards of RFC 4592. */
import { describe, expect, it } from 'vitest'
import type { ManagedType } from '../../../src/model/network/dns.ts'
import { resolverAnswers } from '../../../src/model/resolver.ts'
import type { Override, ResolverAnswer } from '../../../src/model/resolver/view.ts'

/** `*.example A 192.0.2.1` */
function record(text: string): Override {
  const [owner = '', type = '', value = ''] = text.split(' ')
  const is_wild = owner.startsWith('*.')
  return {
    name: is_wild ? owner.slice(2) : owner,
    scope: is_wild ? 'below' : 'exact',
    type,
    value,
    source: 'x',
  }
}

/** The zone of RFC 4592 §2.2.1, with addresses. */
const ZONE = [
  'example SOA',
  '*.example A 192.0.2.1',
  '*.example TXT',
  'sub.*.example TXT',
  'host1.example A 192.0.2.2',
  'a.b.host2.example TXT',
  'alias.example CNAME host1.example',
  'out.example CNAME far.away',
  'loop.example CNAME pool.example',
  'pool.example CNAME loop.example',
]
const answerOf = resolverAnswers({
  product: 'technitium',
  overrides: ZONE.map(record),
  zones: [
    { name: 'example', scope: 'subtree', rule: 'static' },
    { name: 'open.example', scope: 'subtree', rule: 'typetransparent' },
  ],
})

describe('a zone', () => {
  it.each<[string, ManagedType, Partial<ResolverAnswer>, string]>([
    ['host3.example', 'A', { kind: 'addresses', values: ['192.0.2.1'] }, 'the wildcard'],
    ['foo.bar.example', 'A', { kind: 'addresses', values: ['192.0.2.1'] }, 'the wildcard, two labels away'],
    ['host3.example', 'AAAA', { kind: 'nodata' }, 'the wildcard has no such type'],
    ['host1.example', 'A', { kind: 'addresses', values: ['192.0.2.2'] }, 'the name is there'],
    ['host1.example', 'AAAA', { kind: 'nodata' }, 'the name is there, without the type'],
    ['x.host1.example', 'A', { kind: 'nxdomain' }, 'the closest encloser is there and has no wildcard'],
    ['host2.example', 'A', { kind: 'nodata' }, 'an empty non-terminal is there'],
    ['b.host2.example', 'A', { kind: 'nodata' }, 'an empty non-terminal is there'],
    ['x.host2.example', 'A', { kind: 'nxdomain' }, 'the closest encloser is an empty non-terminal'],
    ['example', 'A', { kind: 'nodata' }, 'the top of the zone'],
    ['alias.example', 'A', { kind: 'addresses', values: ['192.0.2.2'], via: ['host1.example'] }, 'an alias'],
    ['out.example', 'A', { kind: 'alias', via: ['far.away'] }, 'an alias that leads away'],
    ['loop.example', 'A', { kind: 'alias' }, 'a circle'],
    ['elsewhere.org', 'A', { kind: 'forwarded' }, 'another zone'],
    ['x.open.example', 'A', { kind: 'forwarded' }, 'a zone that forwards what it does not have'],
  ])('%s %s: %o, %s', (name, type, answer) => {
    expect(answerOf(name, type)).toMatchObject(answer)
  })
})
