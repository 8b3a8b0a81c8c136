/** What the proxy shows against what the file says: its own additions are none, anything else is. */
import { expect, it } from 'vitest'
import { readYamlAside } from '../../../../../src/io/yaml/aside.ts'
import { otherContent, shownObjects } from '../../../../../src/features/routes/proxy/shadow/contents.ts'
import { definersOf } from '../../../../../src/features/routes/proxy/shadow/definers.ts'
import type { ProxySnapshot } from '../../../../../src/features/routes/traefik/port.ts'
import { itInDepth } from '../../../../kit/in-depth.ts'

const READING = { read: readYamlAside, signal: new AbortController().signal }

const ROUTER = {
  entryPoints: ['websecure'],
  middlewares: ['plumbline-sso'],
  priority: 1000,
  rule: 'Host("a.example")',
  service: 'plumbline-site_a.example',
  tls: {},
}
const SHOWN_ROUTER = {
  kind: 'http',
  name: 'plumbline-site_a.example@file',
  provider: 'file',
  rule: 'Host("a.example")',
  entrypoints: ['websecure'],
  middlewares: ['plumbline-sso@file'],
  service: 'plumbline-site_a.example@file',
  tls: true,
  cert_resolver: null,
  priority: 1000,
  status: 'enabled',
  errors: [],
} as const

const routerPart = (more: object): string | null => {
  const routers = [{ ...SHOWN_ROUTER, ...more }]
  const shown = shownObjects({ routers, services: [], middlewares: [] } as unknown as ProxySnapshot)
  return otherContent('http.routers.plumbline-site_a.example', ROUTER, shown)?.part ?? null
}

it.each<[string, object, string | null]>([
  ['as written', {}, null],
  ['with one before ours', { middlewares: ['x@docker', 'plumbline-sso@file'] }, 'middlewares'],
  ['without our check', { middlewares: [] }, 'middlewares'],
  ['with one behind our check', { middlewares: ['plumbline-sso@file', 'x@file'] }, 'middlewares'],
  ['of another rule', { rule: 'Host("b.example")' }, 'rule'],
  ['that leads elsewhere', { service: 'x@file' }, 'service'],
  ['of another rank', { priority: 1 }, 'priority'],
  ['at another door', { entrypoints: ['web'] }, 'entrypoints'],
  ['without TLS', { tls: false }, 'tls'],
  ['of another name', { name: 'b@file' }, null],
  ["of a container's", { name: 'plumbline-site_a.example@docker', rule: 'x' }, null],
])('a router %s', (_what, more, part) => {
  expect(routerPart(more)).toBe(part)
})

const middlewarePart = (written: object, shown: object): string | null => {
  const [type = ''] = Object.keys(shown)
  const config = (shown as Record<string, unknown>)[type]
  const middlewares = [{ name: 'plumbline-x@file', provider: 'file', type, config }]
  const objects = shownObjects({ routers: [], services: [], middlewares } as unknown as ProxySnapshot)
  return otherContent('http.middlewares.plumbline-x', written, objects)?.part ?? null
}

const EMPTIED = { headers: { customRequestHeaders: { 'Remote-User': '', Remote_User: '' } } }
const LIST = { ipAllowList: { sourceRange: ['10.0.0.0/8', '::1/128'] } }

it.each<[string, object, object, string | null]>([
  ['as written', EMPTIED, EMPTIED, null],
  [
    'with what the proxy fills in',
    { compress: { excludedContentTypes: ['text/event-stream'] } },
    {
      compress: {
        excludedContentTypes: ['text/event-stream'],
        encodings: ['gzip'],
        minResponseBodyBytes: 1024,
      },
    },
    null,
  ],
  ['in other cases of letters', { headers: { stsSeconds: 5 } }, { headers: { STSSeconds: 5 } }, null],
  [
    'without what is nothing',
    { redirectScheme: { permanent: false, scheme: 'https' } },
    { redirectScheme: { scheme: 'https' } },
    null,
  ],
  ['of another type', LIST, EMPTIED, 'type'],
  // The API gives the plugin's own name as the type.
  ['that is a plugin', { plugin: { bouncer: { mode: 'live' } } }, { bouncer: {} }, null],
  [
    'that leaves a name to the caller',
    EMPTIED,
    { headers: { customRequestHeaders: { 'Remote-User': '' } } },
    'headers.customRequestHeaders.Remote_User',
  ],
  [
    'with a header more',
    EMPTIED,
    { headers: { customRequestHeaders: { 'Remote-User': '', Remote_User: '', 'x-a': 'b' } } },
    'headers.customRequestHeaders.x-a',
  ],
  [
    'with a network more',
    LIST,
    { ipAllowList: { sourceRange: ['10.0.0.0/8', '::1/128', '0.0.0.0/0'] } },
    'ipAllowList.sourceRange',
  ],
  [
    'that believes a header',
    LIST,
    { ipAllowList: { ...LIST.ipAllowList, ipStrategy: { depth: 1 } } },
    'ipAllowList.ipstrategy',
  ],
  [
    'that asks elsewhere',
    { forwardAuth: { address: 'http://a/', trustForwardHeader: true } },
    { forwardAuth: { address: 'http://b/', trustForwardHeader: true } },
    'forwardAuth.address',
  ],
])('a middleware %s', (_what, written, shown, part) => {
  expect(middlewarePart(written, shown)).toBe(part)
})

it('a name is in the files that define it, in the order in which the proxy reads them', async () => {
  const item = 'http.services.plumbline-site_a.example'
  const defines = JSON.stringify({ http: { services: { 'plumbline-site_a.example': {} } } })
  const file = (path: string, text: string | null) => ({ file: `/r/${path}`, text, mode: 0o644 })
  const files = [
    file('z.yml', defines),
    file('a-b/x.yml', defines),
    file('a/x.yml', defines),
    file('c.toml', '[http.services."plumbline-site_a.example"]'),
    file('d.yml', 'http: {{ "plumbline-site_a.example" }}'),
    file('e.yml', '# plumbline-site_a.example\nhttp: {}'),
    file('f.yml', JSON.stringify({ tcp: { services: { 'plumbline-site_a.example': {} } } })),
    file('g.yml', null),
  ]
  expect(await definersOf([item, 'http.services.other'], files, READING)).toEqual(
    new Map([[item, ['/r/a/x.yml', '/r/a-b/x.yml', '/r/c.toml', '/r/d.yml', '/r/z.yml']]]),
  )
})

itInDepth('many large files are looked through in turns', async () => {
  const text = `a: {${Array.from({ length: 2000 }, (_, i) => `k${i}: 1`).join(', ')}}\n`
  const files = Array.from({ length: 40 }, (_, i) => ({
    file: `/r/${i}.yml`,
    text: `${text}# ${i}`,
    mode: 0o644,
  }))
  let turns = 0
  const counter = setInterval(() => turns++, 1)
  try {
    await definersOf(['http.services.plumbline-site_a.example'], files, READING)
  } finally {
    clearInterval(counter)
  }
  expect(turns).toBeGreaterThan(10)
})
