/** Drifts of what faces the world: routes and who runs them, DNS records, certificates. */
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deploy, type Drift, put, rewrite, takeBack } from './five-worlds-drift.ts'
import { APP, INNER, type Worlds, ZONE } from './five-worlds-house.ts'

const RECORD = { name: APP, type: 'A' } as const
const STRANGER = { ...RECORD, ttl: 60, values: ['198.51.100.66'], proxied: null, comment: null }
const ROUTER = `http.routers.plumbline-site_${APP}`
const SERVICE = `http.services.plumbline-site_${APP}`
const inRouter = (text: string, change: (block: string) => string): string =>
  text.replace(/( {4}"plumbline-site_app[.]example[.]com":\n)((?: {6}.*\n)*)/, (block) => change(block))

/** The files of the certificate that is installed. */
const filesOf = ({ paths }: Worlds, ending: RegExp): readonly string[] => {
  const folder = join(paths.certificates, INNER)
  return readdirSync(folder)
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))
}

const rendered = async ({ call }: Worlds): Promise<string> =>
  (await call('POST', '/api/domains/render')).body['yaml'] as unknown as string

export const OUTSIDE: readonly Drift[] = [
  {
    title: 'a route is edited',
    world: 'routes',
    item: () => ROUTER,
    cause: 'edited',
    spoil: ({ paths }) =>
      rewrite(paths.routes, (text) => inRouter(text, (block) => block.replace('1000', '7'))),
  },
  {
    title: 'a route is taken out',
    world: 'routes',
    item: () => ROUTER,
    cause: 'lost',
    spoil: ({ paths }) => rewrite(paths.routes, (text) => inRouter(text, () => '')),
  },
  {
    title: 'the routes file is gone',
    world: 'routes',
    item: ({ paths }) => paths.routes,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.routes),
  },
  {
    title: 'the routes file is garbage',
    world: 'routes',
    item: ({ paths }) => paths.routes,
    cause: 'edited',
    spoil: ({ paths }) => writeFileSync(paths.routes, '\u0000\u0001 [{'),
  },
  {
    title: 'a folder stands in the place of the routes file',
    world: 'routes',
    item: ({ paths }) => paths.routes,
    cause: 'edited',
    spoil({ paths }) {
      rmSync(paths.routes)
      mkdirSync(paths.routes)
    },
    mend: ({ paths }) => Promise.resolve(rmSync(paths.routes, { recursive: true, force: true })),
  },
  {
    title: 'an edit is saved',
    world: 'routes',
    item: () => SERVICE,
    cause: 'pending_deploy',
    spoil: put({ backend_port: 3001 }),
    mend: deploy,
  },
  {
    title: 'an edit is saved, and the route is edited by hand',
    world: 'routes',
    item: () => SERVICE,
    cause: 'edited_and_pending',
    async spoil(worlds) {
      await put({ backend_port: 3002 })(worlds)
      rewrite(worlds.paths.routes, (text) => text.replace(/(10[.]0[.]0[.]5):\d+"/, '$1:6666"'))
    },
    mend: deploy,
  },
  {
    title: 'an edit is saved, and somebody has brought it into the file already',
    world: 'routes',
    item: () => SERVICE,
    cause: 'applied_unrecorded',
    async spoil(worlds) {
      await put({ backend_port: 3003 })(worlds)
      writeFileSync(worlds.paths.routes, await rendered(worlds))
    },
    mend: deploy,
  },
  {
    title: 'the proxy has not loaded the file',
    world: 'proxy',
    item: () => 'routes',
    cause: 'not_loaded',
    spoil({ traefik }) {
      traefik.refuse(() => true)
      traefik.restart(new Date())
    },
    mend({ traefik }) {
      traefik.refuse(() => false)
      traefik.restart(new Date())
      return Promise.resolve()
    },
  },
  {
    title: 'a DNS record is edited',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'edited',
    spoil: ({ certificates }) => certificates.dns.put(ZONE, STRANGER),
  },
  {
    title: 'a DNS record is taken away',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'lost',
    spoil: ({ certificates }) => certificates.dns.take(ZONE, RECORD),
  },
  {
    title: 'a DNS record makes room for a stranger’s',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'foreign_owner',
    async spoil({ certificates }) {
      await certificates.dns.take(ZONE, RECORD)
      await certificates.dns.put(ZONE, STRANGER)
    },
    mend: ({ certificates }) => certificates.dns.take(ZONE, RECORD),
  },
  {
    title: 'another address is saved',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'pending_deploy',
    spoil: put({ static_ip: '203.0.113.77' }),
    mend: takeBack({ static_ip: null }),
  },
  {
    title: 'the key of a certificate is gone',
    world: 'certificate',
    item: () => INNER,
    cause: 'lost',
    spoil: (worlds) => filesOf(worlds, /key[.]pem$/).forEach((file) => rmSync(file)),
  },
  {
    title: 'a certificate is another one',
    world: 'certificate',
    item: () => INNER,
    cause: 'edited',
    spoil: (worlds) =>
      filesOf(worlds, /chain[.]pem$/).forEach((file) => writeFileSync(file, 'no certificate')),
  },
  {
    title: 'the certificates file is edited',
    world: 'certificates_file',
    item: ({ paths }) => paths.certificates_file,
    cause: 'edited',
    spoil: ({ paths }) => appendFileSync(paths.certificates_file, '# mine\n'),
  },
  {
    title: 'the certificates file is gone',
    world: 'certificates_file',
    item: ({ paths }) => paths.certificates_file,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.certificates_file),
  },
]
