/** Ways in which what others run is not what was written: the proxy, name servers, the provider, edges. */
import { ASKED_MS, type Way } from './false-greens.ts'
import { LOADED, probed, SSO } from './false-greens-own.ts'
import { ZONE } from './health-peers.ts'
import type { HealthWorld } from './health-world.ts'

const APP = `app.${ZONE}`
/** With a probe's second round, as a proof asks twice before it says that a route is open. */
const PROVEN_MS = 5 * ASKED_MS

const routerOf = ({ traefik }: HealthWorld) =>
  traefik.running.http.routers.find(({ name }) => name.startsWith(`plumbline-site_${APP}@`))!

const container = (rule: string) => ({
  http: {
    routers: { theirs: { rule, service: 'theirs', entryPoints: ['websecure'], tls: {}, priority: 5000 } },
    services: { theirs: { loadBalancer: { servers: [{ url: 'http://10.9.9.9:80' }] } } },
  },
})

const inProxy = (
  title: string,
  change: (world: HealthWorld) => void,
  more: Partial<Way<HealthWorld>> = {},
): Way<HealthWorld> => ({
  title: `proxy: ${title}`,
  part: 'proxy',
  within_ms: ASKED_MS,
  own: probed('proxy'),
  do: change,
  undo({ traefik, paths }) {
    traefik.refuse(() => false)
    traefik.follow(paths.routes)
    traefik.restart(new Date())
  },
  ...more,
})

export const PROXY_WAYS: readonly Way<HealthWorld>[] = [
  inProxy('it runs the routes of last week', ({ traefik, older_routes }) => traefik.follow(older_routes), {
    own: LOADED,
  }),
  inProxy(
    'restarted without its file',
    ({ traefik }) => {
      traefik.refuse(() => true)
      traefik.restart(new Date())
    },
    { own: LOADED },
  ),
  inProxy(
    'it finds fault with a router',
    (world) => Object.assign(routerOf(world), { status: 'disabled', error: ['the service does not exist'] }),
    { own: LOADED },
  ),
  inProxy(
    'it finds fault with a middleware of ours',
    ({ traefik }) =>
      Object.assign(
        traefik.running.http.middlewares.find(({ name }) => name.startsWith('plumbline-sso@'))!,
        {
          status: 'disabled',
          error: ['cannot be built'],
        },
      ),
    { own: LOADED },
  ),
  inProxy(
    'a router of ours without its lock',
    (world) => Object.assign(routerOf(world), { middlewares: [] }),
    { part: 'sso_attachments', own: SSO },
  ),
  inProxy(
    'a router of ours at another entry point',
    (world) => Object.assign(routerOf(world), { entryPoints: ['web'], using: ['web'] }),
    { own: LOADED },
  ),
  inProxy(
    'a router of a container is asked before ours',
    ({ traefik }) => traefik.provide('docker', container(`Host(\`${APP}\`)`)),
    { own: LOADED, undo: ({ traefik }) => traefik.provide('docker', null) },
  ),
  inProxy(
    'a router of a container takes every host',
    ({ traefik }) => traefik.provide('docker', container('PathPrefix(`/`)')),
    { own: LOADED, undo: ({ traefik }) => traefik.provide('docker', null) },
  ),
  inProxy(
    'a service of ours leads elsewhere',
    ({ traefik }) => {
      const { services } = traefik.running.http
      const ours = services.find(({ name }) => name.startsWith(`plumbline-site_${APP}@`))!
      Object.assign(ours, { loadBalancer: { servers: [{ url: 'http://10.9.9.9:80' }] } })
    },
    { own: LOADED },
  ),
  inProxy(
    'the sign-in of ours asks elsewhere',
    ({ traefik }) => {
      const { middlewares } = traefik.running.http
      const ours = middlewares.find(({ name }) => name.startsWith('plumbline-sso@'))!
      Object.assign(ours, { forwardAuth: { address: 'http://10.9.9.9/yes' } })
    },
    { own: LOADED },
  ),
  inProxy("a router of a stranger's takes our host", ({ proxy }) => proxy.clash.add(APP), {
    part: 'sso_routes',
    own: SSO,
    within_ms: PROVEN_MS,
    undo: ({ proxy }) => proxy.clash.clear(),
  }),
  {
    title: 'name servers: silent',
    part: 'dns_integrity',
    within_ms: ASKED_MS,
    own: probed('dns_integrity'),
    do: ({ name_server }) => name_server.be('silent'),
    undo: ({ name_server }) => name_server.be('open'),
    aside: 'servers are asked once in ten minutes',
  },
  {
    title: 'name servers: the address of last week',
    part: 'dns_integrity',
    // What is on its way has ten minutes.
    within_ms: 12 * ASKED_MS,
    own: probed('dns_integrity'),
    do: ({ name_server }) => name_server.be('stale'),
    undo: ({ name_server }) => name_server.be('open'),
    aside: 'on its way for ten minutes: not at once, by design',
  },
  {
    title: 'edges: one fell silent',
    part: 'edges',
    within_ms: 11 * ASKED_MS,
    own: probed('edges'),
    do: (world) => void (world.edge_lives = false),
    undo: (world) => void (world.edge_lives = true),
    aside: 'silent for ten minutes: not at once, by design',
  },
]
