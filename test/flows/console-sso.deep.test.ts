/**
 * Somebody signs in at a sign-in page of a sibling name, through a real proxy, with a real browser: what comes back is the page that
 * was asked for, and what they may do is what their groups say.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { readHolder } from '../../src/store/files/lock.ts'
import { BROWSER_PROGRAMS, startBrowser } from '../peers/browser.ts'
import { NGINX_PROGRAMS, startNginx } from '../peers/nginx.ts'
import { describePeers } from '../peers/peers.ts'
import { openTestHouse } from './test-house.ts'

const HOST = 'plumbline.home.test'
const SIGN_IN = 'sso.home.test'
const SECRET = 'the-secret-of-the-proxy-0123456789'
const GROUPS: Readonly<Record<string, string>> = {
  ana: 'staff,admins',
  ben: 'staff',
  cleo: 'guests',
  dora: '',
}

/** As forward-auth pages do: a cookie of the common domain says who has signed in, and `rd` where they wanted to. */
async function openSignIn() {
  const server = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://sign-in')
    const [, who] = /(?:^|; )who=(\w+)/.exec(request.headers.cookie ?? '') ?? []
    if (pathname === '/verify') {
      const known = who !== undefined && who in GROUPS
      response.writeHead(known ? 200 : 401, known ? { 'Remote-User': who, 'Remote-Groups': GROUPS[who] } : {})
      response.end()
    } else if (request.method === 'POST') {
      response.writeHead(303, {
        Location: searchParams.get('rd') ?? '/',
        'Set-Cookie': `who=${searchParams.get('who')}; Domain=home.test; Path=/; Secure; HttpOnly; SameSite=Lax`,
      })
      response.end()
    } else {
      const rd = encodeURIComponent(searchParams.get('rd') ?? '')
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end(
        Object.keys(GROUPS)
          .map(
            (name) =>
              `<form method="post" action="/?who=${name}&amp;rd=${rd}"><button>${name}</button></form>`,
          )
          .join(''),
      )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    upstream: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describePeers([...BROWSER_PROGRAMS, ...NGINX_PROGRAMS], 'a sign-in through nginx', () => {
  it('signing in ends on the page that was asked for, and groups say what may be done', async () => {
    await using sign_in = await openSignIn()
    await using at = await openTestHouse({
      env: {
        PLUMBLINE_PUBLIC_URL: `https://${HOST}`,
        PLUMBLINE_TRUSTED_PROXIES: '127.0.0.1',
        PLUMBLINE_PROXY_SECRET: SECRET,
        PLUMBLINE_SSO_CHANGE_GROUPS: 'admins',
        PLUMBLINE_SSO_READ_GROUPS: 'staff',
        // The address of people, not that at which the proxy asks.
        PLUMBLINE_SSO_PORTAL_URL: `https://${SIGN_IN}`,
      },
    })
    const upstream = new URL(readHolder(at.directory)!.listen!).host
    const nginx = await startNginx({
      host: HOST,
      upstream,
      secret: SECRET,
      sign_in: { upstream: sign_in.upstream, host: SIGN_IN },
    })
    const browser = await startBrowser({ hosts: { '*.home.test': '127.0.0.1', 'evil.test': '127.0.0.1' } })
    try {
      const base = `https://${HOST}:${nginx.port}`
      const asked = `${base}/domains?q=is:drift`
      const signedIn = async (who: string) => {
        const context = await browser.newContext({ ignoreHTTPSErrors: true })
        const page = await context.newPage()
        const documents: number[] = []
        page.on('response', (response) => {
          const is_ours = new URL(response.url()).hostname === HOST
          if (is_ours && response.request().isNavigationRequest()) documents.push(response.status())
        })
        await page.goto(asked)
        expect(new URL(page.url()).hostname).toBe(SIGN_IN)
        await page.click(`text=${who}`)
        await page.waitForURL(({ hostname }) => hostname === HOST)
        expect(new URL(page.url())).toMatchObject({ pathname: '/domains', search: '?q=is:drift' })
        expect(documents.at(-1)).toBe(200)
        expect(await page.locator('#console').count()).toBe(1)
        const call = async (method: string, path: string, body?: unknown) => {
          const sent = {
            method,
            ...(body !== undefined && {
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          }
          return page.evaluate<{ status: number; body: Record<string, unknown> }>(
            `fetch(${JSON.stringify(path)}, ${JSON.stringify(sent)}).then(async (got) => ({ status: got.status, body: await got.json() }))`,
          )
        }
        return { context, page, call }
      }
      const made = { domain: 'app.example.com', service_type: 'manual', environment: 'production' }

      const ana = await signedIn('ana')
      expect(await ana.call('GET', '/api/session')).toMatchObject({
        status: 200,
        body: {
          actor: 'sso:ana',
          way: 'sso',
          may: 'change',
          groups: ['staff', 'admins'],
          sign_out: `https://${SIGN_IN}/logout`,
        },
      })
      expect((await ana.call('POST', '/api/domains', made)).status).toBe(201)
      expect((await ana.call('POST', '/api/session', { key: at.house.key.reveal() })).body['code']).toBe(
        'sign_in_closed',
      )

      const ben = await signedIn('ben')
      expect((await ben.call('GET', '/api/session')).body).toMatchObject({ may: 'read', groups: ['staff'] })
      expect((await ben.call('GET', '/api/domains')).status).toBe(200)
      expect((await ben.call('POST', '/api/plans', {})).status).toBe(201)
      const refused = await ben.call('POST', '/api/domains', { ...made, domain: 'b.example.com' })
      expect(refused).toMatchObject({ status: 403, body: { code: 'group_not_allowed' } })
      expect(refused.body['detail']).toContain('PLUMBLINE_SSO_CHANGE_GROUPS')

      for (const who of ['cleo', 'dora']) {
        const guest = await signedIn(who)
        for (const path of ['/api/session', '/api/domains', '/network'])
          expect(await guest.call('GET', path), `${who} ${path}`).toMatchObject({
            status: 403,
            body: { code: 'group_not_allowed' },
          })
      }

      // Another site has ana's browser, and with it her sign-in, as far as browsers lend it.
      const { page, context } = ana
      const foreign: string[] = []
      page.on('response', (response) => {
        if (new URL(response.url()).hostname === HOST)
          foreign.push(`${response.request().method()} ${response.status()}`)
      })
      await context.route('https://evil.test/**', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<iframe src="${base}/"></iframe><form method="post" action="${base}/api/deploy-all"><button>go</button></form>`,
        }),
      )
      await page.goto('https://evil.test/')
      const thrown = await page.evaluate(
        `fetch('${base}/api/domains', { credentials: 'include' }).then((got) => got.text(), String)`,
      )
      expect(thrown).toContain('TypeError')
      await page.evaluate(
        `fetch('${base}/api/deploy-all', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then(() => 0, String)`,
      )
      expect(page.frames()[1]?.url()).not.toBe(`${base}/`)
      await page.click('text=go')
      await page.waitForLoadState()
      expect(foreign.filter((line) => !/^(?:GET|POST) (?:302|403)$/.test(line))).toEqual([])
      expect((await at.call('GET', '/api/domains')).body).toHaveLength(1)
      expect(JSON.stringify((await at.call('GET', '/api/audit')).body)).not.toContain('deploy')
    } finally {
      await browser.close()
      await nginx.stop()
    }
  })
})
