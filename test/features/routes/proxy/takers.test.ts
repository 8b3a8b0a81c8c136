/** Which routers are named as those that take the host of a route which is out. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { takersAt } from '../../../../src/features/routes/loaded/takers.ts'
import type {
  ProxyRouter,
  ProxySnapshot,
  SearchableProxy,
} from '../../../../src/features/routes/traefik/port.ts'
import { domainOfShown } from '../../../../src/features/routes/render/entry.ts'

const { signal } = new AbortController()
const ROUTE = { domain: 'app.example.com', host: 'app.example.com' }

const router = (rule: string, more: Partial<ProxyRouter> = {}): ProxyRouter => ({
  kind: 'http',
  name: 'theirs@docker',
  provider: 'docker',
  rule,
  entrypoints: ['websecure'],
  middlewares: [],
  service: 'theirs@docker',
  tls: true,
  cert_resolver: null,
  priority: null,
  status: 'enabled',
  errors: [],
  ...more,
})

async function takers(one: ProxyRouter): Promise<readonly string[]> {
  const proxy: Pick<SearchableProxy, 'snapshot'> = {
    snapshot: () => Promise.resolve({ version: '3.7.9', routers: [one] } as unknown as ProxySnapshot),
  }
  const known = takersAt(proxy as SearchableProxy, domainOfShown)
  await known.look([ROUTE], signal)
  return known.of(ROUTE.domain)
}

describe('a router takes the host', () => {
  it.each([
    'Host(`app.example.com`)',
    'Host(`APP.example.com`) && PathPrefix(`/x`)',
    'Host(`*.example.com`)',
    'PathPrefix(`/`)',
    'HostRegexp(`^.+[.]example[.]com$`)',
    'HostRegexp(`^(app|web)[.]example[.]com$`)',
    'Host(`other.example.net`) || HostRegexp(`.*`)',
    // Nobody can tell: it takes too much work.
    `HostRegexp(\`${'(.|.)'.repeat(6)}${'.*'.repeat(480)}[q]\`)`,
  ])('by %s', async (rule) => {
    expect(await takers(router(rule))).toEqual(['theirs@docker'])
  })
})

describe('a router does not take it', () => {
  it.each([
    'Host(`other.example.com`)',
    'HostRegexp(`^(app|web)[.]example[.]net$`)',
    '!Host(`app.example.com`)',
  ])('by %s', async (rule) => {
    expect(await takers(router(rule))).toEqual([])
  })

  it.each<[string, Partial<ProxyRouter>]>([
    ['that is disabled', { status: 'disabled' }],
    ['of the proxy itself', { service: 'noop@internal' }],
    ['of the route that is out', { name: 'plumbline-site_app.example.com@file', provider: 'file' }],
    ['that an entry point made of it', { name: 'websecure-plumbline-site_app.example.com@file' }],
  ])('%s', async (_what, more) => {
    expect(await takers(router('Host(`app.example.com`)', more))).toEqual([])
  })
})

it('a proxy that does not answer names nobody anew and is no error', async () => {
  const proxy: Pick<SearchableProxy, 'snapshot'> = {
    snapshot: () => Promise.reject(new Failure('component_unavailable', 'nobody answers')),
  }
  const known = takersAt(proxy as SearchableProxy, domainOfShown)
  await known.look([ROUTE], signal)
  expect(known.of(ROUTE.domain)).toEqual([])
})
