/**
 * Open paths whose entry in the policies file has gone: they close with the next start, not with the next deploy. Until a
 * deploy everything else stays as it was released, and who asks is told what the routes do, not what the file says.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Log, silentLog } from '../../src/kernel/log.ts'
import { edgeRoutes } from './edge-routes.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let folder: string
let path: string
const told: string[] = []
const log: Log = {
  ...silentLog,
  warn: (message, facts) => void told.push(`${message} ${JSON.stringify(facts)}`),
}

beforeEach(() => {
  folder = newFolder('policies')
  path = join(folder, 'policies.yml')
  told.length = 0
})

const bypass = (paths: string): void =>
  writeFileSync(path, `policies: [{ domain: app.example.com, bypass: ${paths} }]\n`)

const house = (env: Readonly<Record<string, string>> = {}): Promise<SsoHouse> =>
  openSsoHouse({
    log,
    wrap: {},
    env: { PLUMBLINE_SSO_POLICIES_FILE: path, PLUMBLINE_MODE: 'repair', ...env },
  })

interface Entry {
  readonly exceptions: readonly { readonly resources: readonly string[] }[]
  readonly detail: string
}

async function accessOf({ call }: Pick<SsoHouse, 'call'>): Promise<Entry> {
  const { body } = await call('GET', '/api/access?host=app.example.com')
  return (body['entries'] as unknown as readonly Entry[])[0]!
}

const OPEN = 'plumbline-open_app.example.com'

itOneIn(2).each([
  ['all of them', '[]'],
  ['one of two', '[/healthz]'],
])('%s: the router is cut at the start, and everything else stands', async (_, left) => {
  bypass('[/public/, /healthz]')
  await using at = await house()
  await createActive(at.call)
  await createActive(at.call, { domain: 'other.example.com' })
  expect(at.routes()).toContain(OPEN)
  expect((await accessOf(at)).exceptions).toHaveLength(1)
  bypass(left)
  const again = await at.reopen()
  await expect.poll(() => again.routes()).not.toContain(OPEN)
  expect(await edgeRoutes(again.call), 'nor does an edge open it').toEqual(parse(again.routes()))
  expect(again.routes()).toContain('plumbline-site_app.example.com')
  expect(again.routes()).toContain('plumbline-site_other.example.com')
  expect(await accessOf(again)).toMatchObject({ exceptions: [], detail: 'Sent to sign in.' })
  const left_open = left === '[]' ? [] : ['^/healthz$']
  expect((await again.call('POST', '/api/deploy-all')).status).toBe(200)
  expect((await accessOf(again)).exceptions.flatMap(({ resources }) => resources)).toEqual(left_open)
  // What is written is what was released, so nothing is found to differ.
  expect((await again.call('GET', '/api/drift')).body['drift']).toBe(false)
  await again.house.close()
})

itInDepth('a path that was added is closed until the deploy, and the answer says so', async () => {
  bypass('[/public/]')
  await using at = await house()
  await createActive(at.call)
  bypass('[/public/, /new/]')
  const again = await at.reopen()
  const { exceptions, detail } = await accessOf(again)
  expect(exceptions).toHaveLength(1)
  expect(detail).toContain('Open to everybody: /public/ and what is below it')
  expect(detail).not.toContain('/new/')
  // What is open is still to be open, so nothing is cut and nothing is told as a hole.
  await again.house.engine.converge('open')
  expect(again.routes()).toContain(OPEN)
  expect((await again.call('GET', '/api/sso/drift')).body).toMatchObject({ missing_middleware: [] })
  expect((await again.call('POST', '/api/deploy-all')).status).toBe(200)
  expect((await accessOf(again)).detail).toContain('Open to everybody: /new/ and what is below it')
  await again.house.close()
})

itInDepth('where nobody writes the routes the path stays open, and the answer says so', async () => {
  bypass('[/public/]')
  await using at = await house({ PLUMBLINE_MODE: 'observe' })
  await createActive(at.call)
  bypass('[]')
  const again = await at.reopen()
  const { exceptions, detail } = await accessOf(again)
  expect(exceptions).toHaveLength(1)
  expect(detail).toContain('Open to everybody: ^/public/')
  expect((await again.call('GET', '/api/drift')).body['drift']).toBe(true)
  await again.house.close()
})

it('without rules to keep and without a proof, too', async () => {
  bypass('[/public/]')
  await using at = await openTestHouse({ wrap: {}, env: { PLUMBLINE_SSO_POLICIES_FILE: path } })
  await createActive(at.call)
  expect(at.routes()).toContain(OPEN)
  bypass('[]')
  const again = await at.reopen()
  await expect.poll(() => again.routes()).not.toContain(OPEN)
  await again.house.close()
})

itInDepth('a changed policies file is told at the start, with how many domains differ', async () => {
  writeFileSync(path, 'policies: []\n')
  await using at = await house()
  for (const name of ['app', 'b', 'c']) await createActive(at.call, { domain: `${name}.example.com` })
  const differing = () => told.filter((line) => line.includes('policies'))
  const same = await at.reopen()
  writeFileSync(
    path,
    'policies: [{ domain: b.example.com, policy: deny }, { domain: app.example.com, bypass: [/x] }]\n',
  )
  await same.call('GET', '/api/drift')
  expect(differing()).toEqual([])
  const again = await same.reopen()
  await expect.poll(differing).toHaveLength(1)
  expect(differing()[0]).toContain('2 domains differ, deploy')
  expect(differing()[0]).toContain('app.example.com')
  expect((await again.call('POST', '/api/deploy-all')).status).toBe(200)
  told.length = 0
  const last = await again.reopen()
  await last.call('GET', '/api/drift')
  expect(differing()).toEqual([])
  await last.house.close()
})
