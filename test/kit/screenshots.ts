/** Renders every page of the console in both themes and widths, as pictures to be looked at: `npm run screenshots [FOLDER]`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { yamlDocuments } from '../../src/io/yaml/documents.ts'
import { readHolder } from '../../src/store/files/lock.ts'
import { clientOf } from '../flows/client.ts'
import { openTestHouse } from '../flows/test-house.ts'
import { startBrowser } from '../peers/browser.ts'

const PAGES: Readonly<Record<string, string>> = {
  overview: '/',
  domains: '/domains',
  'domains-none-fits': '/domains?q=tag%3Anone+is%3Awrong',
  domain: '/domains/wiki.home.example',
  edit: '/domains/wiki.home.example?edit=1',
  'not-there': '/domains/constructor',
  'new-domain': '/domains/new',
  drift: '/drift',
  changes: '/changes',
  releases: '/changes?part=releases',
  audit: '/changes?part=audit',
  system: '/system',
  start: '/start',
}

const SAMPLE = new URL('../../fixtures/estates/sample.yaml', import.meta.url)

const folder = resolve(process.argv[2] ?? 'screenshots')
mkdirSync(folder, { recursive: true })

/** The sample of the quickstart, one domain saved and not deployed, and one that somebody edited by hand. */
await using at = await openTestHouse({
  env: { PLUMBLINE_DNS_PROVIDER: 'zonefile', PLUMBLINE_PUBLIC_IP: '203.0.113.7' },
})
const call = clientOf(at.house)
const read = yamlDocuments.read(readFileSync(SAMPLE, 'utf8'))
if (!read.ok) throw new Error(read.msg)
const { domains } = read.data as { readonly domains: unknown }
const applied = await call('POST', '/api/estate', { body: { domains } })
if (applied.status !== 200) throw new Error(JSON.stringify(applied.body))
await call('PUT', '/api/modes/*', { body: { mode: 'observe', reason: 'firewall work' } })
await call('PUT', '/api/domains/1', { body: { backend_port: 8090 } })
writeFileSync(at.house.routes_path, at.routes().replace('10.20.0.14:6001', '10.20.0.14:6002'))

const base = readHolder(at.directory)!.listen!
const browser = await startBrowser()
try {
  const page = await browser.newPage()
  await page.goto(`${base}/#k=${String((await call('POST', '/api/session/code')).body['code'])}`)
  await page.locator('main h1').waitFor()
  for (const [name, path] of Object.entries(PAGES))
    for (const width of [1440, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.goto(base + path)
        await page.locator('main').waitFor()
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
      }
} finally {
  await browser.close()
}
