/** Who hears of what, what fires, what is reached by a name, the catalogue, what the proxy runs, and the search: each on its page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALERTMANAGER } from '../peers/alertmanager.ts'
import { describePeers } from '../peers/peers.ts'
import { alertingWorld, WITHIN } from './alerting-world.ts'
import { expectNoFindings } from './console-findings.ts'
import { useBrowser } from './console-visits.ts'
import { notificationsWorld, type NotificationsWorld } from './notifications-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const visit = useBrowser()

describe('a house that is told much', () => {
  let world: NotificationsWorld
  let at: TestHouse

  beforeAll(async () => {
    world = await notificationsWorld()
    const env = { ...world.env, PLUMBLINE_MODE: 'repair', PLUMBLINE_SSH_TARGETS: 'nas=admin@192.168.1.5:22' }
    at = await openTestHouse({ env })
    await createActive(at.call, { middleware_config: { extra_middlewares: ['rate-limit'] } })
    const beat = await at.call('POST', '/api/heartbeats', { body: { name: 'nightly-copy' } })
    expect(beat.status).toBe(201)
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  it('System has who hears of a trouble, whether mail goes out, and who reports', async () => {
    await using visited = await visit(at, '/')
    const { page } = visited
    await page.getByRole('link', { name: 'System' }).first().click()
    const heard = page.getByRole('list', { name: 'Who hears of a trouble' })
    await heard.getByText('ops@example.net').waitFor()
    // Nothing was sent yet, so nobody knows that it would arrive.
    await expect.poll(() => heard.getByText('nothing was sent yet').count()).toBe(2)
    await page.getByText('Mail could be sent.').waitFor()
    await page.getByRole('list', { name: 'Verified senders' }).getByText('plumbline@example.com').waitFor()
    await page.getByRole('list', { name: 'Who reports' }).getByText('has not reported yet').waitFor()
    await page.getByText('PLUMBLINE_ALERTMANAGER_URL').first().waitFor()
    await expectNoFindings(page)
  })

  it.each([1280, 320])(
    'targets, the catalogue and what the proxy runs stand on their pages, at %i',
    async (width) => {
      await using visited = await visit(at, '/ssh', { width })
      const { page, base } = visited
      await page.getByText('admin@192.168.1.5:22').first().waitFor()
      await page.getByText('not released').or(page.getByText('new')).first().waitFor()
      await expectNoFindings(page)
      await page.goto(`${base}/access`)
      await page.getByText('rate-limit', { exact: true }).first().waitFor()
      await expectNoFindings(page)
      await page.goto(`${base}/domains/app.example.com`)
      await page.getByText('Not set up. With PLUMBLINE_TRAEFIK_METRICS').waitFor()
      await expectNoFindings(page)
      await page.goto(`${base}/changes?part=releases`)
      await page.getByText('Not set up. With PLUMBLINE_TRAEFIK_API').waitFor()
      await expectNoFindings(page)
    },
  )

  it('the palette finds by the API what it has not loaded, and leads there', async () => {
    await using visited = await visit(at, '/')
    const { page } = visited
    await page.getByRole('button', { name: 'Find a domain, do a thing' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox')
    await field.fill('PLUMBLINE_SMTP_SERVER')
    await page.getByRole('option', { name: /^PLUMBLINE_SMTP_SERVER/ }).waitFor()
    await expectNoFindings(page)
    await field.press('Enter')
    await page.waitForURL(/\/system\?setting=PLUMBLINE_SMTP_SERVER/)
    await page.getByText('PLUMBLINE_SMTP_SERVER', { exact: true }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('nothing-is-called-so')
    await page.getByText('Nothing is called so.').waitFor()
  })
})

describePeers([ALERTMANAGER, 'openssl'], 'a real alert router', () => {
  it('what fires stands on System; that the router does not answer is no empty list', async () => {
    const world = await alertingWorld()
    try {
      const at = await world.open()
      await using visited = await visit(at, '/system', { may_complain_of: '503' })
      const { page } = visited
      await page.getByText('What fires could not be loaded.').waitFor()
      expect(await page.getByText('Nothing fires').count()).toBe(0)
      await world.startRouter()
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await page.getByText('Nothing fires at the alert router.').waitFor()
      await at.call('POST', '/api/alerts/test', { body: { severity: 'critical' } })
      await expect
        .poll(async () => ((await at.call('GET', '/api/alerts')).body as unknown as []).length, WITHIN)
        .toBe(1)
      await page.reload()
      const fires = page.getByRole('list', { name: 'What fires' })
      await fires.getByText('PlumblineTest').waitFor()
      await fires.getByText(/critical/).waitFor()
    } finally {
      await world.close()
    }
  })
})
