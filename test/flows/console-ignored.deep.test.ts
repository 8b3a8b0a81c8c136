/** A difference that may stay, in the browser: reason and end are asked, it is shown as known, and ended by hand. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expectNoFindings } from './console-findings.ts'
import { useBrowser } from './console-visits.ts'
import { createActive, openTestHouse } from './test-house.ts'

const visit = useBrowser()

it.each([1280, 320])(
  'what differs may stay until an end, for a reason, at %i pixels, and what opens a door may not',
  async (width) => {
    await using at = await openTestHouse()
    const { call, house } = at
    await createActive(call, { auth_required: true })
    const clean = at.routes()
    await call('PUT', '/api/modes/*', { body: { mode: 'observe', reason: 'a journey' } })
    writeFileSync(house.routes_path, clean.replaceAll(/^ *- "?plumbline-(?:sso|auth)[^\n]*\n/gm, ''))
    await using visited = await visit(at, '/drift', { width })
    const { page } = visited
    const press = () => page.getByRole('button', { name: 'Ignore until…' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Ignore until…' })
    await press()
    const ignore = dialog.getByRole('button', { name: 'Ignore', exact: true })
    expect(await ignore.isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('somebody wants it so')
    await ignore.click()
    await dialog.getByText('never ignored').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    writeFileSync(house.routes_path, clean.replace('http://10.0.0.5:8080', 'http://10.0.0.6:8080'))
    await page.getByRole('button', { name: 'Look now' }).click()
    await page.getByText('10.0.0.6:8080').first().waitFor()
    await press()
    await dialog.getByLabel('Reason').fill('moved for a day')
    await dialog.getByText('7 days').click()
    await expectNoFindings(page)
    await ignore.click()
    await page
      .getByText(/Known: moved for a day, until .*, by /)
      .first()
      .waitFor()
    // The list of what is left alone is there before the card is.
    await expect.poll(() => page.getByRole('button', { name: 'Ignore until…' }).count()).toBe(0)
    await expectNoFindings(page)
    const { body } = await call('GET', '/api/drift/ignored')
    expect(body).toMatchObject([{ component: 'routes', reason: 'moved for a day' }])
    await page.getByRole('button', { name: 'Stop ignoring' }).first().click()
    await page.getByRole('button', { name: 'Ignore until…' }).first().waitFor()
    expect((await call('GET', '/api/drift/ignored')).body).toEqual([])
    await expectNoFindings(page)
  },
)
