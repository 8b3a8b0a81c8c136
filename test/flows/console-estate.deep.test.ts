/** Journeys through keys, gateways, edges, the inventory and the VPN in the console, each over real parts. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { movedClock } from '../kit/moved-clock.ts'
import { runTool } from '../peers/peer.ts'
import { expectNoFindings } from './console-findings.ts'
import { type ConsoleEstate, keysIn, openConsoleEstate } from './console-estate.ts'
import { deployNotes, useBrowser } from './console-visits.ts'
import { openTestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'
import { makeSshKey } from '../peers/ssh-key.ts'

const visit = useBrowser()
let world: ConsoleEstate
let folder: string

beforeAll(async () => {
  world = await openConsoleEstate()
  folder = newFolder('console')
})
afterAll(() => world.close())

it.each([1280, 390])(
  'a key of dynamic DNS is rotated, shown once, and its lamp turns at the first report, at %i pixels',
  async (width) => {
    const { at } = world
    await at.call('POST', '/api/ddns/tokens', { body: { host: 'home.example.com', label: `attic ${width}` } })
    await using visited = await visit(at, `/ddns?kq=attic+${width}`, { width })
    const { page } = visited
    await page.locator('#keys ~ * [data-row] .row-open').first().click()
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByRole('button', { name: /^Issue the successor/ }).click()
    const dialog = page.getByRole('dialog', { name: 'The key of home.example.com' })
    const key = (await dialog.locator('.secret .mono').textContent())!
    for (const router of ['UniFi', 'inadyn', 'ddclient', 'curl']) {
      await dialog.getByText(router, { exact: true }).click()
      expect(await dialog.getByLabel(`Lines for ${router}`).textContent(), router).toContain(
        'home.example.com',
      )
    }
    await dialog.getByText('No report with this key yet').waitFor()
    // What is shown once is not gone by a key that is pressed too often.
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape')
    await dialog.getByText(key, { exact: true }).waitFor()
    const refused = await at.call('GET', `/api/ddns/update/home.example.com?key=${key}&ip=198.51.100.9`, {
      key: null,
      peer: '84.1.2.3',
    })
    expect(refused.status).toBe(422)
    await dialog.getByText('A report for home.example.com was refused').waitFor()
    const report = await at.call('GET', `/api/ddns/update/home.example.com?key=${key}&ip=84.1.2.3`, {
      key: null,
      peer: '84.1.2.3',
    })
    expect(report.status, JSON.stringify(report.body)).toBe(200)
    await dialog.getByText('A gateway has reported with this key.').waitFor()
    await dialog.getByRole('button', { name: 'Close; I have the key' }).click()
    expect(await page.content()).not.toContain(key)
  },
)

it('a key that is added by its file logs in at the real sshd, and one that is removed does not', async () => {
  const { at, sshd } = world
  const file = join(folder, 'jo')
  await makeSshKey(file, 'jo@laptop')
  const foreign = keysIn(world)
  expect(await sshd.logIn(file)).toBeNull()
  await using visited = await visit(at, '/ssh')
  const { page } = visited
  await page.getByRole('button', { name: /^Add a key/ }).click()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.postData() ?? ''))
  await page.getByLabel('Public key', { exact: true }).fill(readFileSync(file, 'utf8'))
  await page.getByText('This is a private key').waitFor()
  await page.getByLabel(/its .pub file/).setInputFiles(`${file}.pub`)
  await page.getByLabel('Name').fill('jo-laptop')
  const [, material] = readFileSync(`${file}.pub`, 'utf8').split(' ')
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByText(material!, { exact: false }).first().waitFor()
  await page.getByRole('button', { name: /^Let it log in/ }).click()
  await page.getByRole('heading', { name: 'Proof' }).waitFor()
  expect(await sshd.logIn(file)).not.toBeNull()
  await page.getByRole('button', { name: 'Close' }).click()
  expect(sent.filter((body) => body.includes('PRIVATE KEY'))).toEqual([])
  // "Back" closes what is open and stays on the page.
  await page.getByRole('button', { name: 'jo-laptop' }).click()
  const panel = page.getByRole('dialog', { name: 'jo-laptop' })
  await panel.waitFor()
  const opened = page.url()
  expect(opened).toContain('/ssh?open=')
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  expect(page.url()).toMatch(/\/ssh$/)
  await page.goForward()
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: /^Shut it out/ }).click()
  await page.getByRole('heading', { name: 'Proof' }).waitFor()
  expect(await sshd.logIn(file)).toBeNull()
  expect(keysIn(world), 'what is not ours keeps its line').toContain(foreign.trim())
  await page.getByRole('button', { name: 'Close' }).click()
  // The address of what is gone by now says so.
  await page.goto(opened)
  const none = page.getByRole('dialog', { name: 'No such key' })
  await none.getByRole('button', { name: 'Close' }).click()
  await none.waitFor({ state: 'detached' })
  // A target opens on a phone as well: what is still to come, what helps, and its key.
  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('button', { name: 'guest1401' }).click()
  const target = page.getByRole('dialog', { name: 'guest1401' })
  await target.getByText('It was found and not taken in yet.').waitFor()
  await target.getByText('plumbline ssh-targets sync-names').waitFor()
  await target.getByText('not seen yet').waitFor()
})

/** The default of PLUMBLINE_EDGE_OFFLINE_AFTER. */
const SILENT_AFTER_MS = 10 * 60_000

it('an edge that fell silent says so and why, and is drained and resumed', async () => {
  const clock = movedClock()
  await using at = await openTestHouse({ clock })
  await using visited = await visit(at, '/edges')
  const { page } = visited
  await page.getByRole('button', { name: /^Add an edge/ }).click()
  await page.getByLabel('Name').fill('fra1')
  await page.getByRole('button', { name: /^Add it/ }).click()
  const once = page.getByRole('dialog', { name: 'The token of fra1' })
  const token = (await once.locator('.secret .mono').textContent())!
  const fetched = await at.call('GET', '/api/ccm/edge/edges/1/routes', {
    key: null,
    peer: '203.0.113.9',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(fetched.status, JSON.stringify(fetched.body)).toBe(200)
  await once.getByText('It has been heard of.').waitFor()
  await once.getByRole('button', { name: 'Close; I have the token' }).click()
  clock.pass(SILENT_AFTER_MS + 60_000)
  await page.reload()
  await page.getByRole('img', { name: 'wrong' }).first().waitFor()
  await page.getByRole('button', { name: 'fra1' }).click()
  await page
    .getByText(/heard of|silent/i)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Drain…' }).click()
  await page
    .getByRole('button', { name: /^Drain/ })
    .last()
    .click()
  await page.getByRole('heading', { name: 'Proof' }).waitFor()
  expect((await at.call('GET', '/api/ccm/edge/edges/1')).body).toMatchObject({ desired_state: 'draining' })
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'fra1' }).click()
  await page.getByRole('button', { name: 'Resume…' }).click()
  await page
    .getByRole('button', { name: /^Resume/ })
    .last()
    .click()
  await page.getByRole('heading', { name: 'Proof' }).waitFor()
  expect((await at.call('GET', '/api/ccm/edge/edges/1')).body).toMatchObject({ desired_state: 'active' })
})

it('a new guest gets the next free number with its address, by keyboard alone', async () => {
  await using visited = await visit(world.at, '/inventory')
  const { page } = visited
  await page.getByRole('button', { name: 'guest1401' }).waitFor()
  await page.keyboard.press('e')
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type('pve1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('web')
  const numbers = page.getByRole('list', { name: 'Free numbers' })
  await numbers.getByText('10.1.4.104').waitFor()
  await expect.poll(() => numbers.locator('li b').first().textContent()).toBe('1404')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.goto(`${visited.base}/inventory?part=conflicts`)
  await page.getByText('10.1.4.101 has several holders:').waitFor()
})

it('the file of a peer is made with its key, a camera reads its code, and nothing of the key stays', async () => {
  const { at, laptop } = world
  await using visited = await visit(at, '/vpn')
  const { page } = visited
  await page.getByRole('button', { name: 'laptop' }).click()
  await page.getByLabel('Private key').fill(laptop.private_key)
  const preshared = randomBytes(32).toString('base64')
  await page.getByLabel('Preshared key').fill(preshared)
  await page.getByRole('button', { name: 'Make file and code' }).click()
  const code = page.getByRole('img', { name: /as a QR code$/ })
  await expect.poll(() => code.evaluate('(one) => one.width')).not.toBe(280)
  const picture = join(folder, 'code.png')
  await code.screenshot({ path: picture })
  const read = await runTool('zbarimg', ['--raw', '-q', picture])
  const config = (await page.locator('dialog pre').textContent())!
  expect(read.trim()).toBe(config.trim())
  expect(config).toContain(`PrivateKey = ${laptop.private_key}\n`)
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await page.content()).not.toContain(laptop.private_key)
  expect(await page.content()).not.toContain(preshared)
  // Without it a text stands in its place: no phone can mend a code.
  await page.getByRole('button', { name: 'laptop' }).click()
  await page.getByRole('button', { name: 'Make file and code' }).click()
  await page.getByText(/^There is no code: a text stands where a key belongs/).waitFor()
  expect(await page.getByRole('img', { name: /as a QR code$/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Close' }).click()
  // A site opens: what its gateway says of itself, with the key that devices know it by.
  await page.getByRole('list', { name: 'Sites' }).getByRole('button').first().click()
  await page.getByText('Its host key').waitFor()
  await page.getByRole('button', { name: 'Copy the public key' }).waitFor()
})

it('what runs and has no domain begins a New domain with its name and target, and stands on the map once deployed', async () => {
  const { at } = world
  const [old] = (await at.call('GET', '/api/domains?q=old.example.com')).body as unknown as readonly [
    { readonly id: number },
  ]
  expect((await at.call('POST', `/api/domains/${old.id}/activate`)).status).toBe(200)
  await using visited = await visit(at, '/')
  const { page, base } = visited
  // What Discover has in red needs somebody on Overview, too.
  const needs = page.getByRole('region', { name: 'Needs you' })
  await needs.getByText(/old\.example\.com: nothing runs where (?:it leads|they lead)\.$/).waitFor()
  await expectNoFindings(page)
  await needs.getByRole('link', { name: 'Discover' }).click()
  await page.waitForURL(`${base}/discover`)
  await page.getByText('old.example.com').waitFor()
  expect((await at.call('POST', `/api/domains/${old.id}/deactivate`)).status).toBe(200)
  await page.getByRole('link', { name: 'New domain for wiki' }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toMatch(/^wiki\./)
  await expect.poll(() => page.getByLabel('Target').inputValue()).toBe('192.168.1.10:13000')
  await deployNotes(at, { domain: 'wiki.home.example', backend_host: '192.168.1.10', backend_port: 13_000 })
  await page.goto(`${base}/map`)
  await page.locator('.map-node', { hasText: 'wiki.home.example' }).click()
  await expect.poll(() => page.locator('.map-node.dim').count()).toBe(0)
  await page.getByRole('link', { name: 'Open the domain' }).waitFor()
  // A machine opens as a part of it, and the whole is one press away.
  await page.locator('.map-node text', { hasText: /^192\.168\.1\.10$/ }).click()
  await page.getByRole('button', { name: 'Show only this part' }).click()
  await page.waitForURL(`${base}/map?machine=192.168.1.10`)
  await page.getByText('Only what is on 192.168.1.10.').waitFor()
  await page.locator('.map-node', { hasText: 'wiki.home.example' }).waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.waitForURL(`${base}/map`)
  await page.getByText('Table', { exact: true }).click()
  await page.getByRole('button', { name: 'wiki.home.example' }).click()
  await page.getByRole('link', { name: 'Open the domain' }).click()
  await page.waitForURL(`${base}/domains/wiki.home.example`)
})

const PAGES = [
  '/ddns',
  '/ssh',
  '/edges',
  '/map',
  '/map?as=table',
  '/lan',
  '/lan?part=strangers',
  '/discover',
  '/inventory',
  '/inventory?part=conflicts',
  '/inventory?part=orphans',
  '/vpn',
]

it.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'dark'],
  [320, 'light'],
] as const)(
  'every page is without findings of axe and never scrolls sideways, at %i pixels, %s',
  async (width, theme) => {
    await using visited = await visit(world.at, '/', {
      width,
      prepare: (page) => page.addInitScript(`localStorage.setItem('plumbline.theme', '${theme}')`),
    })
    const { page, base } = visited
    for (const path of PAGES) {
      await page.goto(base + path)
      await page.locator('main h1').first().waitFor()
      await expectNoFindings(page, path)
    }
  },
)

const MANY = 10_000

it('10,000 assets are a window, filtered and put in order without a request', async () => {
  const asked: string[] = []
  await using visited = await visit(world.at, '/inventory', {
    prepare: (page) =>
      page.route(
        (url) => url.pathname === '/companions/inventory/api/assets',
        async (route) => {
          const response = await route.fetch()
          const [first] = (await response.json()) as readonly object[]
          const json = Array.from({ length: MANY }, (_, index) => ({
            ...first,
            vmid: 1000 + index,
            name: `guest-${index}`,
            addresses: [`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`],
          }))
          await route.fulfill({ response, json })
        },
      ),
  })
  const { page } = visited
  await page.getByRole('button', { name: 'guest-0', exact: true }).waitFor()
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(MANY + 1))
  expect(await page.locator('tbody tr:not(.spacer)').count()).toBeLessThanOrEqual(80)
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('searchbox', { name: 'Filter assets' }).fill('guest-123')
  await expect.poll(() => page.locator('tbody tr:not(.spacer)').count()).toBeLessThanOrEqual(80)
  await page.getByRole('button', { name: 'guest-1234', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Address', exact: true }).click()
  expect(asked.filter((url) => url.includes('/assets?'))).toEqual([])
})
