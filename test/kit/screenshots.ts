/**
 * Renders every page and state of the console in both themes and widths, as pictures to be looked at: `npm run screenshots [FOLDER]`.
 * Two of them stand in the README: `npm run screenshots fixtures/console overview drift` makes these alone.
 */
import type { Page, Route } from 'playwright-core'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { yamlDocuments } from '../../src/io/yaml/documents.ts'
import { readHolder } from '../../src/store/files/lock.ts'
import { clientOf } from '../flows/client.ts'
import { openTestHouse } from '../flows/test-house.ts'
import { openConsoleEstate } from '../flows/console-estate.ts'
import { startBrowser } from '../peers/browser.ts'
import { ANSWERS, withProxy } from './screenshot-answers.ts'
import { KEPT_ANSWERS } from './screenshot-kept.ts'

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
  dns: '/dns',
  certificates: '/certificates',
  access: '/access',
  people: '/people',
  ddns: '/ddns',
  ssh: '/ssh',
  edges: '/edges',
  map: '/map',
  'map-table': '/map?as=table',
  lan: '/lan',
  discover: '/discover',
  inventory: '/inventory',
  vpn: '/vpn',
  system: '/system',
  start: '/start',
}

type Faked = (route: Route) => Promise<unknown>

const json = (body: unknown, status: number) => ({
  status,
  contentType: status < 400 ? 'application/json' : 'application/problem+json',
  body: JSON.stringify(body),
})

const PROBLEM = {
  type: 'about:blank',
  title: 'Internal error',
  status: 500,
  code: 'internal',
  detail: 'The database did not answer in 5 s.',
  request_id: '4f1c9a52-77aa-4c1e-9d53-0c1f5a3f0b11',
}

const changed =
  (change: (body: never) => unknown): Faked =>
  async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change((await response.json()) as never) })
  }

const asReader = (body: object) => ({ ...body, may: 'read', groups: ['staff'] })

interface Overviewed {
  readonly health: { readonly components: readonly object[] }
}

/** What each list and panel has besides its ordinary look: the page, and whose answer is replaced by what. */
const STATES: Readonly<Record<string, readonly [path: string, of: string, answer: Faked]>> = {
  loading: ['/domains', '/api/domains', async () => undefined],
  error: ['/domains', '/api/domains', (route) => route.fulfill(json(PROBLEM, 500))],
  empty: ['/domains', '/api/domains', (route) => route.fulfill(json([], 200))],
  unreadable: ['/drift', '/api/drift', (route) => route.fulfill({ status: 502, contentType: 'text/html' })],
  unknown: [
    '/drift',
    '/api/drift',
    changed((body: { readonly components: readonly object[] }) => ({
      ...body,
      components: body.components.map((world) => ({
        ...world,
        drift: null,
        reason: 'ns2 did not answer in 2 s.',
        differences: [],
      })),
    })),
  ],
  stale: [
    '/',
    '/api/overview',
    changed((body: Overviewed) => ({
      ...body,
      health: {
        ...body.health,
        components: body.health.components.map((row) => ({ ...row, stale_after: '2020-01-01T00:00:00Z' })),
      },
    })),
  ],
  'read-only': ['/domains/wiki.home.example?edit=1', '/api/session', changed(asReader)],
  'read-only-domain': ['/domains/chat.home.example', '/api/session', changed(asReader)],
  'read-only-drift': ['/drift', '/api/session', changed(asReader)],
  'read-only-system': ['/system', '/api/session', changed(asReader)],
  'signed-out': [
    '/',
    '/api/session',
    (route) =>
      route.fulfill(json({ ...PROBLEM, status: 401, code: 'not_signed_in', ways: ['key', 'link'] }, 401)),
  ],
  'sign-in-ended': ['/', '/api/session', (route) => route.fulfill({ status: 401, contentType: 'text/html' })],
  'line-lost': ['/domains', '/api/events', (route) => route.abort('connectionreset')],
}

/** What is to be pressed before the picture is taken. */
type Press = (page: Page) => Promise<unknown>

const button =
  (name: string | RegExp): Press =>
  (page) =>
    page.getByRole('button', { name }).first().click()

/** Pages that would be empty, with the answers of an estate, and what opens over them. */
const FILLED: Readonly<Record<string, readonly [path: string, press?: Press]>> = {
  'domain-traffic': ['/domains/wiki.home.example'],
  'domain-theirs': ['/domains/chat.home.example', button(/^Save theirs/)],
  'drift-theirs': ['/drift', button(/^Save theirs/)],
  'drift-ignore': ['/drift', button('Ignore until…')],
  'drift-ignored': ['/drift', ignore],
  'releases-proxy': ['/changes?part=releases'],
  'system-told': ['/system'],
  'system-examined': ['/system', button(/Examine/)],
  'ssh-targets': ['/ssh'],
  'people-invited': ['/people'],
  'domain-dns': ['/domains/wiki.home.example?tab=dns'],
  'domain-access': ['/domains/wiki.home.example?tab=access'],
  'domain-route': ['/domains/wiki.home.example?tab=route'],
  'domain-certificate': ['/domains/wiki.home.example?tab=certificate'],
  'domain-rendered': ['/domains/wiki.home.example?tab=rendered'],
  'domain-history': ['/domains/wiki.home.example?tab=history'],
  palette: ['/', (page) => page.keyboard.press('Control+k')],
  keys: ['/', (page) => page.keyboard.press('?')],
}

/** Of an estate that is lived in: what is obtained, what reports, and who opens what. */
const KEPT: Readonly<Record<string, readonly [path: string, press?: Press]>> = {
  'kept-certificates': ['/certificates'],
  'kept-certificate': ['/certificates', button('*.lab')],
  'kept-edges': ['/edges'],
  'kept-edge': ['/edges', button('lon-1')],
  'kept-ddns': ['/ddns'],
  'kept-ddns-host': ['/ddns', button('cabin.')],
  'kept-access': ['/access'],
  'kept-access-matrix': ['/access', button(/^Show .* × domains/)],
  'kept-access-who': ['/access?host=photos.home.example'],
  'kept-access-answer': ['/access?user=ana', button('photos.')],
  'kept-people': ['/people'],
  'kept-ssh-target': ['/ssh', (page) => page.getByRole('button', { name: 'wiki', exact: true }).click()],
}

/** Once: afterwards it is known to stay. */
async function ignore(page: Page): Promise<void> {
  const press = page.getByRole('button', { name: 'Ignore until…' }).first()
  if ((await press.count()) === 0) return
  await press.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('moved for a day, until the new disk is there')
  await dialog.getByRole('button', { name: 'Ignore', exact: true }).click()
  await page.getByText('Stop ignoring').first().waitFor()
}

/** Of a house with a gateway, a cluster, a controller and containers. */
const LOOKED_AT: Readonly<Record<string, readonly [path: string, press?: Press]>> = {
  'estate-lan': ['/lan'],
  'estate-discover': ['/discover'],
  'estate-inventory': ['/inventory'],
  'estate-hold': ['/inventory', hold],
  'estate-vpn': ['/vpn'],
  'estate-vpn-read': ['/vpn', button('Read all gateways')],
  'estate-ddns': ['/ddns'],
  'estate-ssh': ['/ssh'],
  'estate-map': ['/map'],
}

async function hold(page: Page): Promise<void> {
  await page.getByText('Next free').first().click()
  await page.getByRole('button', { name: /^Hold/ }).first().click()
  await page.getByText('Kept from others').first().waitFor()
}

const SAMPLE = new URL('../../fixtures/estates/sample.yaml', import.meta.url)

const [where = 'screenshots', ...only] = process.argv.slice(2)
const folder = resolve(where)
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

let base = readHolder(at.directory)!.listen!
const browser = await startBrowser()
try {
  const page = await browser.newPage()
  page.setDefaultTimeout(8000)
  await page.goto(`${base}/#k=${String((await call('POST', '/api/session/code')).body['code'])}`)
  await page.locator('main h1').waitFor()
  if (only.length > 0) await forReadme(page)
  else {
    for (const [name, path] of Object.entries(PAGES)) await inEach(page, name, path)
    for (const [name, [path, of, answer]] of Object.entries(STATES)) {
      const matches = (url: URL) => url.pathname === of
      await page.route(matches, answer)
      await inEach(page, name, path)
      await page.unroute(matches)
    }
    await page.route(
      (url) => url.pathname in ANSWERS,
      (route) => route.fulfill({ json: ANSWERS[new URL(route.request().url()).pathname] }),
    )
    await page.route('**/api/deploy/status', changed(withProxy))
    for (const [name, [path, press]] of Object.entries(FILLED)) await inEach(page, name, path, press)
    await page.route(
      (url) => url.pathname in KEPT_ANSWERS,
      (route) => {
        const url = new URL(route.request().url())
        return route.fulfill({ json: KEPT_ANSWERS[url.pathname]!(url) })
      },
    )
    for (const [name, [path, press]] of Object.entries(KEPT)) await inEach(page, name, path, press)
    await ofEstate()
  }
} finally {
  await browser.close()
}

async function forReadme(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const name of only) {
    await opened(page, PAGES[name]!)
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
}

async function ofEstate(): Promise<void> {
  const estate = await openConsoleEstate()
  try {
    base = readHolder(estate.at.directory)!.listen!
    const page = await browser.newPage()
    page.setDefaultTimeout(8000)
    const { body } = await clientOf(estate.at.house)('POST', '/api/session/code')
    await page.goto(`${base}/#k=${String(body['code'])}`)
    await page.locator('main h1').waitFor()
    for (const [name, [path, press]] of Object.entries(LOOKED_AT)) await inEach(page, name, path, press)
  } finally {
    await estate.close()
  }
}

async function inEach(page: Page, name: string, path: string, press?: Press): Promise<void> {
  for (const width of [1440, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await opened(page, path)
      await press?.(page)
      if (press !== undefined) await page.waitForTimeout(700)
      // As high as the page: what stays at the foot of a window would else cover its middle.
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      await page.setViewportSize({ width, height: Math.max(900, height) })
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
}

/** A state may be one of waiting. */
async function opened(page: Page, path: string): Promise<void> {
  await page.goto(base + path)
  await page.locator('main').waitFor()
  const busy = page.locator('[aria-busy="true"]').first()
  await busy.waitFor({ state: 'detached', timeout: 2000 }).catch(() => undefined)
  await page.waitForTimeout(300)
}
