/** A deploy whose domains are not served as deployed, for a reason that no deploy changes: its answer and its command say so. */
import { describe, expect, it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { certificateAuthority } from '../fakes/certificate-authority.ts'
import { startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { run } from './command.ts'
import { openProven, report } from './proven-house.ts'
import { openProxyHouse } from './proxy-house.ts'
import { create, createActive, openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { byTier } from '../kit/tier.ts'

const APP = 'app.example.com'
const THEIRS = {
  http: {
    routers: {
      theirs: {
        service: 'theirs',
        entryPoints: ['websecure'],
        tls: {},
        priority: 5000,
        rule: `Host(\`${APP}\`)`,
      },
    },
    services: { theirs: { loadBalancer: { servers: [{ url: 'http://10.9.9.9:80' }] } } },
  },
}

describe('somebody else is asked first', () => {
  itOneIn(4).each(['activate', 'deploy', 'deploy-all', 'deploy-proxy'])(
    'is told by the answer of %s',
    async (what) => {
      await using at = await openProxyHouse({ env: { PLUMBLINE_MODE: 'observe' } })
      const id = await (what === 'activate' ? create(at.call) : createActive(at.call))
      at.traefik.provide('docker', THEIRS)
      await at.lookAnew()
      const path = what.startsWith('deploy-') ? `/api/${what}` : `/api/domains/${id}/${what}`
      const { status, body } = await at.call('POST', path)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: false,
        loaded: true,
        rejected: [],
        shadowed: [{ domain_id: id, domain: APP, item: `http.routers.plumbline-site_${APP}` }],
      })
      expect(JSON.stringify(body['warnings'])).toContain('theirs@docker')
    },
  )

  itInDepth('and the deploy of another domain is well', async () => {
    await using at = await openProxyHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    await createActive(at.call)
    const other = await create(at.call, { domain: 'other.example.com' })
    at.traefik.provide('docker', THEIRS)
    await at.lookAnew()
    const { body } = await at.call('POST', `/api/domains/${other}/activate`)
    expect(body).toMatchObject({ success: true, shadowed: [], warnings: [] })
  })

  itOneIn(2).each([false, true])(
    'has a name that all share: the check before them (deploy-all: %s)',
    async (whole) => {
      await using at = await openProxyHouse({ env: { PLUMBLINE_MODE: 'observe' } })
      const folder = dirname(at.house.routes_path)
      at.traefik.follow(folder)
      const id = await createActive(at.call)
      const middlewares = { 'plumbline-sso': { forwardAuth: { address: 'http://10.9.9.9/yes' } } }
      writeFileSync(join(folder, 'a.yml'), JSON.stringify({ http: { middlewares } }))
      await at.lookAnew()
      const { body } = await at.call('POST', whole ? '/api/deploy-all' : `/api/domains/${id}/deploy`)
      expect(body).toMatchObject({
        success: false,
        shadowed: [{ domain_id: null, domain: null, item: 'http.middlewares.plumbline-sso' }],
      })
      expect(JSON.stringify(body['warnings'])).toContain('a.yml')
    },
  )

  itInDepth('makes the command exit with 1', async () => {
    await using at = await openProxyHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    await createActive(at.call)
    at.traefik.provide('docker', THEIRS)
    await at.lookAnew()
    const env = {
      PLUMBLINE_DATA_DIR: at.directory,
      PLUMBLINE_TRAEFIK_API: at.traefik.origin,
      PLUMBLINE_DNS_PROVIDER: 'none',
    }
    const ran = await run(['deploy', APP], env)
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.err).toContain('theirs@docker')
  })
})

itInDepth('the default certificate is on the wire, as was seen last', async () => {
  const authority = certificateAuthority()
  const own = authority.issue({ names: [APP] })
  authority.close()
  const traefik = await startFakeTraefik()
  const give = (...issued: readonly (typeof own)[]) =>
    traefik.provide('docker', {
      tls: { certificates: issued.map(({ cert, key }) => ({ certFile: cert, keyFile: key })) },
    })
  give(own)
  const at = await openTestHouse({
    wrap: {},
    env: { PLUMBLINE_MODE: 'observe', PLUMBLINE_TLS_ADDRESS: traefik.address('websecure') },
  })
  try {
    traefik.follow(at.house.routes_path)
    const id = await createActive(at.call)
    give()
    const drift = async () => (await at.call('GET', '/api/certificates')).body['drift']
    await expect.poll(drift, { timeout: 30_000 }).toBe(true)
    const { body } = await at.call('POST', `/api/domains/${id}/deploy`)
    expect(body['success']).toBe(true)
    expect(JSON.stringify(body['warnings'])).toContain(`TRAEFIK DEFAULT CERT), not for ${APP}`)
  } finally {
    await at[Symbol.asyncDispose]()
    await traefik.stop()
  }
})

itInDepth('a refused file of the folder, also where there is nothing to write', async () => {
  await using at = await openProxyHouse()
  const folder = dirname(at.house.routes_path)
  at.traefik.follow(folder)
  const id = await createActive(at.call)
  writeFileSync(join(folder, 'bad.yml'), 'http: {}\n')
  await at.lookAnew()
  const { body } = await at.call('POST', `/api/domains/${id}/deploy`)
  expect(JSON.stringify(body['warnings'])).toContain('bad.yml')
})

// With the API it takes two looks, seconds apart, before it is sure.
describe.each(byTier([false], [true, false]))(
  'a route that stands open, with the API of the proxy: %s',
  (api) => {
    it('is told by its deploy, by explain and by who may open it', async () => {
      await using proven = await openProven({ api })
      const { at, proxy, look } = proven
      const id = await createActive(at.call)
      proxy.forgotten.add(`plumbline-site_${APP}`)
      for (let i = 0; i < 5; i++) await look()
      expect(await report(at)).toMatchObject({ ok: false, open_route: [{ domain: APP }] })
      const { body } = await at.call('POST', `/api/domains/${id}/deploy`)
      expect(JSON.stringify(body['warnings'])).toContain(`${APP} answers without signing in`)
      const explained = (await at.call('GET', `/api/domains/${id}/explain`)).body
      expect(explained['summary']).toContain('answers without signing in')
      const [worst] = explained['sign_in'] as unknown as readonly object[]
      expect(worst).toMatchObject({ list: 'open_route', cause: 'answers_without_sign_in' })
      const access = (await at.call('GET', `/api/access?host=${APP}`)).body
      expect(access['entries']).toMatchObject([{ username: null, can_open: true }])
      expect(JSON.stringify(access)).toContain('It stands open all the same')
    })
  },
)

itInDepth('a router that takes a part of a protected host and asks nobody is told by explain', async () => {
  await using at = await openProxyHouse({ env: { PLUMBLINE_MODE: 'observe' } })
  const id = await createActive(at.call)
  const { theirs } = THEIRS.http.routers
  const rule = `${theirs.rule} && PathPrefix(\`/admin\`)`
  at.traefik.provide('docker', { http: { ...THEIRS.http, routers: { theirs: { ...theirs, rule } } } })
  await at.lookAnew()
  const { body } = await at.call('GET', `/api/domains/${id}/explain`)
  expect(body['sign_in']).toMatchObject([{ list: 'missing_middleware' }])
  expect(body['summary']).not.toContain('everywhere')
})

itInDepth('what is saved and not deployed is not called released', async () => {
  await using at = await openProxyHouse({ env: { PLUMBLINE_MODE: 'observe' } })
  const id = await createActive(at.call)
  at.traefik.provide('docker', THEIRS)
  await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'new.example.com' } })
  await at.lookAnew()
  const { body } = await at.call('GET', `/api/domains/${id}/explain`)
  expect(body['summary']).toContain(`${APP} is what was released`)
})
