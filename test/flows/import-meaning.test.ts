/**
 * An import changes no meaning unsaid. Files as people write them, beside a container's labels, are served by the stand-in of
 * Traefik before and after their import is deployed; the same requests go to both, and every difference must be named by the
 * report of the import or by the plan of its deploy.
 */
import { createServer, type Server } from 'node:http'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { yamlDocuments } from '../../src/io/yaml/documents.ts'
import { reportLines } from '../../src/features/import/report.ts'
import { fromTraefik } from '../../src/features/import/traefik.ts'
import { traefikDocument } from '../../src/features/import/traefik/document.ts'
import { got } from '../fakes/traefik/at-traefik.ts'
import { byTier } from '../kit/tier.ts'
import { CONTEXT } from '../features/import/traefik/context.ts'
import { openProxyHouse, type ProxyHouse } from './proxy-house.ts'

const AUTHELIA = 'http://authelia:9091'
const HOST = 'app.example.com'
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']
const PASSWORD = { basicAuth: { users: ['anna:$apr1$abc$3Tg9Qk7p1Yk5sYJ3n9QGw0'] } }

const MIDDLEWARES = {
  authelia: {
    forwardAuth: {
      address: `${AUTHELIA}/api/authz/forward-auth`,
      trustForwardHeader: true,
      authResponseHeaders: ['Remote-User', 'Remote-Groups'],
    },
  },
  authentik: {
    forwardAuth: {
      address: `${AUTHELIA}/outpost.goauthentik.io/auth/traefik`,
      trustForwardHeader: true,
      authResponseHeaders: ['X-authentik-username'],
    },
  },
  lan: { ipAllowList: { sourceRange: PRIVATE } },
  one: { ipAllowList: { sourceRange: ['192.168.1.7/32'] } },
  secure: {
    headers: { stsSeconds: 63_072_000, stsPreload: true, frameDeny: true, contentTypeNosniff: true },
  },
  bare: { headers: { customResponseHeaders: { Server: '' } } },
  password: PASSWORD,
  https: { redirectScheme: { scheme: 'https', permanent: true } },
}
type Name = keyof typeof MIDDLEWARES

const CHAINS: readonly (readonly Name[])[] = [
  [],
  ['authelia'],
  ['authentik'],
  ['lan'],
  ['one'],
  ['secure'],
  ['bare', 'secure'],
  ['password'],
  ['lan', 'authelia'],
  ['secure', 'authelia'],
]
const LABELS: Readonly<Record<string, object | null>> = {
  'no labels': null,
  'a password in labels': { middlewares: ['password'] },
}
/** Where the site listens, and what else is on plain HTTP. */
const DOORS = ['https alone', 'https and its redirect', 'http alone', 'neither said'] as const

interface Fixture {
  readonly name: string
  readonly chain: readonly Name[]
  readonly door: (typeof DOORS)[number]
  readonly labels: object | null
  /** Of the entry points for http and for https, of the proxy and of the files. */
  readonly called: Called
}
interface Called {
  readonly web: string
  readonly websecure: string
}
const CALLED: readonly Called[] = [
  { web: 'web', websecure: 'websecure' },
  { web: 'http', websecure: 'https' },
]
const FIXTURES: readonly Fixture[] = DOORS.flatMap((door) =>
  CHAINS.flatMap((chain) =>
    Object.entries(LABELS).flatMap(([what, labels]) =>
      CALLED.map((called) => ({
        name: `${chain.join(', ') || 'nothing'} before it, ${door}, ${what}, on ${called.web} and ${called.websecure}`,
        chain,
        door,
        labels,
        called,
      })),
    ),
  ),
)

/** In the gate the one where a sign-in and a list in the file, and a password in the labels, have to hold. */
const GUARDED = 'lan, authelia before it, https and its redirect, a password in labels, on web and websecure'
const TRIED = byTier(
  FIXTURES.filter(({ name }) => name === GUARDED),
  FIXTURES,
)

const rule = `Host(\`${HOST}\`)`
const balancer = (host: string) => ({ loadBalancer: { servers: [{ url: `http://${host}:8080` }] } })

function handWritten({ chain, door, called }: Fixture): object {
  const site = { rule, service: 'site', ...(chain.length > 0 && { middlewares: chain }) }
  const secure = { ...site, entryPoints: [called.websecure], tls: {} }
  const routers = {
    'https alone': { site: secure },
    'https and its redirect': {
      site: secure,
      plain: { rule, service: 'noop@internal', entryPoints: [called.web], middlewares: ['https'] },
    },
    'http alone': { site: { ...site, entryPoints: [called.web] } },
    'neither said': { site },
  }[door]
  return { http: { routers, services: { site: balancer('10.0.0.1') }, middlewares: MIDDLEWARES } }
}

const labelled = (router: object, { websecure }: Called): object => ({
  http: {
    routers: {
      admin: {
        rule: `${rule} && PathPrefix(\`/admin\`)`,
        service: 'admin',
        entryPoints: [websecure],
        tls: {},
        ...router,
      },
    },
    services: { admin: balancer('10.0.0.2') },
    middlewares: { password: PASSWORD },
  },
})

interface Asked {
  readonly entrypoint: keyof Called
  readonly path: string
  readonly client: string
  readonly headers: Readonly<Record<string, string>>
}
const REQUESTS: readonly Asked[] = (['web', 'websecure'] as const).flatMap((entrypoint) =>
  ['/', '/admin/x'].flatMap((path) =>
    ['192.168.1.7', '192.168.9.9', 'fd00::9', '203.0.113.9'].flatMap((client) =>
      [{}, { cookie: 'session=anna' }, { 'Remote-User': 'eve', 'X-authentik-username': 'eve' }].map(
        (headers) => ({
          entrypoint,
          path,
          client,
          headers: headers as Readonly<Record<string, string>>,
        }),
      ),
    ),
  ),
)

/** What a client and a backend notice. */
type Noticed = Readonly<Record<string, string>>
const ANSWERED = [
  'strict-transport-security',
  'content-security-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
  'server',
]
const IDENTITY = ['remote-user', 'remote-groups', 'remote-name', 'remote-email', 'x-authentik-username']

async function notice(
  at: ProxyHouse,
  { client, entrypoint, ...wish }: Asked,
  called: Called,
): Promise<Noticed> {
  at.traefik.client_address = client
  const { status, headers, seen } = await got(at.traefik, {
    ...wish,
    entrypoint: called[entrypoint],
    host: HOST,
  })
  const backend = seen === null ? {} : { backend: String(headers['x-origin']) }
  return {
    outcome: status === 301 || status === 308 ? 'to https' : String(status),
    ...backend,
    ...Object.fromEntries(
      IDENTITY.flatMap((name) => (seen?.headers[name] === undefined ? [] : [[name, seen.headers[name]]])),
    ),
    // Whoever is refused or sent away reads no page.
    ...(seen === null ? {} : Object.fromEntries(ANSWERED.map((name) => [name, String(headers[name] ?? '')]))),
  }
}

/** What must stand in the report or in the plan for a difference; null for one that nothing explains. */
function explanation(part: string, before: Noticed, after: Noticed, asked: Asked): RegExp | null {
  const [was, is] = [before[part] ?? '', after[part] ?? '']
  if (ANSWERED.includes(part)) return new RegExp(`the header ${part} `, 'i')
  if (part.startsWith('remote-')) {
    if (is === '' || was === 'eve') return /it takes Remote-User/
    return /the backend now learns/
  }
  if (part !== 'outcome' && part !== 'backend') return null
  if (asked.entrypoint === 'web' && ['to https', '404'].includes(was) && is === '403')
    return /it refuses strangers over plain HTTP, too/
  if (asked.entrypoint === 'web' && is === 'to https') return /with TLS it answers plain HTTP with a redirect/
  if (asked.client.startsWith('fd') && before['outcome'] === '403')
    return /besides `lan`, an internal service lets in .*fc00::\/7/
  if (asked.path.startsWith('/admin')) return /admin@docker .* would not be asked/
  if (was === '200' && is === '401') return /stays closed/
  return null
}

let servers: Server[]
let origins: Readonly<Record<string, string>>

beforeAll(async () => {
  const backend = (name: string) =>
    createServer((request, response) => {
      response.setHeader('x-backend', 'yes').setHeader('x-origin', name).setHeader('server', 'nginx')
      response.setHeader('content-security-policy', "default-src 'self'")
      response.end(JSON.stringify({ url: request.url, headers: request.headers }))
    })
  const provider = createServer((request, response) => {
    if (request.headers.cookie !== 'session=anna') return void response.writeHead(401).end('no')
    const who = {
      'remote-user': 'anna',
      'remote-groups': 'all',
      'remote-name': 'Anna',
      'remote-email': 'a@b.example',
    }
    response.writeHead(200, { ...who, 'x-authentik-username': 'anna' }).end()
  })
  const known = {
    'http://10.0.0.1:8080': backend('site'),
    'http://10.0.0.2:8080': backend('admin'),
    [AUTHELIA]: provider,
  }
  servers = Object.values(known)
  const listening = Object.entries(known).map(async ([origin, server]) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return [origin, `http://127.0.0.1:${(server.address() as AddressInfo).port}`] as const
  })
  origins = Object.fromEntries(await Promise.all(listening))
})
afterAll(() => {
  for (const server of servers) server.close()
})

describe('the same requests before and after an import', () => {
  it.each(TRIED)('$name', async (fixture) => {
    await using at = await openProxyHouse({
      env: {
        PLUMBLINE_SSO_URL: AUTHELIA,
        PLUMBLINE_ENTRYPOINTS: `${fixture.called.web}=80,${fixture.called.websecure}=443`,
      },
      traefik: {
        entrypoints: [
          { name: fixture.called.web, address: ':80' },
          { name: fixture.called.websecure, address: ':443' },
        ],
        dial: (origin) => origins[origin] ?? origin,
      },
    })
    const text = JSON.stringify(handWritten(fixture))
    const file = join(dirname(at.house.routes_path), 'hand.yml')
    writeFileSync(file, text)
    at.traefik.follow(dirname(file))
    if (fixture.labels !== null) at.traefik.provide('docker', labelled(fixture.labels, fixture.called))
    const before = await all(at, fixture.called)
    const said = await imported(at, traefikDocument(file, text, yamlDocuments))
    // What stays in its file changes nothing, and proves nothing.
    expect(said.startsWith('1 record ')).toBe(isTaken(fixture))
    const after = await all(at, fixture.called)
    const unsaid = REQUESTS.flatMap((asked, i) => {
      const parts = new Set([...Object.keys(before[i]!), ...Object.keys(after[i]!)])
      return [...parts].flatMap((part) => {
        const [was, is] = [before[i]![part], after[i]![part]]
        // Of another page, or of none, the headers are another matter.
        if (
          was === is ||
          (part !== 'outcome' && part !== 'backend' && before[i]!['backend'] !== after[i]!['backend'])
        )
          return []
        const words = explanation(part, before[i]!, after[i]!, asked)
        return words !== null && words.test(said) ? [] : [{ ...asked, part, was, is }]
      })
    })
    expect(unsaid, said).toEqual([])
  })
})

const STAYS: readonly Name[] = ['authentik', 'one', 'password']
const isTaken = ({ chain, door }: Fixture): boolean =>
  door !== 'neither said' && !chain.some((name) => STAYS.includes(name))

async function all(at: ProxyHouse, called: Called): Promise<readonly Noticed[]> {
  const noticed: Noticed[] = []
  for (const asked of REQUESTS) noticed.push(await notice(at, asked, called))
  return noticed
}

/** Deploys what can be imported, and answers all that was said of it. */
async function imported(at: ProxyHouse, document: ReturnType<typeof traefikDocument>): Promise<string> {
  const result = fromTraefik([document], {
    ...CONTEXT,
    sso_addresses: [`${AUTHELIA}/api/authz/forward-auth`],
  })
  const report = reportLines(result).join('\n')
  if (result.records.length === 0) return report
  const body = {
    domains: result.records.map(({ input }) => ({ ...input, status: 'active' })),
    replaces: result.replaces,
  }
  await at.lookAnew()
  const { plan } = (await at.call('POST', '/api/estate?dry_run=true', { body })).body as unknown as {
    readonly plan: {
      readonly hash: string
      readonly guards: readonly { readonly message: string }[]
      readonly warnings: readonly string[]
    }
  }
  const answer = await at.call('POST', `/api/estate?confirm=${plan.hash}`, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return [report, ...plan.guards.map(({ message }) => message), ...plan.warnings].join('\n')
}
