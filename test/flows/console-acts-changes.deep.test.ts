/** Changes in the console: what waits and by whom, a release and one record of it put back, two compared, the audit trail filtered. */
import { expect, it } from 'vitest'
import { deployNotes, NOTES, useBrowser } from './console-visits.ts'
import { openTestHouse } from './test-house.ts'

const visit = useBrowser()

it.each([1280, 390])(
  'what waits says which fields moved and who saved them, and a plan is made of what is chosen, at %i pixels',
  async (width) => {
    await using at = await openTestHouse()
    await deployNotes(at)
    await deployNotes(at, { domain: 'books.home.example' })
    await at.call('PUT', '/api/domains/1', { body: { backend_port: 3001 } })
    await at.call('PUT', '/api/domains/2', { body: { backend_port: 3002 } })
    await using visited = await visit(at, '/changes', { width })
    const { page } = visited
    const row = page.getByRole('listitem').filter({ hasText: 'notes.home.example' })
    await row.getByText('Port 3000 → 3001').waitFor()
    await row.getByText('by key', { exact: false }).waitFor()
    await page.getByRole('checkbox', { name: 'Plan books.home.example' }).click()
    const plan = page.getByRole('region', { name: 'Plan of 1 domain' })
    await plan.getByRole('button', { name: 'Deploy' }).click()
    await plan.getByRole('heading', { name: 'Proof' }).waitFor()
    expect(at.routes()).toContain('http://192.168.1.20:3001')
    expect(at.routes()).not.toContain('http://192.168.1.20:3002')
    const other = page.getByRole('listitem').filter({ hasText: 'books.home.example' })
    await other.getByRole('button', { name: 'Give up…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Give up/ }).click()
    await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
    expect((await at.call('GET', '/api/domains/2')).body['backend_port']).toBe(3000)
  },
)

it.each([1280, 390])(
  'one record of a release is put back alone, then the whole release, each through its plan, at %i pixels',
  async (width) => {
    await using at = await openTestHouse()
    await deployNotes(at)
    await deployNotes(at, { domain: 'books.home.example' })
    for (const id of [1, 2]) {
      await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 3000 + id } })
      await at.call('POST', `/api/domains/${id}/deploy`)
    }
    await using visited = await visit(at, '/changes?part=releases&a=3&b=5', { width })
    const { page } = visited
    const compared = page.getByRole('region', { name: 'Release 3 to 5' })
    await compared.getByText('Port 3000 → 3001').waitFor()
    const dialog = page.getByRole('dialog')
    const apply = async (name: RegExp) => {
      await dialog.getByRole('button', { name }).click()
      await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
    }
    await compared.getByRole('button', { name: `Restore ${NOTES.domain} to release 3…` }).click()
    await apply(/^Put notes/)
    expect(at.routes()).toContain('http://192.168.1.20:3000')
    expect(at.routes()).toContain('http://192.168.1.20:3002')

    const release = page.getByRole('listitem').filter({ hasText: 'Release 4' }).first()
    await release.getByRole('button', { name: 'What moved' }).click()
    await release.getByRole('button', { name: `Restore ${NOTES.domain} to release 4…` }).waitFor()

    await page.getByRole('button', { name: 'Restore release 3…' }).click()
    await apply(/^Go back/)
    expect(at.routes()).not.toContain('http://192.168.1.20:3002')
  },
)

it('the audit trail is filtered by person, act and time, and a request leads to all that it did', async () => {
  await using at = await openTestHouse()
  await deployNotes(at)
  await at.call('PUT', '/api/domains/1', { body: { backend_port: 3001 } })
  await using visited = await visit(at, '/changes?part=audit')
  const { page } = visited
  const rows = page.locator('tbody tr')
  await page.getByLabel('What').selectOption('update')
  await expect.poll(() => rows.count()).toBe(1)
  expect(page.url()).toContain('action=update')
  await page.getByLabel('When').selectOption('24')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().getByRole('button').click()
  await page.getByRole('button', { name: /^request / }).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByLabel('Who').fill('nobody')
  await page.getByLabel('Who').press('Enter')
  await page.getByText('No entry fits.').waitFor()
  await page.getByRole('button', { name: 'Remove all filters' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(2)
})

it('an act does what was shown, or nothing: where something was released meanwhile, its new plan is shown', async () => {
  await using at = await openTestHouse()
  await deployNotes(at)
  const statusOf = async () => (await at.call('GET', '/api/domains/1')).body['status']
  await using visited = await visit(at, `/domains/${NOTES.domain}`)
  const { page } = visited
  await page.getByRole('button', { name: 'Deactivate…' }).click()
  const dialog = page.getByRole('dialog', { name: `Deactivate ${NOTES.domain}` })
  const press = dialog.getByRole('button', { name: /^Deactivate/ })
  await expect.poll(() => press.isEnabled()).toBe(true)
  await deployNotes(at, { domain: 'books.home.example' })
  await press.click()
  await dialog.getByText(/^Nothing was done: .* This is the new plan\.$/).waitFor()
  expect(await statusOf()).toBe('active')
  await press.click()
  await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
  expect(await statusOf()).toBe('inactive')
})
