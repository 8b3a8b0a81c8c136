/** Acts of the console for many domains and for one, each from its plan to its proof, in Debian's Chromium against a real daemon. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { expectNoFindings } from './console-findings.ts'
import { useBrowser } from './console-visits.ts'
import { newFolder } from '../kit/new-folder.ts'

const visit = useBrowser()

const recordOf = (name: string) => ({
  domain: `${name}.home.example`,
  service_type: 'http',
  environment: 'production',
  backend_host: '192.168.1.20',
  backend_port: 3000,
  auth_required: true,
  backend_scheme: 'http',
})

/** Live, and one more that is saved only. */
async function three(at: TestHouse): Promise<void> {
  for (const name of ['books', 'chat']) await at.call('POST', '/api/domains/expose', { body: recordOf(name) })
  await at.call('POST', '/api/domains', { body: { ...recordOf('next'), status: 'inactive' } })
}

const all = async (at: TestHouse) =>
  ((await at.call('GET', '/api/domains')).body as never as Record<string, unknown>[]).toSorted((a, b) =>
    String(a['domain']).localeCompare(String(b['domain'])),
  )

it.each([1280, 390])(
  'what is chosen gets another sign-in and tags by one plan each, and nothing else of it is touched, at %i pixels',
  async (width) => {
    await using at = await openTestHouse()
    await three(at)
    await using visited = await visit(at, '/domains', { width })
    const { page } = visited
    for (const name of ['books', 'chat', 'next'])
      await page.getByRole('checkbox', { name: `Choose ${name}.home.example` }).click()
    const strip = page.getByRole('region', { name: 'What is chosen' })
    await strip.getByRole('button', { name: 'Sign-in…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign-in of 3 domains' })
    await dialog.getByText('open to all', { exact: true }).click()
    await dialog.getByText('next.home.example is inactive', { exact: false }).waitFor()
    expect((await all(at)).map((row) => row['auth_required'])).toEqual([true, true, true])
    await dialog.getByRole('button', { name: 'Save and deploy' }).click()
    await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
    expect((await all(at)).map((row) => row['auth_required'])).toEqual([false, false, false])
    expect(at.routes()).not.toContain('next.home.example')
    await dialog.getByRole('button', { name: 'Close' }).click()

    await strip.getByRole('button', { name: 'Tag…' }).click()
    const tags = page.getByRole('dialog', { name: 'Tags of 3 domains' })
    await tags
      .getByRole('textbox', { name: 'Add' })
      .or(tags.getByRole('combobox', { name: 'Add' }))
      .fill('media docs')
    await tags.getByRole('button', { name: 'Save and deploy' }).click()
    await tags.getByRole('heading', { name: 'Proof' }).waitFor()
    expect((await all(at)).map((row) => row['tags'])).toEqual(Array(3).fill(['media', 'docs']))
  },
)

it('a choice that nothing of is live is saved, one field of all of them, and those that are so already stay out', async () => {
  await using at = await openTestHouse()
  await three(at)
  await at.call('POST', '/api/domains', { body: { ...recordOf('other'), status: 'inactive', dns_ttl: 120 } })
  await using visited = await visit(at, '/domains?q=is%3Ainactive')
  const { page } = visited
  await page.getByRole('checkbox', { name: 'Choose all 2' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Change one field…' }).click()
  const dialog = page.getByRole('dialog', { name: 'One field of 2 domains' })
  await dialog.getByLabel('Field').selectOption('TTL')
  await dialog.getByLabel('New value').fill('120')
  await dialog.getByText('1 of them are so already').waitFor()
  await dialog.getByRole('button', { name: /^Save/ }).click()
  await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
  expect((await all(at)).map((row) => row['dns_ttl'])).toEqual([null, null, 120, 120])
})

it('what is chosen is taken out of service and brought back by one plan each, and a guard asks for the signs of the plan', async () => {
  await using at = await openTestHouse()
  await three(at)
  await using visited = await visit(at, '/domains')
  const { page } = visited
  await page.getByRole('checkbox', { name: 'Choose all 3' }).click()
  const act = async (name: string, typed = false) => {
    await page.getByRole('region', { name: 'What is chosen' }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: `${name}…` }).click()
    const dialog = page.getByRole('dialog')
    const apply = dialog.getByRole('button', { name: new RegExp(`^${name}`) })
    await apply.waitFor()
    const asked = dialog.getByRole('textbox', { name: /^Type/ })
    if (typed) {
      expect(await apply.isDisabled()).toBe(true)
      const label = await dialog.locator('label').textContent()
      await asked.fill(/Type ([0-9a-f]{8})/.exec(label!)![1]!)
    }
    await apply.click()
    await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
  }
  // All that is live: a guard wants the plan's own signs.
  await act('Deactivate 2', true)
  expect((await all(at)).map((row) => row['status'])).toEqual(['inactive', 'inactive', 'inactive'])
  expect(at.routes()).not.toContain('books.home.example')
  await act('Activate 3')
  expect((await all(at)).map((row) => row['status'])).toEqual(['active', 'active', 'active'])
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 3001 } })
  await act('Put back to the release 1')
  expect((await all(at)).map((row) => row['backend_port'])).toEqual([3000, 3000, 3000])
})

it.each([1280, 390])(
  'a domain is renamed, duplicated, disabled and deleted from its page, each with its proof, at %i pixels',
  async (width) => {
    await using at = await openTestHouse()
    await three(at)
    await using visited = await visit(at, '/domains/books.home.example', { width })
    const { page, base } = visited
    const more = async (name: string) => {
      await page.getByRole('button', { name: 'More acts' }).click()
      await page.getByRole('button', { name }).click()
    }
    const dialog = page.getByRole('dialog')
    await more('Rename…')
    await dialog.getByLabel('Name', { exact: true }).fill('library.home.example')
    await dialog.getByRole('button', { name: 'Rename and deploy' }).click()
    await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
    await page.waitForURL(`${base}/domains/library.home.example`)
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(at.routes()).not.toContain('books.home.example')

    await more('Duplicate…')
    await page.waitForURL(`${base}/domains/new?copy=library.home.example`)
    await page.getByLabel('Name', { exact: true }).fill('shelf.home.example')
    await page.getByLabel('TTL').fill('120')
    await page.getByLabel('Tags').fill('books')
    await page.getByRole('button', { name: 'Create and deploy' }).click()
    await page.getByRole('heading', { name: 'Proof' }).waitFor()
    expect((await at.call('GET', '/api/domains/4')).body).toMatchObject({
      domain: 'shelf.home.example',
      status: 'active',
      backend_port: 3000,
      dns_ttl: 120,
      tags: ['books'],
    })

    await page.getByRole('link', { name: 'Open the domain' }).click()
    await more('Disable for good…')
    await dialog.getByRole('button', { name: /^Disable shelf/ }).click()
    await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect((await at.call('GET', '/api/domains/4')).body['status']).toBe('disabled')

    await more('Delete…')
    await dialog.getByRole('button', { name: /^Delete shelf/ }).click()
    await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
    await page.waitForURL(`${base}/domains`)
    expect((await at.call('GET', '/api/domains/4')).status).toBe(404)
  },
)

it.each([1280, 390])(
  'a difference says what happens next by itself, and a suspension ends at a time that was typed, at %i pixels',
  async (width) => {
    await using at = await openTestHouse()
    await three(at)
    await at.call('PUT', '/api/modes/*', { body: { mode: 'observe', reason: 'a journey' } })
    writeFileSync(at.house.routes_path, at.routes().replace('192.168.1.20:3000', '192.168.1.20:3999'))
    await using visited = await visit(at, '/drift', { width })
    const { page } = visited
    await page.getByText('Next: nothing by itself, it is only observed.').first().waitFor()
    await page.getByRole('button', { name: 'Suspend…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend…' })
    await dialog.getByLabel('Reason').fill('firewall work')
    await dialog.getByText('until…').click()
    const suspend = dialog.getByRole('button', { name: 'Suspend', exact: true })
    expect(await suspend.isDisabled()).toBe(true)
    const end = new Date(Date.now() + 50 * 3_600_000)
    const local = new Date(end.getTime() - end.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    await dialog.getByLabel('Until when').fill(local)
    await suspend.click()
    await page.getByText('Everything is suspended').waitFor()
    await page.getByText('Next: nothing, it is suspended for another 2 d.').first().waitFor()
    const { settings } = (await at.call('GET', '/api/modes')).body as never as { settings: object[] }
    expect(settings).toMatchObject([{ scope: '*', mode: 'suspend', reason: 'firewall work' }])
  },
)

it('the palette finds what can be done with a domain, and a new one says how many factors are asked for', async () => {
  const folder = newFolder('acts')
  await using at = await openTestHouse({
    env: {
      PLUMBLINE_SSO_RULES_FILE: join(folder, 'access-control.yml'),
      PLUMBLINE_SSO_POLICY: 'two_factor',
    },
  })
  await three(at)
  await using visited = await visit(at, '/')
  const { page, base } = visited
  // Every page of the rail is found by its name, and gone to by its key.
  await page.getByRole('button', { name: 'Find a domain, do a thing' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.waitForURL(`${base}/map`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('certif')
  await page.getByRole('option', { name: /^Certificates/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/certificates`)
  await page.getByRole('button', { name: 'Find a domain, do a thing' }).click()
  await page.getByRole('combobox').fill('books')
  const found = page.getByRole('option')
  await expect
    .poll(() => found.allTextContents())
    .toEqual([
      'books.home.exampledomain',
      'Edit books.home.exampledo',
      'Who can open books.home.exampleask',
      'Duplicate books.home.exampledo',
    ])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/domains/books.home.example?edit=1`)
  await page.goto(`${base}/domains/new`)
  await page.getByText('Everybody who signs in with two factors.').waitFor()
  await page.getByText('open to all', { exact: true }).click()
  await page.getByText('Anybody who knows the name can open it').waitFor()
})

/** Each page below it is looked at in all four by the journeys. */
const LOOKS = [
  [1280, 'dark'],
  [390, 'light'],
] as const

it('what opens over a page is without findings of axe and widens nothing, wide and dark, narrow and light', async () => {
  await using at = await openTestHouse()
  await three(at)
  await using visited = await visit(at, '/domains')
  const { page, base } = visited
  const choose = async () => {
    for (const name of ['books', 'next'])
      await page.getByRole('checkbox', { name: `Choose ${name}.home.example` }).click()
  }
  const press = (name: string) => page.locator('main').getByRole('button', { name, exact: true }).click()
  const openings: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['/domains', async () => (await choose(), press('Sign-in…'))],
    ['/domains', async () => (await choose(), press('Tag…'))],
    ['/domains', async () => (await choose(), press('More'))],
    ['/domains?q=is:inactive+tag:x', () => press('Keep this view')],
    ['/domains/books.home.example', () => press('More acts')],
    ['/domains/books.home.example', async () => (await press('More acts'), press('Rename…'))],
    ['/domains/books.home.example?tab=history', () => page.getByText('As it stood in').waitFor()],
    ['/domains/new?copy=books.home.example', () => page.getByLabel('TTL').waitFor()],
    [
      '/changes?part=releases&a=2&b=3',
      () => page.getByRole('button', { name: 'What moved' }).first().click(),
    ],
  ]
  for (const [path, open] of openings)
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(base + path)
      await page.locator('main h1').first().waitFor()
      await open()
      await expectNoFindings(page, `${path} ${width} ${colorScheme}`)
    }
})
