/** What the companions and System tell is read in the console, over a real daemon and controllers, at most three presses away. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNoFindings } from './console-findings.ts'
import { type ConsoleEstate, openConsoleEstate } from './console-estate.ts'
import { deployNotes, useBrowser } from './console-visits.ts'

const visit = useBrowser()
const CARD = 'bc:24:11:00:00:01'
let world: ConsoleEstate

beforeAll(async () => {
  world = await openConsoleEstate({ prepare: fill })
  await deployNotes(world.at)
})
afterAll(() => world.close())

function fill({ unifi, proxmox }: Pick<ConsoleEstate, 'unifi' | 'proxmox'>): void {
  const client = { _id: 'u1', mac: CARD, hostname: 'dhcp-1', last_seen: 1_700_000_000 }
  unifi.lists
    .set('stat/device', [
      {
        _id: 'd1',
        mac: '02:00:5e:20:00:01',
        name: 'Switch in the attic',
        type: 'usw',
        model: 'US8',
        state: 1,
        port_table: [{ port_idx: 1, name: 'Uplink', up: true, speed: 1000 }, { port_idx: 2 }],
      },
    ])
    .set('stat/alluser', [client])
    .set('rest/user', [client])
    .set('rest/wlanconf', [{ _id: 'w1', name: 'Home Wi-Fi', enabled: true, security: 'wpapsk' }])
    .set('rest/portforward', [
      {
        _id: 'p1',
        name: 'Web',
        enabled: true,
        dst_port: '443',
        fwd: '192.168.1.2',
        fwd_port: '443',
        proto: 'tcp',
      },
    ])
    .set('rest/firewallrule', [{ _id: 'r1', name: 'No guests', ruleset: 'GUEST_IN', action: 'drop' }])
    .set('rest/firewallgroup', [
      { _id: 'g1', name: 'Admins', group_type: 'address-group', group_members: ['192.168.1.5'] },
    ])
  proxmox.guests = [
    ...proxmox.guests,
    {
      type: 'qemu',
      vmid: 1405,
      name: 'paperless',
      config: { net0: `virtio=${CARD.toUpperCase()},bridge=vmbr0` },
    },
  ]
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

it.each([
  ['Ports of devices', 'Switch in the attic', 'up, 1 Gbit/s'],
  ['Seen in 30 days', 'dhcp-1', CARD],
  ['Wi-Fi', 'Home Wi-Fi', 'wpapsk'],
  ['Port forwards', 'Web', '192.168.1.2:443'],
  ['Firewall', 'No guests', 'GUEST_IN'],
  ['Firewall groups', 'Admins', '192.168.1.5'],
])('%s stand on Network, and the third press opens one', async (part, name, says) => {
  await using visited = await visit(world.at, '/')
  const { page } = visited
  await page.getByRole('link', { name: 'Network' }).first().click()
  await page.getByRole('button', { name: part, exact: true }).click()
  await button(page, name).click()
  await page.getByRole('dialog', { name }).getByText(says).first().waitFor()
})

it('a guest gives its client its name: looked at first, written by one press, and nothing is left then', async () => {
  const named = () => (world.unifi.lists.get('rest/user') as readonly { name?: string }[])[0]!.name
  await using visited = await visit(world.at, '/lan')
  const { page } = visited
  await button(page, /^Names of guests/).click()
  const dialog = page.getByRole('dialog', { name: 'Names of guests' })
  await dialog.getByText('1 name would be written.').waitFor()
  expect(named()).toBeUndefined()
  await dialog.getByRole('button', { name: 'Write 1 name' }).click()
  await dialog.getByText('1 name was written.').waitFor()
  expect(named()).toBe('paperless')
})

it.each([
  ['next free', 'Next free'],
  ['check number', 'Check a number'],
  ['add key ssh', 'Add a key'],
  ['add edge', 'Add an edge'],
  ['issue key', 'Issue a key'],
  ['names guests', 'Names of guests'],
])('the palette begins "%s" on its page', async (typed, dialog) => {
  await using visited = await visit(world.at, '/domains')
  const { page } = visited
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a domain, do a thing' }).fill(typed)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: dialog }).waitFor()
  expect(new URL(page.url()).searchParams.get('do')).toBeNull()
})

it('the day of a domain stands on its page, and what nobody looked at is not up', async () => {
  await using visited = await visit(world.at, '/domains/notes.home.example')
  const { page } = visited
  const bars = page.getByRole('img', { name: /^Uptime / })
  await bars.waitFor()
  expect(await bars.locator('rect').count()).toBe(96)
  expect(await bars.locator('rect.up-ok').count()).toBe(0)
  expect(await bars.locator('rect.up-off').count()).toBeGreaterThan(90)
})

it('a number is checked, every address has its holder, and the process is examined by a press', async () => {
  await using visited = await visit(world.at, '/inventory')
  const { page, base } = visited
  await button(page, /^Check a number/).click()
  const dialog = page.getByRole('dialog', { name: 'Check a number' })
  await dialog.getByLabel('Number').fill('1402')
  await dialog.getByText(/^Taken by /).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await button(page, /^Next free/).click()
  const free = page.getByRole('dialog', { name: 'Next free' })
  await free.getByRole('button', { name: 'Hold a number for 10 min' }).click()
  await free.getByText(/Kept from others until/).waitFor()
  const held = await free
    .getByRole('button', { name: /^Copy 1\d{3}/ })
    .first()
    .getAttribute('aria-label')
  expect(held).toMatch(/1\d{3}/)
  await free.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Addresses', { exact: true }).click()
  await page.getByText('10.1.4.101').first().waitFor()
  await page.goto(`${base}/system`)
  await page.getByRole('list', { name: 'What it repeats' }).waitFor()
  await button(page, 'Examine the installation').click()
  await page.getByRole('list', { name: 'Findings' }).getByRole('listitem').first().waitFor()
  await page.goto(`${base}/vpn`)
  await page.getByRole('list', { name: 'Names of the sites' }).getByText('localhost').waitFor()
  await button(page, 'Read all gateways').click()
  await expect.poll(() => button(page, 'Read all gateways').isEnabled()).toBe(true)
})

const PAGES = [
  ...['devices', 'seen', 'networks', 'wifi', 'forwards', 'rules', 'groups'].map(
    (part) => `/lan?part=${part}`,
  ),
  '/domains/notes.home.example',
  '/system',
  '/vpn',
  '/inventory?part=used',
]
const SHOTS = process.env['CONSOLE_SHOTS']

it.each([
  [1280, 'light'],
  [1280, 'dark'],
  [320, 'light'],
] as const)('without findings of axe, never sideways, at %i pixels, %s', async (width, theme) => {
  await using visited = await visit(world.at, '/', {
    width,
    prepare: (page) => page.addInitScript(`localStorage.setItem('plumbline.theme', '${theme}')`),
  })
  const { page, base } = visited
  for (const path of PAGES) {
    await page.goto(base + path)
    await page.locator('main h1').first().waitFor()
    await expectNoFindings(page, path)
    if (SHOTS !== undefined)
      await page.screenshot({ path: `${SHOTS}/${width}-${theme}-${path.replaceAll(/\W+/g, '-')}.png` })
  }
})
