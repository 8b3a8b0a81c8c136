/** The table of domains in the console: keys of its rows, columns, views that are kept, rows that keep their place. */
import { expect, it } from 'vitest'
import { deployNotes, useBrowser } from './console-visits.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const visit = useBrowser()

async function three(at: TestHouse): Promise<void> {
  for (const name of ['books', 'chat', 'notes']) await deployNotes(at, { domain: `${name}.home.example` })
}

it('rows are gone through, chosen, looked into and opened by keys alone', async () => {
  await using at = await openTestHouse()
  await three(at)
  await using visited = await visit(at, '/domains')
  const { page, base } = visited
  await page.getByRole('link', { name: 'books.home.example' }).waitFor()
  const keys = async (...pressed: readonly string[]) => {
    for (const key of pressed) await page.keyboard.press(key)
  }
  await keys('j', 'Shift+ArrowDown')
  const strip = page.getByRole('region', { name: 'What is chosen' })
  await strip.getByText('2 chosen').waitFor()
  await keys('Space')
  const why = page.getByRole('dialog', { name: 'chat.home.example' })
  await why.getByText('Route:', { exact: false }).first().waitFor()
  await keys('Escape')
  await why.waitFor({ state: 'detached' })
  await keys('Escape')
  await strip.waitFor({ state: 'detached' })
  await keys('Control+a')
  await strip.getByText('3 chosen').waitFor()
  await keys('Escape', 'j', 'j', 'Enter')
  await page.waitForURL(/\/domains\/[a-z]+\.home\.example$/)
  await keys('g', 'd')
  await page.waitForURL(`${base}/domains`)
  await page.getByRole('link', { name: 'books.home.example' }).waitFor()
  await keys('j', 'e')
  await page.waitForURL(`${base}/domains/books.home.example?edit=1`)
})

it('columns stand in the address, and a view that is kept is there after a reload', async () => {
  await using at = await openTestHouse()
  await three(at)
  await at.call('PUT', '/api/domains/2', { body: { note: 'talk', tags: ['media'] } })
  await using visited = await visit(at, '/domains')
  const { page } = visited
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Note', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Kind', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Note' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Kind' }).count()).toBe(0)
  await page.getByRole('cell', { name: 'talk' }).waitFor()
  expect(new URL(page.url()).searchParams.get('cols')).toBe('target,lamps,access,tags,note,saved')
  await page
    .getByRole('searchbox', { name: 'Filter' })
    .or(page.getByLabel('Filter'))
    .first()
    .fill('tag:media')
  await page.getByRole('button', { name: 'Keep this view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep this view' })
  await dialog.getByLabel('Name', { exact: true }).fill('Talking')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('button', { name: 'All 3', exact: true }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Talking' }).click()
  await expect.poll(() => page.locator('tbody tr[data-row]').count()).toBe(1)
  await page.getByRole('button', { name: 'Forget this view' }).click()
  await page.getByRole('button', { name: 'Talking' }).waitFor({ state: 'detached' })
})

it('a row that somebody else saves keeps its place, says that it would stand elsewhere, and goes there when told', async () => {
  await using at = await openTestHouse()
  await three(at)
  await using visited = await visit(at, '/domains?sort=target')
  const { page } = visited
  const names = () => page.locator('tbody tr[data-row] td.name').allTextContents()
  await expect
    .poll(async () => (await names()).map((one) => one.trim().split('.')[0]))
    .toEqual(['books', 'chat', 'notes'])
  await at.call('PUT', '/api/domains/1', { body: { backend_host: '192.168.1.99' } })
  await page.getByText('1 row changed and would stand elsewhere.').waitFor()
  await page.getByRole('cell', { name: '192.168.1.99:3000' }).waitFor()
  expect((await names())[0]).toContain('books')
  expect(await page.locator('tr.would').count()).toBe(1)
  await page.getByRole('button', { name: 'Sort again' }).click()
  await expect.poll(async () => (await names()).at(-1)).toContain('books')
  expect(await page.locator('tr.would').count()).toBe(0)
})
