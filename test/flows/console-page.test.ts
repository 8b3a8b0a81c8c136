/** The console's page and its files: who gets them, with which headers, and what its browser keeps. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetch } from 'undici'
import { expect, it } from 'vitest'
import { BROWSER_PROGRAMS, complaintsOf, startBrowser } from '../peers/browser.ts'
import { describePeersInDepth } from '../peers/peers.ts'
import { readHolder } from '../../src/store/files/lock.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const STRANGER = '203.0.113.9'
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
const NAVIGATION = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const ADDRESSES = [
  '/?x=1&x=2',
  '/start',
  '/domains?q=tag%3Amedia+is:drift&sort=name',
  '/domains/new',
  '/domains/*.home.example',
  '/domains/app.example.com/history?a=1',
  '/drift',
  '/changes?a=214&b=213',
  '/dns',
  '/certificates',
  '/access',
  '/people',
  '/ddns',
  '/ssh',
  '/edges',
  '/map',
  '/lan',
  '/discover',
  '/inventory',
  '/vpn',
  '/system',
]

const stranger =
  (at: TestHouse) =>
  (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    at.call(method, path, { key: null, peer: STRANGER, headers })

const textOf = ({ body }: { readonly body: unknown }): string => body as string

it('the page is open and empty under each address, and its files never change', async () => {
  await using at = await openTestHouse()
  const ask = stranger(at)
  const first = await ask('GET', '/')
  const html = textOf(first)
  expect(first.status).toBe(200)
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringMatching(/^clipboard-write=\(self\), accelerometer=\(\), /),
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
  })
  expect(first.headers.has('access-control-allow-origin')).toBe(false)
  expect(html).toContain('<div id="console"></div>')
  expect(html).toContain('<link rel="preload" as="fetch" href="/api/overview" crossorigin>')
  expect(html).not.toMatch(/style=|<style|<script(?![^>]* src=)| on\w+=|https?:/)
  for (const path of ADDRESSES) {
    const answer = await ask('GET', path, NAVIGATION)
    expect([path, answer.status]).toEqual([path, 200])
    expect(textOf(answer)).toContain('<div id="console"></div>')
  }
  const etag = first.headers.get('etag')!
  expect(await ask('GET', '/', { 'if-none-match': etag })).toMatchObject({ status: 304, body: '' })
  expect((await ask('GET', '/', { 'if-none-match': '"other"' })).status).toBe(200)
  expect(await ask('HEAD', '/')).toMatchObject({ status: 200, body: '' })

  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  expect(files.map((path) => path.replace(/-\w+\./, '.'))).toEqual([
    '/assets/icon.svg',
    '/assets/main.css',
    '/assets/chunk.js',
  ])
  for (const path of files) {
    const answer = await ask('GET', path, { 'sec-fetch-site': 'same-origin' })
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-security-policy')).toBe(POLICY)
    expect(answer.headers.get('content-type')).toMatch(
      /^(image\/svg\+xml|text\/(css|javascript); charset=utf-8)$/,
    )
  }
  for (const [what, headers] of [
    ['a frame', { ...NAVIGATION, 'sec-fetch-dest': 'iframe' }],
    ['an object', { ...NAVIGATION, 'sec-fetch-dest': 'object' }],
    ['an embed', { ...NAVIGATION, 'sec-fetch-dest': 'embed' }],
    ['a fetch', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' }],
  ] as const)
    expect((await ask('GET', '/', headers)).status, what).toBe(403)
  expect((await ask('GET', files[2]!, NAVIGATION)).status).toBe(403)
  for (const path of ['/assets/main.js', '/assets/..%2fpackage.json', '/assets/', '/assets', '/index.html'])
    expect([400, 404], path).toContain((await ask('GET', path)).status)
  expect((await ask('POST', '/')).status).toBe(405)
})

describePeersInDepth(BROWSER_PROGRAMS, 'Debian’s Chromium', () => {
  it('a link from elsewhere comes without the cookie, and the page’s own calls have it', async () => {
    await using at = await openTestHouse()
    const base = readHolder(at.directory)!.listen!
    const browser = await startBrowser({ hosts: { 'mail.test': '127.0.0.1' } })
    try {
      const context = await browser.newContext()
      const page = await context.newPage()
      const complaints = complaintsOf(page)
      const sent: (readonly [path: string, has_cookie: boolean])[] = []
      page.on('request', (request) => {
        void request.allHeaders().then((headers) => {
          const { pathname } = new URL(request.url())
          sent.push([pathname, headers['cookie'] !== undefined])
        })
      })
      await page.goto(`${base}/`)
      const code = String((await at.call('POST', '/api/session/code')).body['code'])
      const posts = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      }
      const status = await page.evaluate(
        `fetch('/api/session', ${JSON.stringify(posts)}).then((got) => got.status)`,
      )
      expect(status).toBe(201)
      const [cookie] = await context.cookies()
      expect(cookie).toMatchObject({ name: 'plumbline', httpOnly: true, sameSite: 'Strict', path: '/' })
      expect(await page.evaluate('document.cookie')).toBe('')

      // Somebody follows a link on a page of another site.
      await page.route('http://mail.test/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: `<a href="${base}/drift">drift</a>` }),
      )
      await page.goto('http://mail.test/')
      sent.length = 0
      await page.click('a')
      await page.waitForURL(`${base}/drift`)
      const who = await page.evaluate(`fetch('/api/domains').then((got) => got.status)`)
      expect(who).toBe(200)
      await expect.poll(() => sent).toContainEqual(['/drift', false])
      await expect.poll(() => sent).toContainEqual(['/api/domains', true])
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  })

  it('what runs on another port of the host gets the cookie, and changes nothing with it', async () => {
    await using at = await openTestHouse()
    const base = readHolder(at.directory)!.listen!
    const got: string[] = []
    await using neighbour = await startNeighbour((cookie) => got.push(cookie))
    const browser = await startBrowser()
    try {
      const page = await (await browser.newContext()).newPage()
      const code = String((await at.call('POST', '/api/session/code')).body['code'])
      await page.goto(`${base}/#k=${code}`)
      const signOut = page.getByRole('button', { name: 'Sign out' })
      await signOut.waitFor()
      await page.goto(neighbour.base)
      expect(await page.evaluate('JSON.stringify(localStorage)')).toBe('{}')
      const cookie = got.find((one) => one.startsWith('plumbline='))!
      const call = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
        fetch(`${base}${path}`, {
          method,
          headers: { cookie, origin: base, 'content-type': 'application/json', ...headers },
          ...(method === 'POST' && { body: JSON.stringify({ name: 'stays' }) }),
        })
      expect((await call('GET', '/api/domains')).status).toBe(200)
      for (const headers of [{}, { 'X-Plumbline-Session-Secret': cookie.split('=')[1]! }]) {
        const answer = await call('POST', '/api/keys', headers)
        expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
          403,
          'session_not_proven',
        ])
      }
      // The page itself goes on, as does another tab; where its secret was cleared away it signs in anew.
      await page.goto(base)
      await signOut.waitFor()
      await page.evaluate("localStorage.removeItem('plumbline.session-secret')")
      await page.reload()
      await page.getByLabel('API key').fill(at.house.key.reveal())
      await page.keyboard.press('Enter')
      await signOut.click()
      await page.getByLabel('API key').waitFor()
      // The end of the stream may bring the sign-in before the answer of the sign-out does.
      await expect.poll(() => page.evaluate("localStorage.getItem('plumbline.session-secret')")).toBe(null)
      expect((await at.call('GET', '/api/keys')).body).toHaveLength(1)
    } finally {
      await browser.close()
    }
  })

  it('a link signs in, also on plain http by a name, where browsers tell less of who asks', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_ALLOWED_HOSTS: 'lan.test' } })
    const { port } = new URL(readHolder(at.directory)!.listen!)
    const base = `http://lan.test:${port}`
    const browser = await startBrowser({ hosts: { 'lan.test': '127.0.0.1', 'evil.test': '127.0.0.1' } })
    try {
      const page = await (await browser.newContext()).newPage()
      const code = String((await at.call('POST', '/api/session/code')).body['code'])
      await page.goto(`${base}/#k=${code}`)
      expect(await page.evaluate('isSecureContext')).toBe(false)
      await expect.poll(async () => (await at.call('GET', '/api/sessions')).body).toHaveLength(1)
      const made = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }
      await page.getByRole('navigation', { name: 'Where you are' }).waitFor()
      const secret = String(await page.evaluate("localStorage.getItem('plumbline.session-secret')"))
      const posted = (headers: Readonly<Record<string, string>>) => {
        const posts = {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(made),
        }
        return page.evaluate(`fetch('/api/domains', ${JSON.stringify(posts)}).then((got) => got.status)`)
      }
      expect(await posted({})).toBe(403)
      expect(await posted({ 'X-Plumbline-Session-Secret': secret })).toBe(201)

      await page.route('http://evil.test/**', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<iframe src="${base}/"></iframe><form method="post" action="${base}/api/domains/1"><button>go</button></form>`,
        }),
      )
      await page.goto('http://evil.test/')
      const fetched = `fetch('${base}/api/domains', { credentials: 'include' }).then((got) => got.text(), String)`
      expect(await page.evaluate(fetched)).toContain('TypeError')
      for (const sent of ["method: 'POST'", "method: 'POST', body: '{}'"])
        await page.evaluate(
          `fetch('${base}/api/deploy-all', { ${sent}, mode: 'no-cors', credentials: 'include' }).then(() => 0, String)`,
        )
      await page.click('text=go')
      await page.waitForLoadState()
      const trail = (await at.call('GET', '/api/audit')).body as unknown as { readonly action: string }[]
      expect(trail.map(({ action }) => action)).toEqual(['create', 'sign_in'])
    } finally {
      await browser.close()
    }
  })
})

/** Another program on this host, which is told the cookies that it gets. */
async function startNeighbour(heard: (cookie: string) => void) {
  const server = createServer((request, response) => {
    heard(request.headers.cookie ?? '')
    response.setHeader('content-type', 'text/html').end('<p>hello</p>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
