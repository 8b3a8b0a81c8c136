/** Certificates, DNS, Access and People in a real browser, over real PowerDNS, a real authority, a users file and a mail server. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { movedClock } from '../kit/moved-clock.ts'
import { makeAuthority, startAcmeStub } from '../fakes/acme/acme-stub.ts'
import { problem } from '../fakes/acme/misconduct.ts'
import { describePeers } from '../peers/peers.ts'
import { CERTIFICATE_PROGRAMS, type CertificatesWorld, startWorld } from './certificates-world.ts'
import { expectNoFindings } from './console-findings.ts'
import { MANY_CERTIFICATES, showManyCertificates } from './console-many.ts'
import { deployNotes, hearsNoMore, holdStream, useBrowser } from './console-visits.ts'
import { type PeopleWorld, peopleWorld } from './people-world.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

const visit = useBrowser()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONE = 'kept.test'
const PUBLIC = '203.0.113.7'
const PAGES = ['/certificates', '/dns', '/access', '/people'] as const

const proof = (page: Page) => page.getByRole('heading', { name: 'Proof' }).waitFor()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

describePeers(CERTIFICATE_PROGRAMS, 'the pages of what is kept true', () => {
  let world: CertificatesWorld
  let people: PeopleWorld
  let at: SsoHouse
  beforeAll(async () => {
    world = await startWorld([ZONE])
    people = await peopleWorld()
    at = await openSsoHouse({
      users_path: people.users_path,
      env: { ...world.env, ...people.env, PLUMBLINE_PUBLIC_IP: PUBLIC },
    })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await people[Symbol.asyncDispose]()
    await world.stop()
  })

  it('a record of a stranger that stands in the way of a domain is taken over, and the domain gets its own', async () => {
    const name = `taken.${ZONE}`
    await world.dns.put(ZONE, { name, type: 'A', ttl: 300, values: ['192.0.2.44'] })
    const id = await create(at.call, { domain: name })
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(409)
    await using visited = await visit(at, '/dns')
    const { page } = visited
    await button(page, 'Take a record over').click()
    const dialog = page.getByRole('dialog', { name: 'Take a record over' })
    await dialog.getByRole('combobox', { name: 'Name' }).fill(name)
    await button(page, 'Take it over').click()
    await proof(page)
    // What is adopted stays as it is until its domain is deployed.
    expect(await world.dns.dig(name, 'A')).toEqual(['192.0.2.44'])
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
    expect(await world.dns.dig(name, 'A')).toEqual([PUBLIC])
    // A stranger puts theirs in its place: shown as somebody else's, and taken over from its row.
    await world.dns.take(ZONE, { name, type: 'A' })
    await world.dns.put(ZONE, { name, type: 'A', ttl: 3600, values: ['192.0.2.45'] })
    await page.keyboard.press('r')
    const row = page.getByRole('row', { name: new RegExp(`${name}.*somebody else’s`) })
    await row.waitFor()
    expect(await row.getByRole('img', { name: 'differs' }).count()).toBe(1)
    await row.getByRole('button', { name }).click()
    const panel = page.getByRole('dialog', { name: `A ${name}` })
    await panel.getByText('192.0.2.45', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Take it over' }).click()
    await page
      .getByRole('dialog', { name: 'Take it over' })
      .getByRole('button', { name: /^Take it over/ })
      .click()
    await proof(page)
    await expect.poll(() => world.dns.dig(name, 'A')).toEqual([PUBLIC])
  })

  it('a person is invited, put into another group and revoked, and what is lost by it is said before', async () => {
    await createActive(at.call, { domain: `wiki.${ZONE}`, auth_required: true })
    await using visited = await visit(at, '/people')
    const { page } = visited
    await button(page, 'Invite').click()
    const invite = page.getByRole('dialog', { name: 'Invite a person' })
    await invite.getByLabel('Mail').fill('jo@example.net')
    await invite.getByLabel('Name').fill('José Müller')
    await invite.getByLabel('Groups').fill('family')
    await invite.getByText('user jose.muller').waitFor()
    expect(people.user('jose.muller')).toBeUndefined()
    await invite.getByText('The mail as it would go to jo@example.net').click()
    await invite.getByText('User name: jose.muller').first().waitFor()
    // What was typed is not lost by one key.
    await page.keyboard.press('Escape')
    await invite.getByText('What was typed here is lost by closing.').waitFor()
    await invite.getByLabel('Groups').fill('family')
    await invite.getByText('What was typed here is lost by closing.').waitFor({ state: 'detached' })
    // Pressed twice it is done once, and its proof stays to be read.
    await invite.getByRole('button', { name: /^Invite/ }).dblclick()
    await proof(page)
    expect(people.user('jose.muller')).toMatchObject({ groups: ['family'], disabled: false })
    expect(people.sink.mails.length).toBe(1)
    await invite.getByText('The mail as it went').click()
    expect(await invite.locator('pre').textContent()).toContain('https://auth.example.com')
    await invite.getByRole('button', { name: 'Close' }).click()
    await button(page, 'José Müller').click()
    const panel = page.getByRole('dialog', { name: 'Person jose.muller' })
    await panel.getByRole('button', { name: 'Groups' }).click()
    const regroup = page.getByRole('dialog', { name: 'Groups of José Müller' })
    await regroup.getByLabel('Groups').fill('family, staff')
    await regroup.getByRole('button', { name: /^Put them/ }).click()
    await proof(page)
    expect(people.user('jose.muller')?.groups).toEqual(['family', 'staff'])
    await regroup.getByRole('button', { name: 'Close' }).click()
    await panel.getByRole('button', { name: 'Revoke' }).click()
    const revoke = page.getByRole('dialog', { name: 'Revoke José Müller' })
    await revoke.getByText(`wiki.${ZONE}`).waitFor()
    expect(people.user('jose.muller')?.disabled).toBe(false)
    await revoke.getByRole('button', { name: /^Revoke for good/ }).click()
    await proof(page)
    expect(people.user('jose.muller')?.disabled).toBe(true)
    await revoke.locator('.proof').getByText('until somebody restarts it').waitFor()
    await revoke.getByText(`wiki.${ZONE}`).waitFor()
    await revoke.getByRole('button', { name: 'Close' }).click()
    // That nobody restarts the provider here stays to be read, when the dialog is gone.
    await panel.getByText('jose.muller signs in as before').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /José Müller.*revoked/ }).waitFor()
    // And by the rules they open nothing any more, which nothing proves.
    await page.goto(`${visited.base}/access?user=jose.muller&host=wiki.${ZONE}`)
    const answer = page.getByRole('table').first()
    await answer.getByRole('cell', { name: 'no, not proven', exact: true }).waitFor()
    await page.getByText('Revoked, and not proven: jose.muller.').waitFor()
    await page.goto(`${visited.base}/domains/wiki.${ZONE}?tab=access`)
    await page.getByRole('row', { name: /^no, not proven jose\.muller .*signs in as before/ }).waitFor()
  })

  it('a certificate that will not renew is followed to its cause, and obtained once that is mended', async () => {
    const name = `nas.${ZONE}`
    const files = await makeAuthority()
    const authority = await startAcmeStub(files)
    const clock = movedClock()
    const windowFrom = (ahead_ms: number) => ({
      start: new Date(clock.now() + ahead_ms).toISOString(),
      end: new Date(clock.now() + ahead_ms + 2 * HOUR).toISOString(),
    })
    authority.ways.renewal = windowFrom(30 * DAY)
    await using own = await openTestHouse({
      env: {
        ...world.dns.env,
        PLUMBLINE_ACME_DIRECTORY: authority.directory_url,
        PLUMBLINE_ACME_CA_FILE: authority.ca_file,
      },
      clock,
    })
    await createActive(own.call, { domain: name, service_type: 'internal' })
    clock.step(7 * HOUR)
    authority.ways.days += 1
    authority.ways.renewal = windowFrom(-3 * HOUR)
    authority.misbehave('new-order', problem('rejectedIdentifier', 'The policy forbids this name.'))
    await own.call('POST', '/api/tls/reconcile')
    await using visited = await visit(own, '/certificates')
    const { page } = visited
    const failing = page.getByRole('row', { name: new RegExp(`${name}.*The policy forbids this name`) })
    await failing.waitFor()
    expect(await failing.getByRole('img', { name: 'wrong' }).count()).toBe(1)
    await failing.getByRole('button', { name }).click()
    const panel = page.getByRole('dialog', { name: `Certificate ${name}` })
    await panel.getByText(/The policy forbids this name/).waitFor()
    await panel.getByText(/Next try in .* What works stays in use/).waitFor()
    await panel.getByRole('button', { name: 'Obtain now' }).click()
    const asking = page.getByRole('dialog', { name: 'Obtain now' })
    await asking.getByText(/a new one for .*the last try failed/).waitFor()
    await asking.getByRole('button', { name: /^Obtain now/ }).click()
    await asking.getByText(/certificates? (?:is|are) there/).waitFor()
    await asking.getByRole('button', { name: 'Close' }).click()
    await panel.getByText('As it should be.').waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    await authority.stop()
    files.remove()
  })

  it('every page is without findings of axe and sideways scrolling, with what opens over it, and by keys alone', async () => {
    await createActive(at.call, { domain: `nas.${ZONE}`, service_type: 'internal' })
    await using visited = await visit(at, '/')
    const { page, base } = visited
    for (const path of PAGES)
      for (const [width, colorScheme] of [
        [1280, 'dark'],
        [390, 'light'],
        [320, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.goto(base + path)
        await page.locator('main h1').waitFor()
        await expectNoFindings(page, `${path} itself ${width}`)
        const opened = page.locator(path === '/access' ? 'dialog[open]' : 'dialog.side-panel')
        await page.keyboard.press('j')
        await page.keyboard.press('Enter')
        await opened.waitFor()
        await expectNoFindings(page, `${path} opened ${width}`)
        await page.keyboard.press('Escape')
        await opened.waitFor({ state: 'detached' })
      }
  })

  it('who may only look sees every act, cannot press it, and reads why', async () => {
    const { body } = await at.call('POST', '/api/keys', { body: { name: 'guest', access: 'read' } })
    await using visited = await visit(at, '/people', { key: String(body['key']) })
    const { page, base } = visited
    const invite = button(page, 'Invite')
    await invite.waitFor()
    expect(await invite.isDisabled()).toBe(true)
    expect(await invite.getAttribute('title')).toContain('You may look, not change')
    await button(page, 'The Owner').click()
    const revoke = button(page, 'Revoke…')
    await revoke.waitFor()
    expect(await revoke.isDisabled()).toBe(true)
    await page.goto(`${base}/dns`)
    const adopt = button(page, 'Take a record over')
    await adopt.waitFor()
    expect(await adopt.isDisabled()).toBe(true)
  })
})

it('of 2,000 certificates a window is drawn; filter and order ask for nothing, and what is not set up or not known is said', async () => {
  await using at = await openTestHouse()
  await deployNotes(at)
  const asked: string[] = []
  await using visited = await visit(at, '/certificates', {
    prepare: async (opened) => {
      await holdStream(opened)
      await showManyCertificates(opened)
    },
  })
  const { page, base } = visited
  const rows = page.locator('table tbody tr:not(.spacer)')
  await button(page, 'app-0000.').waitFor()
  await hearsNoMore(page)
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(MANY_CERTIFICATES + 1))
  expect(await rows.count()).toBeLessThanOrEqual(80)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await button(page, 'app-1999.').waitFor()
  expect(await rows.count()).toBeLessThanOrEqual(80)
  await page.getByRole('searchbox', { name: 'Filter' }).pressSequentially('app-01')
  // A hundred of a long list are no more rows to be drawn at a keystroke.
  await page.getByText('100 certificates', { exact: true }).waitFor({ state: 'attached' })
  expect(await rows.count()).toBeLessThanOrEqual(80)
  await page.keyboard.type('2')
  await page.getByText('10 certificates', { exact: true }).waitFor({ state: 'attached' })
  await expect.poll(() => rows.count()).toBe(10)
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
  // On a phone a card has room for two lines of its cause, and each is as high as is counted with.
  await page.goto(`${base}/certificates`)
  await page.setViewportSize({ width: 390, height: 900 })
  await page.locator('ul.cards.even > li').first().waitFor()
  const heights = await page.evaluate<readonly number[]>(
    '[...document.querySelectorAll("ul.cards.even > li:not([aria-hidden])")].map((one) => one.getBoundingClientRect().height)',
  )
  expect(heights.length).toBeLessThanOrEqual(60)
  expect([...new Set(heights)]).toEqual([82])
  const wraps = 'getComputedStyle(document.querySelector("ul.cards .cause")).whiteSpace'
  expect(await page.evaluate(wraps)).toBe('normal')
  await page.setViewportSize({ width: 1280, height: 900 })
  // Nothing of it is set up here: each says which setting would.
  await page.getByText('PLUMBLINE_ACME_DIRECTORY').waitFor()
  await page.goto(`${base}/people`)
  await page.getByText('PLUMBLINE_SSO_USERS_FILE=', { exact: false }).first().waitFor()
  await page.goto(`${base}/access`)
  await page.getByText('PLUMBLINE_SSO_RULES_FILE').first().waitFor()
  await page.getByText('Middlewares', { exact: true }).waitFor()
  expect(await page.getByText('PLUMBLINE_SSO_RULES_FILE').count()).toBe(1)
})
