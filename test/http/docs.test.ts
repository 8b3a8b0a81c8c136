/** The documentation page: our own files only, nothing inline, nothing but the files. */
import { describe, expect, test } from 'vitest'
import { appOf, ask, withSystem } from './support.ts'

const app = appOf(withSystem([]))

const sourcesIn = (page: string) => [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source!)

describe('the page', () => {
  test('has no inline script or style and names only files that are served', async () => {
    const page = await (await ask(app, '/docs')).text()
    expect(page).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/)
    const files = sourcesIn(page).filter((source) => !source.startsWith('data:'))
    expect(files).toHaveLength(3)
    for (const file of files) expect((await ask(app, `/${file}`)).status, file).toBe(200)
  })

  test('may load from this host alone', async () => {
    const policy = (await ask(app, '/docs')).headers.get('content-security-policy')
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    )
  })

  test('starts Swagger UI on our description and asks no validator elsewhere', async () => {
    const script = await (await ask(app, '/docs/start.js')).text()
    expect(script).toContain("url: 'openapi.json'")
    expect(script).toContain('validatorUrl: null')
  })
})

describe('the files', () => {
  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ])('%s is %s, whole, and revalidated by ETag', async (path, type) => {
    const answer = await ask(app, path)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(Number(answer.headers.get('content-length'))).toBe((await answer.bytes()).byteLength)
    const held = { 'if-none-match': answer.headers.get('etag')! }
    expect((await ask(app, path, { headers: held })).status).toBe(304)
  })

  test.each([
    '/docs/index.html',
    '/docs/swagger-ui.css.map',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/package.json',
    '/docs/swagger-ui-bundle.js/',
  ])('%s is not there', async (target) => {
    expect([400, 404]).toContain((await ask(app, '/', { target })).status)
  })

  test('strangers do not get them', async () => {
    expect((await ask(app, '/docs', { peer: '203.0.113.1' })).status).toBe(403)
  })
})

test('the address with a slash at its end leads to the page, below a path prefix, too', async () => {
  const answer = await ask(app, '/docs/')
  expect(answer.status).toBe(308)
  const { pathname } = new URL(answer.headers.get('location')!, 'http://host/prefix/docs/')
  expect(pathname).toBe('/prefix/docs')
  expect((await ask(app, '/docs/', { peer: '203.0.113.1' })).status).toBe(403)
})
