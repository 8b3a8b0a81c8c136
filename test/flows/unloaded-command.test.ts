/** Every verb that deploys exits 1 where the proxy has not loaded what was written, and no headline calls it deployed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { ESTATE, run } from './command.ts'
import { hurriedClock, openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { APP, create, createActive } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let folder: string
beforeAll(() => void (folder = newFolder('unloaded')))

/** In observe mode nothing goes back by itself, so that the call ends well and the file is not loaded. */
async function refusing(): Promise<ProxyHouse> {
  const at = await openProxyHouse({ clock: hurriedClock(), env: { PLUMBLINE_MODE: 'observe' } })
  await createActive(at.call, { domain: 'good.example.com' })
  at.traefik.refuse((text) => text.includes('app.example.com') || !text.includes('good.example.com'))
  return at
}

const envOf = ({ directory }: ProxyHouse) => ({ PLUMBLINE_DATA_DIR: directory })

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const HAND_WRITTEN = JSON.stringify({
  http: {
    routers: {
      app: { rule: 'Host(`app.example.com`)', service: 'app', entryPoints: ['websecure'], tls: {} },
    },
    services: { app: { loadBalancer: { servers: [{ url: 'http://10.0.0.8:2368' }] } } },
  },
})

type Way = (at: ProxyHouse) => Promise<readonly string[]>

const WAYS: readonly (readonly [string, Way])[] = [
  [
    'deploy DOMAIN',
    async (at) => {
      const id = await create(at.call)
      await at.call('POST', `/api/domains/${id}/activate`)
      return ['deploy', 'app.example.com']
    },
  ],
  [
    'apply PLAN',
    async (at) => {
      const id = await create(at.call)
      await at.call('POST', `/api/domains/${id}/activate`)
      await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
      const { body } = await at.call('POST', '/api/plans', { body: {} })
      return ['apply', String(body['id'])]
    },
  ],
  ['import FILE', () => Promise.resolve(['import', fileOf('estate.yml', ESTATE)])],
  [
    'import traefik --activate',
    () => Promise.resolve(['import', 'traefik', fileOf('hand.yml', HAND_WRITTEN), '--activate']),
  ],
]

itOneIn(2).each(WAYS)('%s', async (_, way) => {
  await using at = await refusing()
  const ran = await run([...(await way(at)), '--json'], envOf(at))
  expect(ran.err + ran.out).toContain('"loaded": false')
  expect(ran.code, ran.err + ran.out).toBe(1)
})

it.each(['activate', 'deploy'])('%s does not say that it is deployed', async (verb) => {
  await using at = await refusing()
  const id = await create(at.call)
  await at.call('POST', `/api/domains/${id}/activate`)
  const { body } = await at.call('POST', `/api/domains/${id}/${verb}`)
  expect(body).toMatchObject({ loaded: false })
  expect(body['message']).toBe(
    'app.example.com is saved and written, and the proxy has not loaded it: it goes on with what it had before. See the warnings.',
  )
})

itInDepth('neither does a deploy of several, or an estate', async () => {
  await using at = await refusing()
  const estate = await at.call('POST', '/api/estate', { body: { domains: [{ ...APP, status: 'active' }] } })
  expect(estate.body).toMatchObject({ loaded: false })
  expect(estate.body['message']).toMatch(/; the proxy has not loaded it: see the warnings\.$/)
  const all = await at.call('POST', '/api/deploy-all')
  expect(all.body).toMatchObject({ loaded: false })
  expect(all.body['message']).toMatch(/; the proxy has not loaded it: see the warnings\.$/)
})
