/**
 * Whole ways through the console, from what somebody wants to its proof: each by the keyboard alone on a wide window, and by
 * the thumb on a phone.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { BROWSER_PROGRAMS } from '../peers/browser.ts'
import { describePeers } from '../peers/peers.ts'
import { deployNotes, NOTES, useBrowser } from './console-visits.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const visit = useBrowser()

/** How somebody reaches and presses things. */
interface Hand {
  press(of: Locator): Promise<void>
  type(into: Locator, text: string): Promise<void>
  /** One of few, in the group of that name. */
  pick(within: Page | Locator, group: string, option: string): Promise<void>
}

const AHEAD = 40
const BACK = 60

/** By Tab, as the page has it, and then back; fails where neither leads there. */
async function reach(of: Locator): Promise<void> {
  await of.waitFor()
  // What has no plan yet is passed over.
  await expect.poll(() => of.isEnabled(), { message: String(of) }).toBe(true)
  const page = of.page()
  for (let step = 0; step < AHEAD + BACK; step++) {
    if ((await of.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press(step < AHEAD ? 'Tab' : 'Shift+Tab')
  }
  throw new Error(`${String(of)} is not reached by Tab`)
}

const KEYBOARD: Hand = {
  async press(of) {
    await reach(of)
    const isBox = (await of.getAttribute('type')) === 'checkbox'
    await of.page().keyboard.press(isBox ? 'Space' : 'Enter')
  },
  async type(into, text) {
    await reach(into)
    await into.page().keyboard.press('Control+a')
    await into.page().keyboard.type(text)
  },
  async pick(within, group, option) {
    const radios = within.getByRole('group', { name: group }).getByRole('radio')
    const wanted = within.getByRole('group', { name: group }).getByRole('radio', { name: option })
    await wanted.waitFor({ state: 'attached' })
    const checked = within.getByRole('group', { name: group }).getByRole('radio', { checked: true })
    const isAny = (await checked.count()) > 0
    await reach(isAny ? checked : radios.first())
    const { keyboard } = wanted.page()
    if (!isAny) await keyboard.press('Space')
    for (let step = 0; step < 8 && !(await wanted.isChecked()); step++) await keyboard.press('ArrowRight')
    expect(await wanted.isChecked()).toBe(true)
  },
}

const THUMB: Hand = {
  press: (of) => of.click(),
  type: (into, text) => into.fill(text),
  pick: (within, group, option) =>
    within.getByRole('group', { name: group }).getByText(option, { exact: true }).click(),
}

const HANDS = [
  ['by keyboard', 1280, KEYBOARD],
  ['by thumb', 390, THUMB],
] as const

const planOf = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true })
const proven = (within: Page | Locator) => within.getByRole('heading', { name: 'Proof' }).waitFor()
const lineOf = (at: TestHouse, port: number) => at.routes().includes(`http://192.168.1.20:${port}`)

it.each(HANDS)('first steps, to a domain that is live, %s', async (_, width, by) => {
  await using at = await openTestHouse()
  await using visited = await visit(at, '/', { width })
  const { page, base } = visited
  await page.waitForURL(`${base}/start`)
  await by.type(page.getByLabel('Name'), NOTES.domain)
  await by.type(page.getByLabel('Target'), 'http://192.168.1.20:3000/')
  await by.pick(page, 'Who gets in', 'open to all')
  await by.press(planOf(page).getByRole('button', { name: 'Create and deploy' }))
  await proven(page)
  expect(lineOf(at, 3000)).toBe(true)
  await by.press(page.getByRole('link', { name: 'Open the domain' }))
  await page.waitForURL(`${base}/domains/${NOTES.domain}`)
})

it.each(HANDS)('from the list to an edit, its plan, and its proof, %s', async (_, width, by) => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await using visited = await visit(at, '/domains', { width })
  const { page } = visited
  await by.press(page.getByRole('link', { name: NOTES.domain }).filter({ visible: true }))
  await by.press(page.getByRole('main').getByRole('button', { name: 'Edit' }).first())
  await by.type(page.getByRole('textbox', { name: 'Port' }), '3001')
  await by.press(planOf(page).getByRole('button', { name: 'Save and deploy' }))
  await proven(page)
  expect(lineOf(at, 3001)).toBe(true)
})

it.each(HANDS)('from the overview to a hand edit that is put back, %s', async (_, width, by) => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await at.call('PUT', '/api/modes/*', { body: { mode: 'observe', reason: 'a journey' } })
  const right = at.routes()
  writeFileSync(at.house.routes_path, right.replace('192.168.1.20:3000', '192.168.1.20:3999'))
  await using visited = await visit(at, '/', { width })
  const { page, base } = visited
  await by.press(page.getByRole('link', { name: 'Drift' }).filter({ visible: true }).first())
  await page.waitForURL(`${base}/drift`)
  await by.press(page.getByRole('article').getByRole('button', { name: /^Put back/ }))
  await by.press(page.getByRole('dialog').getByRole('button', { name: /^Put back/ }))
  await proven(page.getByRole('dialog'))
  expect(readFileSync(at.house.routes_path, 'utf8')).toBe(right)
  await by.press(page.getByRole('dialog').getByRole('button', { name: 'Close' }))
  await page.getByText('Nothing differs.').waitFor()
})

const NAMES = Array.from({ length: 50 }, (_, index) => `app-${String(index).padStart(2, '0')}.home.example`)
const HELD = 17

const ZONE = 'home.example'
const software = DNS_SOFTWARE[0]!

/** Fifty names with their records, at one of which somebody else has put theirs since. */
async function fiftyBesideAStranger(): Promise<{ readonly at: TestHouse; readonly world: DnsWorld }> {
  const world = await software.start([ZONE])
  const env = { ...world.env, PLUMBLINE_PUBLIC_IP: '203.0.113.10', PLUMBLINE_MODE: 'observe' }
  const at = await openTestHouse({ env })
  const domains = NAMES.map((domain) => ({ ...NOTES, domain, status: 'active' }))
  const made = await at.call('POST', '/api/estate', { body: { domains } })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const name = NAMES[HELD - 1]!
  await world.take(ZONE, { name, type: 'A' })
  await world.put(ZONE, { name, type: 'A', ttl: 300, values: ['198.51.100.66'] })
  return { at, world }
}

describePeers([...BROWSER_PROGRAMS, ...software.programs], 'beside a stranger', () => {
  it.each(HANDS)(
    'sign-in for 50 domains by one plan, without the one that is refused, %s',
    async (_, width, by) => {
      const { at, world } = await fiftyBesideAStranger()
      onTestFinished(async () => {
        await at[Symbol.asyncDispose]()
        await world.stop()
      })
      await using visited = await visit(at, '/domains', { width })
      const { page } = visited
      if (width > 700) await by.press(page.getByRole('checkbox', { name: 'Choose all 50' }))
      else {
        await by.press(page.getByRole('checkbox', { name: `Choose ${NAMES[0]!}` }).filter({ visible: true }))
        await by.press(page.getByRole('button', { name: 'Choose all 50 that fit' }))
      }
      await by.press(page.getByRole('button', { name: 'Sign-in…' }))
      const dialog = page.getByRole('dialog', { name: 'Sign-in of 50 domains' })
      await by.pick(dialog, 'Who gets in', 'who has signed in')
      await dialog.getByText(`${NAMES[HELD - 1]!} stands in the way.`).waitFor()
      expect(await dialog.getByRole('button', { name: 'Save and deploy' }).isDisabled()).toBe(true)
      await by.press(dialog.getByRole('button', { name: 'Plan the other 49' }))
      await by.press(dialog.getByRole('button', { name: 'Save and deploy' }))
      await proven(dialog)
      const after = (await at.call('GET', '/api/domains')).body as unknown as Record<string, unknown>[]
      expect(after.filter((row) => row['auth_required'] === true)).toHaveLength(49)
      expect(after.find((row) => row['domain'] === NAMES[HELD - 1])).toMatchObject({ auth_required: false })
      expect(await world.dig(NAMES[HELD - 1]!, 'A')).toEqual(['198.51.100.66'])
    },
  )
})

it.each(HANDS)('one record and then a whole release is restored, %s', async (_, width, by) => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 3001 } })
  await at.call('POST', '/api/domains/1/deploy')
  expect(lineOf(at, 3001)).toBe(true)
  const releases = (await at.call('GET', '/api/releases')).body as unknown as { number: number }[]
  const [present, before] = releases.map(({ number }) => number)
  await using visited = await visit(at, `/domains/${NOTES.domain}?tab=history`, { width })
  const { page, base } = visited
  // What is offered is the release before the present one.
  await by.press(page.getByRole('button', { name: `Restore ${NOTES.domain} to release ${before}…` }))
  const dialog = page.getByRole('dialog')
  await by.press(dialog.getByRole('button', { name: `Put ${NOTES.domain} back to release ${before}` }))
  await proven(dialog)
  expect(lineOf(at, 3000)).toBe(true)
  await by.press(dialog.getByRole('button', { name: 'Close' }))
  await page.goto(`${base}/changes?part=releases`)
  await by.press(page.getByRole('button', { name: `Restore release ${present}…` }))
  await by.press(dialog.getByRole('button', { name: `Go back to release ${present}` }))
  await proven(dialog)
  expect(lineOf(at, 3001)).toBe(true)
})

it.each(HANDS)('everything is suspended with a reason and an end, and resumed, %s', async (_, width, by) => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await using visited = await visit(at, '/drift', { width })
  const { page, base } = visited
  await by.press(page.getByRole('button', { name: 'Suspend…' }))
  const dialog = page.getByRole('dialog', { name: 'Suspend…' })
  const suspend = dialog.getByRole('button', { name: 'Suspend', exact: true })
  expect(await suspend.isDisabled()).toBe(true)
  await by.type(dialog.getByLabel('Reason'), 'firewall work')
  await by.pick(dialog, 'Until', '8 h')
  await by.press(suspend)
  await dialog.waitFor({ state: 'detached' })
  const band = page.getByRole('status').filter({ hasText: 'Everything is suspended' })
  await band.getByText(/[78] h left|479 min left/).waitFor()
  expect(await band.textContent()).toContain('firewall work')
  const now = async () =>
    ((await at.call('GET', '/api/modes')).body as { settings?: { mode: string }[] }).settings ?? []
  expect((await now()).map(({ mode }) => mode)).toEqual(['suspend'])
  // Also on every other page; it is ended from there.
  await page.goto(`${base}/domains`)
  await by.press(band.getByRole('button', { name: 'Resume…' }))
  await by.press(page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }))
  await band.waitFor({ state: 'detached' })
  expect((await now()).filter(({ mode }) => mode !== 'repair')).toEqual([])
})

it.each(HANDS)(
  'a suspension over a mode that only observes ends alone, which is said before and proven, %s',
  async (_, width, by) => {
    await using at = await openTestHouse()
    await deployNotes(at)
    const set = async (body: object) =>
      expect((await at.call('PUT', '/api/modes/*', { body })).status).toBe(200)
    const suspend = async () => {
      const expires_at = new Date(Date.now() + 8 * 3_600_000).toISOString()
      await set({ mode: 'suspend', reason: 'firewall work', expires_at })
    }
    await set({ mode: 'observe', reason: 'we only watch' })
    await suspend()
    const sent: string[] = []
    await using visited = await visit(at, '/domains', {
      width,
      prepare: async (page) => {
        page.on('request', (request) => {
          if (request.url().includes('/api/modes/')) sent.push(request.method())
        })
      },
    })
    const { page, base } = visited
    const modes = async () =>
      ((await at.call('GET', '/api/modes')).body as { settings?: { mode: string; reason: string }[] })
        .settings ?? []
    const band = page.getByRole('status').filter({ hasText: 'Everything is suspended' })
    await by.press(band.getByRole('button', { name: 'Resume…' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Everything is only observed again from then on.').waitFor()
    await expect
      .poll(() => dialog.innerText())
      .toMatch(
        /Suspended, set .*firewall work; it would end by itself in [\s\S]*we only watch[\s\S]*Resume automatic repair ends that, too\. Nothing of it differs now/,
      )
    await by.press(dialog.getByRole('button', { name: 'Resume observing' }))
    const proof = page.getByRole('dialog', { name: 'Proof' })
    await proof.getByText('Everything is set to be only observed, with no end.').waitFor()
    await expect.poll(() => proof.innerText()).toMatch(/In force now, only observed: .*Routes/)
    expect(sent).toEqual(['DELETE'])
    expect(await modes()).toMatchObject([{ mode: 'observe', reason: 'we only watch' }])
    await by.press(proof.getByRole('button', { name: 'Close' }))
    await page.getByRole('status').filter({ hasText: 'Everything is only observed' }).waitFor()
    // The second choice ends both; found in the palette alike.
    await suspend()
    await page.goto(`${base}/system`)
    await band.waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('resume')
    await page.getByRole('option', { name: 'Resume observing everything' }).waitFor()
    await page.keyboard.press('Enter')
    await by.press(dialog.getByRole('button', { name: 'Resume automatic repair', exact: true }))
    await proof.getByText('In force now, put back by itself').waitFor()
    expect(sent).toEqual(['DELETE', 'PUT'])
    expect((await modes()).filter(({ mode }) => mode !== 'repair')).toEqual([])
    await by.press(proof.getByRole('button', { name: 'Close' }))
    await band.waitFor({ state: 'detached' })
    // Repair for a time has an end, too, and is ended alone.
    await set({ mode: 'observe', reason: 'we only watch' })
    await set({ mode: 'repair', expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    const repairs = page
      .getByRole('status')
      .filter({ hasText: /Everything: repairs until .*, then only observes/ })
    await by.press(repairs.getByRole('button', { name: 'Resume…' }))
    await dialog.getByText(/Repaired, set .*it would end by itself in/).waitFor()
    await by.press(dialog.getByRole('button', { name: 'Resume observing' }))
    await proof.getByText('Everything is set to be only observed, with no end.').waitFor()
    await by.press(proof.getByRole('button', { name: 'Close' }))
    await repairs.waitFor({ state: 'detached' })
  },
)

it('single keys go, choose, peek and open; none of them changes anything, and they can be switched off', async () => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await deployNotes(at, { domain: 'wiki.home.example' })
  await using visited = await visit(at, '/', {})
  const { page, base } = visited
  const unsafe: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' && pathname !== '/api/plans') unsafe.push(pathname)
  })
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await page.keyboard.press(key)
  }
  await page.getByRole('status', { name: 'Line: live' }).waitFor()
  for (const [second, path] of [
    ['d', '/domains'],
    ['x', '/drift'],
    ['c', '/changes'],
    ['s', '/system'],
    ['o', '/'],
    ['d', '/domains'],
  ] as const) {
    await keys('g', second)
    await page.waitForURL(base + path)
  }
  await page.getByRole('link', { name: NOTES.domain }).first().waitFor()
  await keys('j', 'x', 'j', 'x')
  await page.getByText('2 chosen').waitFor()
  await keys('Escape')
  await page.getByText('2 chosen').waitFor({ state: 'detached' })
  await keys('k', 'Enter')
  await page.getByRole('link', { name: 'Rendered' }).waitFor()
  await keys(']')
  await page.waitForURL(/tab=route/)
  await keys('[', 'e')
  await page.waitForURL(/edit=1/)
  // Inside a field a letter is a letter.
  await page.getByRole('textbox', { name: 'Note' }).focus()
  await keys('g', 'o', 'n')
  await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('gon')
  await page.getByRole('button', { name: 'Leave it' }).click()
  await page.goto(`${base}/domains`)
  await page.getByRole('link', { name: NOTES.domain }).first().waitFor()
  await keys('/')
  await page.keyboard.type('wiki')
  await expect.poll(() => page.getByRole('link', { name: NOTES.domain }).count()).toBe(0)
  // Whoever types on without a pause types into it: it has the focus before the next event.
  const focused = await page.evaluate(`new Promise((resolve) => {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))
    const next = new MessageChannel()
    next.port1.onmessage = () => resolve(document.activeElement.getAttribute('aria-label'))
    next.port2.postMessage(0)
  })`)
  expect(focused).toBe('Find a domain, do a thing')
  await page.keyboard.type('drift')
  // Enter takes the first: Drift stands in the list before anything is typed, too.
  await expect.poll(() => page.getByRole('option').first().textContent()).toMatch(/^Drift/)
  await keys('Enter')
  await page.waitForURL(`${base}/drift`)
  await keys('?')
  const list = page.getByRole('dialog')
  await list.waitFor()
  await list.getByRole('checkbox').first().press('Space')
  await keys('Escape', 'g', 'o')
  expect(new URL(page.url()).pathname).toBe('/drift')
  expect(unsafe).toEqual([])
})
