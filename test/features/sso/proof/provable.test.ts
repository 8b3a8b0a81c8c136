/** Every kind of protected route is asked, or says why it cannot be. */
import { expect, it } from 'vitest'
import type { Door } from '../../../../src/features/sso/probe-port.ts'
import { isOpenPath } from '../../../../src/model/access/open-paths.ts'
import { provability } from '../../../../src/features/sso/proof/provable.ts'
import { rowOf } from '../target/rows.ts'

type Wish = Parameters<typeof rowOf>[0]

function asked(
  wish: Partial<Wish>,
  bypass: readonly string[] = [],
  doors: readonly Door[] = ['tls', 'plain'],
) {
  const { routes, not_provable } = provability(
    { rows: [rowOf({ domain: 'app.example.com', ...wish })] },
    {
      doors: new Set(doors),
      isOpenPath: (_, path) => isOpenPath(bypass, path),
      by_address: new Set(['office-only']),
      by_own_check: new Set(['password']),
    },
  )
  expect(routes.length + not_provable.length).toBeLessThan(2)
  const [route] = routes
  if (route === undefined) return not_provable[0]?.cause ?? 'not asked'
  const asks = route.asks.map(({ door, path }) => `${door} ${route.host}${path}`)
  return [
    ...asks,
    ...(route.by_address ? ['by address'] : []),
    ...(route.by_own_check ? ['by a check of its own'] : []),
  ]
}

const X = 'plumbline-asks-without-signing-in'

it.each<[string, Partial<Wish>, readonly string[], readonly string[] | string]>([
  ['https', {}, [], ['tls app.example.com/', 'plain app.example.com/']],
  ['plain http', { ssl_enabled: false }, [], ['plain app.example.com/', `plain app.example.com/${X}`]],
  [
    'a name with a star',
    { domain: '*.example.com' },
    [],
    ['tls plumbline-any-host.example.com/', 'plain plumbline-any-host.example.com/'],
  ],
  [
    'the parts of an spa, which have routers of their own',
    { service_type: 'spa' },
    [],
    [
      'tls app.example.com/',
      `tls app.example.com/${X}`,
      `tls app.example.com/assets/${X}-0123456789abcdef.js`,
      'plain app.example.com/',
    ],
  ],
  [
    'the assets of an spa whose policy opens some of them',
    { service_type: 'spa' },
    ['/assets/'],
    [
      'tls app.example.com/',
      `tls app.example.com/${X}`,
      `tls app.example.com/static/${X}-0123456789abcdef.js`,
      'plain app.example.com/',
    ],
  ],
  [
    'an internal one',
    { service_type: 'internal' },
    [],
    ['tls app.example.com/', 'plain app.example.com/', 'by address'],
  ],
  [
    'one behind a list of addresses',
    { middleware_config: { extra_middlewares: ['office-only'] } },
    [],
    ['tls app.example.com/', 'plain app.example.com/', 'by address'],
  ],
  [
    'one behind a password',
    { middleware_config: { extra_middlewares: ['password'] } },
    [],
    ['tls app.example.com/', 'plain app.example.com/', 'by a check of its own'],
  ],
  ['one with open paths', {}, ['/healthz', '/public/'], ['tls app.example.com/', 'plain app.example.com/']],
  ['one that its policy opens as a whole', {}, ['/'], 'no_sign_in'],
  ['TCP', { protocol: 'tcp', service_type: 'tcp-proxy', tcp_entrypoint: 'ssh' }, [], 'no_sign_in'],
  ['one that is open', { auth_required: false }, [], 'not asked'],
  ['one that is managed elsewhere', { service_type: 'manual' }, [], 'not asked'],
])('%s', (_, wish, bypass, asks) => {
  expect(asked(wish, bypass)).toEqual(asks)
})

it('a door that is not set leaves its routes unproven, and says which setting is missing', () => {
  expect(asked({}, [], ['plain'])).toBe('no_door')
  expect(asked({ ssl_enabled: false }, [], ['tls'])).toBe('no_door')
  expect(asked({}, [], ['tls'])).toEqual(['tls app.example.com/'])
})
