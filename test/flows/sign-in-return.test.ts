/** Coming back from the sign-in page, over a whole house: pages open from anywhere, and nothing else does. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itOneIn } from '../kit/in-depth.ts'

const PROXY = '10.9.9.9'
const SECRET = 'the-secret-of-the-proxy-0123456789'

let at: TestHouse

beforeEach(async () => {
  at = await openTestHouse({
    env: {
      PLUMBLINE_TRUSTED_PROXIES: PROXY,
      PLUMBLINE_PROXY_SECRET: SECRET,
      PLUMBLINE_ALLOWED_HOSTS: 'plumbline.example.com',
    },
  })
})
afterEach(() => at[Symbol.asyncDispose]())

/** What Chromium sends with a link, a redirect or a typed address. */
const navigation = (site: string, dest = 'document', mode = 'navigate') => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
})
const person = {
  host: 'plumbline.example.com',
  'x-forwarded-for': '203.0.113.7',
  'x-plumbline-proxy-secret': SECRET,
  'remote-user': 'ana',
}
const visit = async (path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
  (await at.call(method, path, { key: null, peer: PROXY, headers: { ...person, ...headers } })).status

const PAGES = ['/docs', '/openapi.json', '/network']
/** All that a page of a foreign site could make a browser ask for. */
const OTHERS = ['/docs/start.js', '/metrics', '/api/ssh-clients', '/api/metrics-targets']

itOneIn(2).each(['same-site', 'cross-site', 'none', 'same-origin'])(
  'a page opens in a tab, coming from %s',
  async (site) => {
    for (const path of PAGES) expect([path, await visit(path, navigation(site))]).toEqual([path, 200])
    expect(await visit('/docs/', navigation(site))).toBe(308)
  },
)

it.each(['same-site', 'cross-site'])('nothing else does, coming from %s', async (site) => {
  for (const path of OTHERS) expect([path, await visit(path, navigation(site))]).toEqual([path, 403])
  for (const path of PAGES) {
    for (const dest of ['iframe', 'frame', 'embed', 'object', 'image', 'script', 'empty', ''])
      expect([path, dest, await visit(path, navigation(site, dest))]).toEqual([path, dest, 403])
    for (const mode of ['no-cors', 'cors', 'websocket', ''])
      expect([path, mode, await visit(path, navigation(site, 'document', mode))]).toEqual([path, mode, 403])
    expect(await visit(path, { 'sec-fetch-site': site })).toBe(403)
  }
  expect(await visit('/api/deploy-proxy', navigation(site), 'POST')).toBe(403)
})

it('whoever comes so needs the right to the page as ever', async () => {
  const headers = { ...navigation('cross-site'), host: 'plumbline.example.com' }
  const stranger = await at.call('GET', '/network', { key: null, peer: '203.0.113.7', headers })
  expect(stranger.body['code']).toBe('network_not_trusted')
})
