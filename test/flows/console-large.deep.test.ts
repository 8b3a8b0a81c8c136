/** The console where there is much: rows, events, tabs; and where there is little room. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MANY, nameOf, showMany } from './console-many.ts'
import { deployNotes, hearsNoMore, holdStream, NOTES, useBrowser } from './console-visits.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const visit = useBrowser()
let at: TestHouse

beforeAll(async () => {
  at = await openTestHouse()
  await deployNotes(at)
})
afterAll(() => at[Symbol.asyncDispose]())

it('of 10,000 domains, all in trouble, a window is drawn; filter, order and choice ask for nothing', async () => {
  const asked: string[] = []
  await using visited = await visit(at, '/domains', {
    prepare: async (opened) => {
      await holdStream(opened)
      await showMany(opened)
    },
  })
  const { page } = visited
  page.on('request', (request) => asked.push(request.url()))
  const rows = page.locator('table tbody tr:not(.spacer)')
  const drawn = async () => {
    const count = await rows.count()
    expect(count).toBeLessThanOrEqual(80)
    return count
  }
  const link = (index: number) => page.getByRole('link', { name: nameOf(index) }).filter({ visible: true })
  await link(0).waitFor()
  await hearsNoMore(page)
  asked.length = 0
  expect(await drawn()).toBeGreaterThan(20)
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(MANY + 1))
  // Down to the last row: what stands at its place is drawn, and the page is as long as all of them.
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
  await link(MANY - 1).waitFor()
  await drawn()
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight / 2)')
  await expect.poll(() => link(MANY - 1).count()).toBe(0)
  await drawn()
  await page.evaluate('window.scrollTo(0, 0)')
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await link(MANY - 1).waitFor()
  await page.getByRole('combobox', { name: 'Filter' }).pressSequentially('app-0123')
  await page.getByText('10 domains').waitFor({ state: 'attached' })
  await expect.poll(() => rows.count()).toBe(10)
  await page.getByRole('checkbox', { name: 'Choose all 10' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('10 chosen').waitFor()
  await page.getByRole('button', { name: /^Choose all 10.000 that fit/ }).click()
  await page.getByText(/^10.000 chosen/).waitFor()
  await drawn()
  // The icon lies in the browser's cache, which is off while answers are replaced.
  expect(asked.filter((url) => !url.includes('/assets/icon'))).toEqual([])
})

it('10,000 domains on a phone are a window, too', async () => {
  await using visited = await visit(at, '/domains', { width: 390, prepare: showMany })
  const { page } = visited
  const cards = page.locator('ul.cards > li:not([aria-hidden])')
  await page
    .getByRole('link', { name: nameOf(0) })
    .filter({ visible: true })
    .waitFor()
  expect(await cards.count()).toBeLessThanOrEqual(60)
  // What is not drawn is counted by the height of what is.
  const heights = 'document.querySelectorAll("ul.cards > li:not([aria-hidden])")'
  expect(await page.evaluate(`[...new Set([...${heights}].map((one) => one.offsetHeight))]`)).toEqual([68])
  // And nothing of a card is cut off, its tick least of all.
  const cut = `[...${heights}].flatMap((one) => [...one.children]).filter((one) => one.scrollHeight > one.offsetHeight).length`
  expect(await page.evaluate(cut)).toBe(0)
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
  await page
    .getByRole('link', { name: nameOf(MANY - 1) })
    .filter({ visible: true })
    .waitFor()
  expect(await cards.count()).toBeLessThanOrEqual(60)
})

const EVENTS = 3600
const BURST = 50
const MB = 1_000_000

it('3,600 events are gathered, and leave no more than 20 MB behind', async () => {
  const asked: string[] = []
  await using visited = await visit(at, '/domains', {
    prepare: holdStream,
  })
  const { page } = visited
  await page.getByRole('link', { name: NOTES.domain }).first().waitFor()
  await page.getByRole('status', { name: 'Line: live' }).waitFor()
  const devtools = await page.context().newCDPSession(page)
  const used = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    return (await devtools.send('Runtime.getHeapUsage')).usedSize
  }
  const before = await used()
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.evaluate(`(async () => {
    for (let sent = 0; sent < ${EVENTS}; sent += ${BURST}) {
      for (let one = 1; one <= ${BURST}; one++)
        window.stream.dispatchEvent(new MessageEvent('lamps', {
          lastEventId: String(100000 + sent + one), data: JSON.stringify({ ids: [1], facts: { text: 'x'.repeat(200) } }),
        }))
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  })()`)
  await expect.poll(() => asked.includes('/api/domains/lamps')).toBe(true)
  await page.waitForLoadState('networkidle')
  const after = await used()
  expect(after - before).toBeLessThan(20 * MB)
  // What is shown is asked for once a batch, which on a slow machine is no more than one burst.
  const lamps = asked.filter((path) => path === '/api/domains/lamps').length
  expect(lamps).toBeLessThanOrEqual(EVENTS / BURST)
})

it('seven tabs that are not looked at let go of their line, so that the eighth is served', async () => {
  const quick = (page: Page) =>
    page.addInitScript(
      'const real = setTimeout; window.setTimeout = (work, ms, ...more) => real(work, ms === 30000 ? 50 : ms, ...more)',
    )
  await using visited = await visit(at, '/domains', { prepare: quick })
  const context = visited.page.context()
  const hide = async (page: Page) => {
    await page.getByRole('link', { name: NOTES.domain }).first().waitFor()
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); document.dispatchEvent(new Event('visibilitychange'))",
    )
    await page.getByRole('status', { name: 'Line: paused' }).waitFor()
  }
  await hide(visited.page)
  for (let tab = 2; tab <= 7; tab++) {
    const page = await context.newPage()
    await quick(page)
    await page.goto(`${visited.base}/domains`)
    await hide(page)
  }
  const eighth = await context.newPage()
  await eighth.goto(`${visited.base}/domains`)
  await eighth.getByRole('link', { name: NOTES.domain }).first().waitFor()
  await eighth.getByRole('status', { name: 'Line: live' }).waitFor()
  // One of them is looked at again: it is live, and sees what happened meanwhile.
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 3099 } })
  await visited.page.evaluate(
    "Object.defineProperty(document, 'hidden', { configurable: true, get: () => false }); document.dispatchEvent(new Event('visibilitychange'))",
  )
  await visited.page.getByText('192.168.1.20:3099').first().waitFor()
})

const PAGES = [
  '/',
  '/domains',
  `/domains/${NOTES.domain}`,
  `/domains/${NOTES.domain}?edit=1`,
  '/domains/new',
  '/drift',
  '/changes',
  '/changes?part=releases',
  '/changes?part=audit',
  '/system',
  '/start',
  '/dns',
  '/certificates',
  '/access',
  '/people',
  '/ddns',
  '/ssh',
  '/edges',
  '/map',
  '/map?as=table',
  '/lan',
  '/discover',
  '/inventory',
  '/vpn',
]

it.each([
  ['320 pixels', 900],
  ['a wide window at 400 %', 225],
] as const)('on %s no page scrolls sideways, and its content is reached', async (_, height) => {
  await using visited = await visit(at, '/', { width: 320 })
  const { page, base } = visited
  await page.setViewportSize({ width: 320, height })
  const found: string[] = []
  for (const path of PAGES) {
    await page.goto(base + path)
    await page.locator('main h1, main h2').first().waitFor()
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
    const beyond = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (beyond !== 0) found.push(`${path}: ${String(beyond)} px sideways`)
    // What stays in place leaves room for what is read.
    const fixed = await page.evaluate<number>(
      "[...document.querySelectorAll('.bar, .tabs')].filter((one) => ['sticky', 'fixed'].includes(getComputedStyle(one).position)).reduce((sum, one) => sum + one.offsetHeight, 0)",
    )
    if (fixed > height / 2) found.push(`${path}: ${fixed} of ${height} px never move`)
  }
  expect(found).toEqual([])
})
