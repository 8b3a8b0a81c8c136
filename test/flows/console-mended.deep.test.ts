/** What strangers met in the console and stumbled over: each in the browser, against a real daemon. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { deployNotes, NOTES, useBrowser } from './console-visits.ts'
import { openTestHouse } from './test-house.ts'

const visit = useBrowser()
const PAGE = `/domains/${NOTES.domain}`

it('after a deploy the form has gone and its proof stands; the history opens with old and new, and leads back', async () => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await using visited = await visit(at, `${PAGE}?edit=1`)
  const { page } = visited
  await page.getByRole('textbox', { name: 'Port' }).fill('3001')
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await plan.getByRole('button', { name: 'Save and deploy' }).click()
  await plan.getByRole('heading', { name: 'Proof' }).waitFor()
  await page.getByRole('heading', { name: 'Three editions' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Port' }).count()).toBe(0)
  expect(await page.getByText('Nothing has been changed.').count()).toBe(0)
  expect(new URL(page.url()).search).toBe('')
  // Edited once more, it is a form again.
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Port' }).waitFor()
  await page.getByRole('button', { name: 'Leave it' }).click()
  await page.getByRole('link', { name: 'History', exact: true }).click()
  const entry = page.locator('.hist details').filter({ hasText: 'saved' }).first()
  await entry.locator('summary').click()
  await entry.getByText('Port 3000 → 3001', { exact: false }).first().waitFor()
  const from = page.getByLabel('As it stood in')
  expect(await from.locator('option:checked').innerText()).not.toContain('the present one')
  expect(await from.locator('option').first().innerText()).toContain('the present one')
  await page.getByRole('link', { name: 'Compare with the present one' }).click()
  const compared = page.getByRole('region', { name: /^Release \d+ to \d+$/ })
  await compared.getByText('Port 3000 → 3001', { exact: false }).waitFor()
  await page.getByRole('button', { name: `only ${NOTES.domain} ✕` }).waitFor()
})

it('a new domain that is typed outlives the page, without a password; Enter waits for what is on its way', async () => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await using visited = await visit(at, '/domains/new')
  const { page, base } = visited
  await page.getByLabel('Name').fill('photos.home.example')
  await page.getByLabel('Target').fill('http://ana:secret@192.168.1.9:80')
  const stored = () => page.evaluate<string>('JSON.stringify(sessionStorage)')
  await expect.poll(stored).toContain('photos.home.example')
  expect(await stored()).not.toContain('secret')
  await page.reload()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('photos.home.example')
  // Left for another page, there is nothing to keep.
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByRole('region', { name: 'Everything that is looked at' }).waitFor()
  await expect.poll(stored).not.toContain('photos')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/domains', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('notes')
  await page.keyboard.press('Enter')
  await page.getByText('As soon as the domains are here').waitFor()
  held.resolve()
  await page.waitForURL(base + PAGE)
  // What the letters and shapes of lamps stand for.
  await page.goto(`${base}/domains`)
  await page.getByText('R Route D DNS C Certificate S Sign-in P Probe').waitFor()
  await page.getByRole('columnheader', { name: /^Lamps / }).waitFor()
  await page.getByRole('button', { name: 'What the lamps say' }).click()
  const keys = page.getByRole('dialog', { name: 'Keys' })
  expect(await keys.innerText()).toMatch(/R Route[\s\S]*waits for a deploy/)
})

it('what stands in the way is above the lines that would be written, and named beside the button', async () => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await using visited = await visit(at, `${PAGE}?edit=1`)
  const { page } = visited
  await page.getByText('open to all', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Port' }).fill('3002')
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await plan.getByText('http://192.168.1.20:3002', { exact: false }).first().waitFor()
  await expect.poll(() => plan.getByRole('button', { name: 'Save and deploy' }).isEnabled()).toBe(true)
  // All of it of one plan: another may come in between.
  const { warned, said, order } = await plan.evaluate((box) => ({
    warned: box.querySelectorAll('.note').length,
    said: box.querySelector('footer')!.innerText,
    order: [...box.querySelectorAll('.note, .why, .diff')].map((one) =>
      one.matches('.diff') ? 'diff' : 'said',
    ),
  }))
  expect(said.includes('Above:')).toBe(warned > 0)
  expect(order.indexOf('diff')).toBe(order.filter((one) => one === 'said').length)
  expect(readFileSync(at.house.routes_path, 'utf8')).toContain('192.168.1.20:3000')
})
