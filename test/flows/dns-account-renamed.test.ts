/** Accounts that are called otherwise, or that stand in another order: what is ours in their zones stays ours and is seen. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const NAME = 'app.home.example'
let root: string
let at: TestHouse
let directory: string | undefined
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbline-accounts-'))
  directory = undefined
})
afterEach(async () => {
  await at[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

const zoneFile = (folder: string) => join(root, folder, 'home.example.zone')
const ZONE = `$TTL 3600
@ IN SOA ns1.example.net. hostmaster.home.example. 1 10800 3600 1209600 300
@ IN NS ns1.example.net.
`

function makeZone(folder: string): void {
  mkdirSync(join(root, folder))
  writeFileSync(zoneFile(folder), ZONE)
}

/** @param accounts by name, the folder of each */
async function openWith(
  accounts: Readonly<Record<string, string>>,
  public_ip = '203.0.113.7',
): Promise<void> {
  const list = Object.entries(accounts).map(
    ([name, folder]) =>
      `  - { name: ${name}, provider: zonefile, directory: ${join(root, folder)}, nameservers: [ns1.example.net] }\n`,
  )
  const file = join(root, 'accounts.yml')
  writeFileSync(file, `accounts:\n${list.join('')}`)
  if (directory !== undefined) await at.house.close()
  at = await openTestHouse({
    env: {
      PLUMBLINE_DNS_PROVIDER: '',
      PLUMBLINE_DNS_ACCOUNTS_FILE: file,
      PLUMBLINE_PUBLIC_IP: public_ip,
    },
    ...(directory !== undefined && { directory }),
  })
  directory = at.directory
}

async function zoneDrift() {
  const { body } = await at.call('GET', '/api/drift')
  const components = body['components'] as unknown as readonly { readonly key: string }[]
  return components.find(({ key }) => key === 'dns:home.example')
}

it('an account with another name goes on with what it had, and a zone of another account does not take it over', async () => {
  makeZone('d2')
  await openWith({ two: 'd2' })
  const id = await createActive(at.call, { domain: NAME })
  await openWith({ zwei: 'd2' })
  expect(await zoneDrift()).toMatchObject({ drift: false })
  makeZone('d1')
  await openWith({ first: 'd1', zwei: 'd2' })
  expect(await zoneDrift()).toMatchObject({ drift: false })
  expect((await at.call('DELETE', `/api/domains/${id}`)).status).toBe(200)
  expect(readFileSync(zoneFile('d2'), 'utf8')).not.toContain('app')
})

it('an account with another name, and another address at once: what stands there is ours and gets the new one', async () => {
  makeZone('d2')
  await openWith({ two: 'd2' })
  await createActive(at.call, { domain: NAME })
  await openWith({ zwei: 'd2' }, '203.0.113.8')
  expect(JSON.stringify(await zoneDrift())).not.toContain('at two')
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
  expect(readFileSync(zoneFile('d2'), 'utf8')).toContain('203.0.113.8')
  expect(await zoneDrift()).toMatchObject({ drift: false })
})

it('what stands at an account that is not kept is told, and given up by a person', async () => {
  makeZone('d2')
  await openWith({ two: 'd2' })
  await createActive(at.call, { domain: NAME })
  makeZone('d1')
  await openWith({ other: 'd1' })
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
  expect(readFileSync(zoneFile('d1'), 'utf8')).toContain('app')
  expect(await zoneDrift()).toMatchObject({
    drift: true,
    differences: [{ item: `A ${NAME} at two`, cause: 'removing', domains: [NAME] }],
  })
  const wish = { type: 'A', name: NAME, account: 'two' }
  const dry = await at.call('POST', '/api/dns/records/release?dry_run=true', { body: wish })
  expect(dry.body['plan']).toMatchObject({ actions: [{ item: `A ${NAME} at two` }] })
  const released = await at.call('POST', '/api/dns/records/release', { body: wish })
  expect(released, JSON.stringify(released.body)).toMatchObject({ status: 200 })
  expect(await zoneDrift()).toMatchObject({ drift: false })
  // The same call once more gives up nothing else.
  expect(await at.call('POST', '/api/dns/records/release', { body: wish })).toMatchObject({ status: 409 })
  expect(await zoneDrift()).toMatchObject({ drift: false })
  expect(readFileSync(zoneFile('d1'), 'utf8')).toContain('app')
  const { body } = await at.call('GET', '/api/audit?action=release_record')
  expect(body).toMatchObject([{ detail: { account: 'two', record: `A ${NAME} at two` } }])
})

it('a release that names no account is of the record that is kept, and says the command for one that is not', async () => {
  makeZone('d2')
  await openWith({ two: 'd2' })
  const id = await createActive(at.call, { domain: NAME })
  makeZone('d1')
  await openWith({ other: 'd1' })
  const release = () => at.call('POST', '/api/dns/records/release', { body: { type: 'A', name: NAME } })
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
  expect((await at.call('DELETE', `/api/domains/${id}`)).status).toBe(200)
  expect(await release()).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining(`plumbline dns release A ${NAME} --account two`) as string },
  })
  expect(await zoneDrift()).toMatchObject({ differences: [{ item: `A ${NAME} at two` }] })
  expect((await at.call('GET', '/api/dns/integrity')).body).toMatchObject({ leftovers: [] })
})
