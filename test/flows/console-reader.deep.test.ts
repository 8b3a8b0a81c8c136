/** Whoever may only look, on every page of the console: each act of a change is disabled and says why; looks and plans are not. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { useBrowser } from './console-visits.ts'
import { HEALTH_PROGRAMS, ZONE } from './health-peers.ts'
import { type HealthWorld, openHealthWorld } from './health-world.ts'
import { create, createActive } from './test-house.ts'

const visit = useBrowser()
const LIVE = `notes.${ZONE}`
const SAVED = `next.${ZONE}`

const PAGES = [
  '/',
  '/domains',
  `/domains/${LIVE}`,
  ...['route', 'dns', 'certificate', 'access', 'rendered', 'history'].map(
    (tab) => `/domains/${LIVE}?tab=${tab}`,
  ),
  `/domains/${LIVE}?edit=1`,
  `/domains/${SAVED}`,
  `/domains/new?name=other.${ZONE}`,
  '/start',
  '/drift',
  '/changes',
  '/changes?part=releases',
  '/changes?part=audit',
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

/** All that a reader's press may send: a plan, a check of what is typed, a question. Each changes nothing here or outside. */
const LOOKS = [
  /^POST \/api\/plans$/,
  /[?&]dry_run=true$/,
  /^POST \/api\/domains\/(?:checks|autodetect|render)/,
]

const LOOKING =
  /^(?:Look now|Copy|Columns|Try|More|Why|Compare|Show|Route:|DNS:|Certificate:|Sign-in:|Probe:)/

/** Of what a dialog or a list of acts offers. */
const FREE = /^(?:Close|Leave it|Cancel|✕|Copy.*|Duplicate….*|Explain|Plan again|Keep it|Copied)$/

describePeers(HEALTH_PROGRAMS, 'a reader', () => {
  let world: HealthWorld
  beforeAll(async () => {
    world = await openHealthWorld()
    const { call } = world.at
    await createActive(call, { domain: LIVE, backend_host: '192.168.1.20', auth_required: true })
    await create(call, { domain: SAVED, backend_host: '192.168.1.21' })
    await call('POST', '/api/ccm/edge/edges', { body: { name: 'hut' } })
    await world.mode('observe')
    const routes = readFileSync(world.paths.routes, 'utf8')
    writeFileSync(world.paths.routes, routes.replace('192.168.1.20', '192.168.1.29'))
    await call('PUT', '/api/domains/1', { body: { note: 'saved and not deployed' } })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('presses whatever can be pressed on each page, and nothing is changed by it', async () => {
    const { call } = world.at
    const { body } = await call('POST', '/api/keys', { body: { name: 'guest', access: 'read' } })
    await using visited = await visit(world.at, '/', { key: String(body['key']) })
    const { page, base } = visited
    const sent: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (request.method() !== 'GET') sent.push(`${request.method()} ${url.pathname}${url.search}`)
    })
    page.on('dialog', (asked) => void asked.accept())
    // Why, in words that keyboard and thumb reach; a key that would begin a change leads there.
    const why = page.getByRole('status').filter({ hasText: 'You may look, not change: the key' })
    await opened(page, `${base}/edges`)
    await why.waitFor()
    await page.keyboard.press('e')
    await expect.poll(() => why.and(page.locator(':focus')).count()).toBe(1)
    const found: string[] = []
    const known = new Set<string>()
    let pressed = 0
    for (const path of PAGES) {
      await opened(page, base + path)
      for (const name of await pressable(page)) {
        sent.length = 0
        // What only looks is the same everywhere.
        if (LOOKING.test(name) && known.has(name)) continue
        known.add(name)
        if (!(await press(page, name))) continue
        pressed++
        await page.waitForTimeout(30)
        await settled(page)
        const beyond = [
          ...sent.filter((one) => !LOOKS.some((look) => look.test(one))),
          ...(await offered(page)),
        ]
        found.push(...beyond.map((one) => `${path}: ${name}: ${one}`))
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        if (page.url() !== base + path || (await page.locator('dialog[open]').count()) > 0)
          await opened(page, base + path)
      }
    }
    expect(found).toEqual([])
    expect(pressed).toBeGreaterThan(60)
  }, 300_000)
})

async function opened(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('main h1, main h2').first().waitFor()
  await settled(page)
}

const settled = (page: Page) => expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)

/** What orders, filters and chooses rows is no act, and one's own sign-out is free. */
const BUTTONS = `[...document.querySelectorAll('main button:enabled')]
  .filter((one) => one.offsetParent !== null && one.closest('th, .views, .seg') === null && !one.hasAttribute('aria-pressed'))
  .map((one) => [one, one.getAttribute('aria-label') ?? one.innerText.trim()])
  .filter(([, name]) => name !== '' && name !== 'Sign out')`

/** By name, each once. */
const pressable = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`[...new Set(${BUTTONS}.map(([, name]) => name))]`)

/** False where it has gone since. */
const press = (page: Page, name: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const found = ${BUTTONS}.find(([, name]) => name === ${JSON.stringify(name)})
    found?.[0].click()
    return found !== undefined
  })()`)

/** What could be pressed next, in what has opened over the page. */
async function offered(page: Page): Promise<readonly string[]> {
  const names = await page.evaluate<readonly string[]>(`[...document.querySelectorAll(
    'dialog[open] .btn.first:enabled, dialog[open] .btn.danger:enabled, .menu button:enabled'
  )].map((one) => one.innerText.trim().split('\\n')[0])`)
  return names.filter((name) => !FREE.test(name)).map((name) => `offers ${name}`)
}
