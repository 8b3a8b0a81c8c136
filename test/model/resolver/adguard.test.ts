/** AdGuard Home's rules for rewrites, case by case as its own tests tell them. */
import { expect, it } from 'vitest'
import { resolverAnswers } from '../../../src/model/resolver.ts'
import type { Override, ResolverAnswer } from '../../../src/model/resolver/view.ts'
import type { ManagedType } from '../../../src/model/network/dns.ts'

/** `*.example.org → 192.0.2.1`, as it stands in its console. */
function rewrite(text: string): Override {
  const [domain = '', answer = ''] = text.split(' → ')
  const is_wild = domain.startsWith('*.')
  const at = {
    name: is_wild ? domain.slice(2) : domain,
    scope: is_wild ? 'below' : 'exact',
    source: 'x',
  } as const
  if (answer === 'A' || answer === 'AAAA') return { ...at, type: answer, value: null }
  const type = /^[\d.]+$/.test(answer) ? 'A' : answer.includes(':') ? 'AAAA' : 'CNAME'
  return { ...at, type, value: answer }
}

const to = (...values: string[]): Partial<ResolverAnswer> => ({ kind: 'addresses', values })

it.each<[string, readonly string[], string, ManagedType, Partial<ResolverAnswer>]>([
  ['an exact name', ['a.org → 1.1.1.1'], 'a.org', 'A', to('1.1.1.1')],
  ['not below it', ['a.org → 1.1.1.1'], 'x.a.org', 'A', { kind: 'forwarded' }],
  [
    'another type has no answer, and is not forwarded',
    ['a.org → 1.1.1.1'],
    'a.org',
    'AAAA',
    { kind: 'nodata' },
  ],
  ['several addresses', ['a.org → 1.1.1.1', 'a.org → 1.1.1.2'], 'a.org', 'A', to('1.1.1.1', '1.1.1.2')],
  ['the same twice', ['a.org → 1.1.1.1', 'a.org → 1.1.1.1'], 'a.org', 'A', to('1.1.1.1')],
  ['everything below a star', ['*.a.org → 1.1.1.1'], 'x.y.a.org', 'A', to('1.1.1.1')],
  ['a star is not the name itself', ['*.a.org → 1.1.1.1'], 'a.org', 'A', { kind: 'forwarded' }],
  ['an exact name before a star', ['*.a.org → 1.1.1.1', 'x.a.org → 1.1.1.2'], 'x.a.org', 'A', to('1.1.1.2')],
  ['the longest star', ['*.a.org → 1.1.1.1', '*.b.a.org → 1.1.1.2'], 'x.b.a.org', 'A', to('1.1.1.2')],
  [
    'an exact name of the other type, and the star for this one',
    ['*.a.org → 1.1.1.1', 'x.a.org → ::1'],
    'x.a.org',
    'A',
    to('1.1.1.1'),
  ],
  [
    'an alias, through other rewrites',
    ['a.org → b.org', 'b.org → 1.1.1.1'],
    'a.org',
    'A',
    { kind: 'addresses', values: ['1.1.1.1'], via: ['b.org'] },
  ],
  ['an alias to a name elsewhere', ['a.org → b.org'], 'a.org', 'A', { kind: 'alias', via: ['b.org'] }],
  ['an alias before an address', ['a.org → 1.1.1.1', 'a.org → b.org'], 'a.org', 'A', { kind: 'alias' }],
  [
    'a star’s alias before an exact address',
    ['x.a.org → 1.1.1.1', '*.a.org → b.org'],
    'x.a.org',
    'A',
    { kind: 'alias', via: ['b.org'] },
  ],
  [
    'an alias onto itself takes the name out of the star',
    ['*.a.org → 1.1.1.1', 'x.a.org → x.a.org'],
    'x.a.org',
    'A',
    { kind: 'forwarded' },
  ],
  ['a star onto itself', ['*.a.org → *.a.org'], 'x.a.org', 'A', { kind: 'forwarded' }],
  ['this type goes to the upstream', ['a.org → A'], 'a.org', 'A', { kind: 'forwarded' }],
  [
    'this type goes to the upstream, the other is answered',
    ['a.org → A', 'a.org → ::1'],
    'a.org',
    'AAAA',
    to('::1'),
  ],
  [
    'this type goes to the upstream, out of a star',
    ['*.a.org → 1.1.1.1', 'x.a.org → A'],
    'x.a.org',
    'A',
    { kind: 'forwarded' },
  ],
  [
    'a circle of aliases',
    ['a.org → b.org', 'b.org → c.org', 'c.org → b.org'],
    'a.org',
    'A',
    { kind: 'nodata' },
  ],
  [
    'a star’s alias to a name below it',
    ['*.a.org → x.a.org'],
    'y.a.org',
    'A',
    { kind: 'alias', via: ['x.a.org'] },
  ],
])('%s', (_what, rewrites, name, type, answer) => {
  const view = { product: 'adguard' as const, overrides: rewrites.map(rewrite), zones: [] }
  expect(resolverAnswers(view)(name, type)).toMatchObject(answer)
})
