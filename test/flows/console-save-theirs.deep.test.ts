/** A hand edit that is to stay for good: saved as an edit from the drift card or the domain's page; one that may stay for a while is listed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expectNoFindings } from './console-findings.ts'
import { useBrowser } from './console-visits.ts'
import { createActive, openTestHouse } from './test-house.ts'

const visit = useBrowser()
const WEEK = () => new Date(Date.now() + 7 * 86_400_000).toISOString()

it.each([
  [1280, '/drift'],
  [320, '/domains/app.example.com'],
])('what a hand made is saved as an edit, at %i pixels from %s', async (width, path) => {
  await using at = await openTestHouse()
  const { call, house } = at
  const id = await createActive(call)
  const clean = at.routes()
  await call('PUT', '/api/modes/*', { body: { mode: 'observe', reason: 'a journey' } })
  const edited = clean.replace('http://10.0.0.5:8080', 'http://10.0.0.6:8080')
  writeFileSync(house.routes_path, edited)
  await using visited = await visit(at, path, { width })
  const { page } = visited
  await page
    .getByRole('button', { name: /^Save theirs as an edit/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Save theirs as an edit' })
  await dialog.getByText(/Saved: .*10\.0\.0\.5 becomes 10\.0\.0\.6/).waitFor()
  await dialog.getByText(/Until it is deployed/).waitFor()
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: /^Save theirs as an edit/ }).click()
  await dialog
    .getByText(/pending until it is deployed/)
    .first()
    .waitFor()
  expect((await call('GET', `/api/domains/${id}`)).body).toMatchObject({ backend_host: '10.0.0.6' })
  expect(readFileSync(house.routes_path, 'utf8')).toBe(edited)
  await expectNoFindings(page)
})

it('what is ignored is listed with its reason, end and author, and its end is one press', async () => {
  await using at = await openTestHouse()
  const { call, house } = at
  await createActive(call)
  await call('PUT', '/api/modes/*', { body: { mode: 'observe', reason: 'a journey' } })
  writeFileSync(house.routes_path, at.routes().replace('http://10.0.0.5:8080', 'http://10.0.0.6:8080'))
  const item = encodeURIComponent('http.services.plumbline-site_app.example.com')
  const body = { reason: 'moved for a week', until: WEEK() }
  expect((await call('PUT', `/api/drift/ignored/${item}`, { body })).status).toBe(200)
  await using visited = await visit(at, '/drift')
  const { page } = visited
  const list = page.getByRole('list', { name: 'What is ignored' })
  await list
    .getByText(/Known: moved for a week, until .*, by /)
    .first()
    .waitFor()
  await expectNoFindings(page)
  await list.getByRole('button', { name: 'Stop ignoring' }).first().click()
  await page.getByText('A difference that may stay until an end').waitFor()
  expect((await call('GET', '/api/drift/ignored')).body).toEqual([])
})
