/** What a person does in the console, in Debian's Chromium against a real daemon: by pointer, by thumb and by keyboard alone. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { complaintsOf, startBrowser } from '../peers/browser.ts'
import { readHolder } from '../../src/store/files/lock.ts'
import { expectNoFindings } from './console-findings.ts'
import { sayOnFailure } from './console-visits.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const RECORD = {
  domain: 'notes.home.example',
  service_type: 'http',
  environment: 'production',
  backend_host: '192.168.1.20',
  backend_port: 3000,
  auth_required: false,
  backend_scheme: 'http',
}

interface Visit {
  readonly page: Page
  readonly base: string
  readonly complaints: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Signed in by the link that `plumbline console` prints. */
async function visit(at: TestHouse, path: string, width: number): Promise<Visit> {
  const base = readHolder(at.directory)!.listen!
  const browser = await startBrowser()
  const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage()
  const complaints = complaintsOf(page)
  const look = sayOnFailure(page)
  const code = String((await at.call('POST', '/api/session/code')).body['code'])
  await page.goto(`${base}/#k=${code}`)
  await page.getByRole('navigation', { name: 'Where you are' }).waitFor()
  await page.goto(base + path)
  return {
    page,
    base,
    complaints,
    async [Symbol.asyncDispose]() {
      await look()
      await browser.close()
    },
  }
}

const deployRecord = (at: TestHouse) => at.call('POST', '/api/domains/expose', { body: RECORD })

it('an edit that is not saved is planned, and applying that plan saves and deploys it', async () => {
  await using at = await openTestHouse()
  await deployRecord(at)
  await using visited = await visit(at, `/domains/${RECORD.domain}?edit=1`, 1280)
  const { page, complaints } = visited
  await page.getByRole('textbox', { name: 'Port' }).fill('3001')
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await plan.getByText('http://192.168.1.20:3001', { exact: false }).waitFor()
  expect((await at.call('GET', '/api/domains/1')).body).toMatchObject({ backend_port: 3000 })
  await plan.getByRole('button', { name: 'Save and deploy' }).click()
  await plan.getByRole('heading', { name: 'Proof' }).waitFor()
  expect((await at.call('GET', '/api/domains/1')).body).toMatchObject({ backend_port: 3001 })
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(readFileSync(at.house.routes_path, 'utf8')).toContain('http://192.168.1.20:3001')
  expect(complaints).toEqual([])
})

itInDepth.each([1280, 390])(
  'an edit is saved alone, and deployed from Changes, at %i pixels',
  async (width) => {
    await using at = await openTestHouse()
    await deployRecord(at)
    await using visited = await visit(at, `/domains/${RECORD.domain}?edit=1`, width)
    const { page, base, complaints } = visited
    await page.getByRole('textbox', { name: 'Port' }).fill('3002')
    await page.getByRole('button', { name: 'Save only' }).click()
    await page.waitForURL(`${base}/domains/${RECORD.domain}`)
    expect(readFileSync(at.house.routes_path, 'utf8')).toContain('http://192.168.1.20:3000')
    await page.goto(`${base}/changes`)
    const plan = page.getByRole('region', { name: 'Plan of all that is saved' })
    await plan.getByRole('button', { name: 'Deploy' }).click()
    await plan.getByRole('heading', { name: 'Proof' }).waitFor()
    expect(readFileSync(at.house.routes_path, 'utf8')).toContain('http://192.168.1.20:3002')
    expect(complaints).toEqual([])
  },
)

itInDepth(
  'what somebody else saved in between stands beside what was typed, and neither is lost',
  async () => {
    await using at = await openTestHouse()
    await deployRecord(at)
    await using visited = await visit(at, `/domains/${RECORD.domain}?edit=1`, 1280)
    const { page, complaints } = visited
    await page.getByRole('textbox', { name: 'Port' }).fill('3003')
    const plan = page.getByRole('region', { name: 'Plan', exact: true })
    await plan.getByRole('button', { name: 'Save and deploy' }).waitFor()
    await at.call('PUT', '/api/domains/1', { body: { note: 'theirs' } })
    const bar = page.getByRole('alert').filter({ hasText: 'saved by somebody else while you typed' })
    await bar.waitFor()
    expect(await page.getByRole('button', { name: 'Save only' }).isDisabled()).toBe(true)
    await page.getByText('while you typed: choose above.').waitFor()
    await bar.getByRole('button', { name: 'Keep mine' }).click()
    expect(await page.getByRole('button', { name: 'Save only' }).isDisabled()).toBe(false)
    await plan.getByRole('button', { name: 'Save and deploy' }).click()
    await plan.getByRole('heading', { name: 'Proof' }).waitFor()
    expect((await at.call('GET', '/api/domains/1')).body).toMatchObject({
      backend_port: 3003,
      note: 'theirs',
    })
    expect(complaints).toEqual([])
  },
)

itInDepth.each([1280, 390])('what needs somebody is mended from Overview, at %i pixels', async (width) => {
  await using at = await openTestHouse()
  await deployRecord(at)
  await at.call('PUT', '/api/modes/*', { body: { mode: 'observe', reason: 'a journey' } })
  const right = readFileSync(at.house.routes_path, 'utf8')
  writeFileSync(at.house.routes_path, right.replace('192.168.1.20:3000', '192.168.1.20:3999'))
  await at.call('GET', '/api/control-plane/health?probe=true')
  await using visited = await visit(at, '/', width)
  const { page, complaints } = visited
  const needs = page.getByRole('region', { name: 'Needs you' })
  await needs
    .getByRole('button', { name: /^Put back/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Put back/ }).click()
  await dialog.getByRole('heading', { name: 'Proof' }).waitFor()
  // That the hand edit is undone is what was asked for: each step of the proof is as it should be.
  await dialog.getByText('Routes: what was edited by hand', { exact: false }).waitFor()
  const lamps = dialog.locator('.proof .steps [role=img]')
  expect(new Set(await lamps.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))).toEqual(
    new Set(['as it should be']),
  )
  expect(readFileSync(at.house.routes_path, 'utf8')).toBe(right)
  expect(complaints).toEqual([])
})

itInDepth.each([1280, 390])(
  'a name and a target are checked while they are typed, and the plan that is shown is what is applied, at %i pixels',
  async (width) => {
    await using at = await openTestHouse()
    await deployRecord(at)
    await using visited = await visit(at, '/domains/new', width)
    const { page, base, complaints } = visited
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname)
    })
    const name = page.getByLabel('Name')
    await name.fill(RECORD.domain)
    await page.getByText('There is a record of this name').waitFor()
    await page.getByRole('link', { name: 'Open it' }).click()
    await page.waitForURL(`${base}/domains/${RECORD.domain}`)
    await page.goBack()
    await name.fill('photos.home.example')
    await page.getByText('No record has this name.').waitFor()
    await page.getByLabel('Target').fill('127.0.0.1:1')
    await page.getByText('127.0.0.1:1: ').waitFor()
    await page.getByText('open to all', { exact: true }).click()
    const plan = page.getByRole('region', { name: 'Plan', exact: true })
    await plan.getByText('http://127.0.0.1:1', { exact: false }).first().waitFor()
    await plan.getByRole('button', { name: 'Create and deploy' }).click()
    await plan.getByRole('heading', { name: 'Proof' }).waitFor()
    expect(readFileSync(at.house.routes_path, 'utf8')).toContain('http://127.0.0.1:1')
    expect(new Set(asked.map((path) => path.replace(/[\w-]{36}/, 'ID')))).toEqual(
      new Set(['/api/domains/check', '/api/plans', '/api/plans/ID/apply']),
    )
    expect(complaints).toEqual([])
  },
)

const PAGES = [
  '/',
  '/domains',
  `/domains/${RECORD.domain}`,
  '/domains/new',
  '/drift',
  '/changes',
  '/dns',
  '/certificates',
  '/access',
  '/people',
  '/ddns',
  '/ssh',
  '/edges',
  '/map',
  '/map?as=table',
  '/lan',
  '/discover',
  '/inventory',
  '/vpn',
  '/system',
  '/start',
]

itInDepth.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)(
  'every page is without findings of axe and without sideways scrolling, at %i pixels in the %s theme',
  async (width, colorScheme) => {
    await using at = await openTestHouse()
    await deployRecord(at)
    await using visited = await visit(at, '/', width)
    const { page, base, complaints } = visited
    await page.emulateMedia({ colorScheme })
    for (const path of PAGES) {
      await page.goto(base + path)
      await page.locator('main h1, main h2').first().waitFor()
      await expectNoFindings(page, path)
    }
    expect(complaints).toEqual([])
  },
)
