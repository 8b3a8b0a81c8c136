/** Renders every page of the console in both themes and widths, as pictures to be looked at: `npm run screenshots [FOLDER]`. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readHolder } from '../../src/store/files/lock.ts'
import { clientOf } from '../flows/client.ts'
import { openTestHouse } from '../flows/test-house.ts'
import { startBrowser } from '../peers/browser.ts'

const PAGES: Readonly<Record<string, string>> = {
  overview: '/',
  domains: '/domains',
  'domains-none-fits': '/domains?q=tag%3Anone+is%3Awrong',
  domain: '/domains/notes.home.example',
  edit: '/domains/notes.home.example?edit=1',
  'not-there': '/domains/constructor',
  'new-domain': '/domains/new',
  drift: '/drift',
  changes: '/changes',
  releases: '/changes?part=releases',
  audit: '/changes?part=audit',
  system: '/system',
  start: '/start',
}

const folder = resolve(process.argv[2] ?? 'screenshots')
mkdirSync(folder, { recursive: true })

await using at = await openTestHouse()
const call = clientOf(at.house)
const record = {
  service_type: 'http',
  environment: 'production',
  backend_host: '192.168.1.20',
  backend_scheme: 'http',
}
for (const [name, backend_port] of [
  ['notes', 3000],
  ['photos', 2342],
] as const)
  await call('POST', '/api/domains/expose', {
    body: { ...record, domain: `${name}.home.example`, backend_port, auth_required: false },
  })

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
