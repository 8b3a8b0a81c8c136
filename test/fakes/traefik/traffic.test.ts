/** What requests meet on their way: paths, middlewares and headers (§4, §11, §13). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { atTraefik, type AtTraefik, serve } from './at-traefik.ts'

describe('§13 what reaches the backend', () => {
  it.each([
    ['an encoded slash', '/a%2Fb', '/a%2Fb'],
    ['an encoded question mark', '/healthz%3Fx', '/healthz%3Fx'],
    ['encoded dots', '/admin/%2e%2e%2fpublic/x', '/admin/%2e%2e%2fpublic/x'],
    ['dots before an encoded slash', '/admin/..%2fpublic/x', '/admin/..%2fpublic/x'],
    ['§11 dots as they are', '/public/../admin/?x=..', '/admin/?x=..'],
    ['§11 double slashes', '//a///b', '/a/b'],
  ])('%s', async (_what, path, url) => {
    await using at = await atTraefik()
    serve(at, {})
    expect((await at.get({ path })).seen?.url).toBe(url)
  })

  it('a stranger’s identity passes where nothing asks for it, with hyphens and with underscores', async () => {
    await using at = await atTraefik()
    serve(at, {})
    const { seen } = await at.get({ headers: { 'Remote-User': 'ana', Remote_User: 'ana' } })
    expect(seen?.headers).toMatchObject({ 'remote-user': 'ana', remote_user: 'ana' })
  })

  it('words of proxies count only from those whom the entry point trusts', async () => {
    const forged = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Host': 'evil.example' }
    await using at = await atTraefik()
    serve(at, {})
    expect((await at.get({ headers: forged })).seen?.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'a.example',
      'x-forwarded-proto': 'http',
    })
    await using trusting = await atTraefik({
      entrypoints: [{ name: 'web', address: ':80', forwardedHeaders: { trustedIPs: ['127.0.0.0/8'] } }],
    })
    serve(trusting, {})
    expect((await trusting.get({ headers: forged })).seen?.headers).toMatchObject({
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-host': 'evil.example',
    })
  })
})

describe('§4 forwardAuth', () => {
  /** A provider that lets in whom the header names. */
  async function withProvider(at: AtTraefik, more: object = {}) {
    const asked: Record<string, string>[] = []
    const provider = createServer((request, response) => {
      asked.push(request.headers as Record<string, string>)
      if (request.headers['x-who'] === undefined)
        return void response
          .writeHead(302, { location: 'https://auth.example/', 'x-of-provider': '1' })
          .end('no')
      response.writeHead(200, { 'remote-user': String(request.headers['x-who']) }).end()
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/check`
    const config = {
      address,
      trustForwardHeader: true,
      authResponseHeaders: ['Remote-User', 'Remote-Groups'],
      ...more,
    }
    serve(at, { sso: { forwardAuth: config } })
    return { asked, stop: () => new Promise((resolve) => provider.close(resolve)) }
  }

  it('§13 sends the raw path, removes and sets only the names that it knows', async () => {
    await using at = await atTraefik()
    const { asked, stop } = await withProvider(at)
    const headers = { 'x-who': 'ana', 'remote-groups': 'admins', 'remote-name': 'Eve' }
    const { seen } = await at.get({ path: '/a%2Fb?x=1', headers })
    expect(asked[0]).toMatchObject({
      'x-forwarded-uri': '/a%2Fb?x=1',
      'x-forwarded-method': 'GET',
      'x-forwarded-host': 'a.example',
      'x-forwarded-proto': 'http',
    })
    expect(seen?.headers['remote-user']).toBe('ana')
    expect(seen?.headers).not.toHaveProperty('remote-groups')
    expect(seen?.headers['remote-name']).toBe('Eve')
    await stop()
  })

  it('copies any other answer, and fails closed where nobody answers', async () => {
    await using at = await atTraefik()
    const { stop } = await withProvider(at)
    const refused = {
      status: 302,
      headers: { location: 'https://auth.example/', 'x-of-provider': '1' },
      text: 'no',
    }
    expect(await at.get()).toMatchObject({ ...refused, seen: null })
    await stop()
    expect(await at.get({ headers: { 'x-who': 'ana' } })).toMatchObject({ status: 500, seen: null })
  })

  it('an answer above the limit is 401', async () => {
    await using at = await atTraefik()
    const { stop } = await withProvider(at, { maxResponseBodySize: 1 })
    expect((await at.get()).status).toBe(401)
    await stop()
  })
})

describe('§4 other middlewares', () => {
  it('ipAllowList sees the address of the connection, whatever headers say', async () => {
    await using at = await atTraefik()
    serve(at, { lan: { ipAllowList: { sourceRange: ['127.0.0.0/8'] } } })
    expect((await at.get()).status).toBe(200)
    at.traefik.client_address = '203.0.113.7'
    expect((await at.get({ headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(403)
  })

  it('basicAuth takes what htpasswd and openssl write', async () => {
    await using at = await atTraefik()
    const hash = execFileSync('openssl', ['passwd', '-apr1', '-salt', 'abcdefgh', 'sesame']).toString().trim()
    const users = at.write('users', `# people\nana:${hash}\n`)
    serve(at, {
      login: {
        basicAuth: { usersFile: users, users: ['bob:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='], removeHeader: true },
      },
    })
    const as = (pair: string) =>
      at.get({ headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } })
    expect(await at.get()).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="traefik"' },
    })
    expect((await as('ana:sesame')).seen?.headers).not.toHaveProperty('authorization')
    expect((await as('bob:password')).status).toBe(200)
    expect((await as('ana:password')).status).toBe(401)
  })

  it('custom headers replace, and an empty value takes away; HSTS is said over TLS alone', async () => {
    await using at = await atTraefik()
    const headers = {
      customRequestHeaders: { 'X-A': 'ours', 'X-B': '' },
      customResponseHeaders: { 'X-Backend': 'yes', 'X-C': 'c' },
      stsSeconds: 60,
    }
    serve(at, { h: { headers } })
    const { seen, headers: answered } = await at.get({ headers: { 'x-a': 'theirs', 'x-b': 'theirs' } })
    expect(seen?.headers).toMatchObject({ 'x-a': 'ours' })
    expect(seen?.headers).not.toHaveProperty('x-b')
    expect(answered).toMatchObject({ 'x-c': 'c' })
    expect(answered).not.toHaveProperty('strict-transport-security')
    serve(at, { h: { headers } }, { entryPoints: ['websecure'], tls: {} })
    expect((await at.get({ entrypoint: 'websecure' })).headers['strict-transport-security']).toBe(
      'max-age=60',
    )
  })

  it('a preflight is answered before everything behind, also for an origin that does not match', async () => {
    await using at = await atTraefik()
    serve(at, {
      cors: {
        headers: {
          accessControlAllowOriginList: ['https://app.example'],
          accessControlAllowMethods: ['GET'],
        },
      },
      lan: { ipAllowList: { sourceRange: ['10.0.0.0/8'] } },
    })
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    const { status, headers } = await at.get({ method: 'OPTIONS', headers: preflight })
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect((await at.get({ headers: { origin: 'https://app.example' } })).status).toBe(403)
  })

  it.each([
    ['addPrefix', { prefix: '/x' }, '/a?q', '/x/a?q'],
    ['stripPrefix', { prefixes: ['/api'] }, '/api/a', '/a'],
    ['stripPrefixRegex', { regex: ['/v[0-9]+'] }, '/v12/a', '/a'],
    ['replacePath', { path: '/b' }, '/a?q', '/b?q'],
    ['replacePathRegex', { regex: '^/a/(.*)', replacement: '/b/$1' }, '/a/c', '/b/c'],
  ])('%s', async (type, config, path, url) => {
    await using at = await atTraefik()
    serve(at, { m: { [type]: config } })
    expect((await at.get({ path })).seen?.url).toBe(url)
  })

  it('redirectRegex sees the full URL, and passes what does not match', async () => {
    await using at = await atTraefik()
    serve(at, { home: { redirectRegex: { regex: '^(https?://a[.]example)/$', replacement: '$1/welcome' } } })
    expect(await at.get()).toMatchObject({ status: 302, headers: { location: 'http://a.example/welcome' } })
    expect((await at.get({ path: '/x' })).status).toBe(200)
  })

  it('§13 the https redirect goes to port 443 unless the middleware says another', async () => {
    await using at = await atTraefik()
    serve(at, { away: { redirectScheme: { scheme: 'https', permanent: true } } })
    expect(await at.get({ host: 'a.example:8080' })).toMatchObject({
      status: 301,
      headers: { location: 'https://a.example/' },
    })
    expect((await at.get({ method: 'POST' })).status).toBe(308)
    serve(at, { away: { redirectScheme: { scheme: 'https', port: '8443' } } })
    expect((await at.get()).headers['location']).toBe('https://a.example:8443/')
  })
})
