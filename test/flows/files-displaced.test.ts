/**
 * Something else in the place of a file of ours, again and again: never followed, always drift with its cause, and each time
 * our own file is put back. What a link points to stays as it is.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usersDocuments } from '../../src/features/people/users-file/documents.ts'
import { withoutStamp } from '../../src/features/ssh-clients/model/block.ts'
import { ED25519, OTHER } from '../model/ssh/keys.ts'
import { A_HASH, OWNER, peopleWorld, type PeopleWorld } from './people-world.ts'
import { openSsoHouse } from './sso-house.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const ROUNDS = 5
let folder: string
let theirs: string

beforeEach(() => {
  folder = newFolder('displaced')
  theirs = join(folder, 'theirs')
})

type Displace = (path: string) => void
const link: Displace = (path) => {
  rmSync(path)
  symlinkSync(theirs, path)
}
const dangling: Displace = (path) => {
  rmSync(path)
  symlinkSync('/nowhere/at/all', path)
}
const pipe: Displace = (path) => {
  rmSync(path)
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
}
const folderThere: Displace = (path) => {
  rmSync(path)
  mkdirSync(path)
}

/** What the component's own pages say, while nobody repairs. */
async function explained(at: TestHouse, component: string): Promise<string> {
  const { body } = await at.call('GET', '/api/drift')
  const parts = body['components'] as unknown as readonly { component: string; differences: unknown }[]
  return JSON.stringify(parts.filter((part) => part.component === component))
}

function usersIn(text: string) {
  const read = usersDocuments.read(text)
  if (!read.ok) throw new Error(read.msg)
  return read.users
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

describe('the users file', () => {
  const JO = { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family'] }
  const THEIRS = OWNER.replace('owner: # me', 'mallory:')
  let world: PeopleWorld
  beforeEach(async () => {
    world = await peopleWorld()
    writeFileSync(theirs, THEIRS)
  })
  afterEach(() => world[Symbol.asyncDispose]())

  it('is put back as it was last seen, however often, and a revocation holds in it', async () => {
    await using at = await openTestHouse({ env: { ...world.env, PLUMBLINE_MODE: 'repair' } })
    expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(201)
    chmodSync(world.users_path, 0o640)
    // The mode belongs to what is put back, so it has to be seen.
    await at.call('GET', '/api/drift?probe=true')
    for (const displace of [link, dangling, pipe, folderThere, link, link, link]) {
      const before = world.text()
      await expect.poll(async () => (await at.call('GET', '/api/drift')).body['drift']).toBe(false)
      displace(world.users_path)
      await expect.poll(() => isFile(world.users_path), { message: displace.name }).toBe(true)
      expect(world.text()).toBe(before)
      expect(statSync(world.users_path).mode & 0o777).toBe(0o640)
    }
    expect(readFileSync(theirs, 'utf8')).toBe(THEIRS)
    link(world.users_path)
    expect((await at.call('POST', '/api/users/jo.doe/revoke')).status).toBe(200)
    await expect.poll(() => isFile(world.users_path) && world.user('jo.doe')?.disabled).toBe(true)
    expect(world.user('owner')?.password).toBe(A_HASH)
  })

  itOneIn(3).each<[string, (text: string) => string]>([
    ['lacks somebody', (text) => text.replace(/^ {2}owner:[^]*(?=^ {2}ben:)/m, '')],
    ['has somebody disabled', (text) => text.replace('disabled: false', 'disabled: true')],
    ['has somebody in no group', (text) => text.replace('    groups:\n      - admins\n', '')],
  ])('is not put back where the file behind a link %s: nobody is let in again', async (_, less) => {
    const both = `${OWNER}  ben:\n    displayname: Ben\n    password: "${A_HASH}"\n`
    const behind = less(both)
    expect(behind).not.toBe(both)
    world.write(both)
    writeFileSync(theirs, behind)
    await using at = await openTestHouse({ env: { ...world.env, PLUMBLINE_MODE: 'repair' } })
    expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(201)
    await expect.poll(async () => (await at.call('GET', '/api/drift')).body['drift']).toBe(false)
    link(world.users_path)
    await at.house.engine.converge('open', { records: 'all', component: 'people' })
    expect(lstatSync(world.users_path).isSymbolicLink()).toBe(true)
    expect(await explained(at, 'people')).toContain('would let in again: owner')
    expect(readFileSync(theirs, 'utf8')).toBe(behind)
    // Who puts the file itself in its place decides.
    rmSync(world.users_path)
    world.write(behind)
    // Whoever was not to be seen meanwhile comes back, and disabled.
    await expect.poll(() => world.user('jo.doe')?.disabled).toBe(true)
    expect(world.user('owner')).toEqual(usersIn(behind).get('owner'))
  })

  itInDepth(
    'is drift with its cause where nobody repairs; a link from before the start is unknown, with what helps',
    async () => {
      const env = { ...world.env, PLUMBLINE_MODE: 'observe' }
      await using at = await openTestHouse({ env })
      expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(201)
      expect(await explained(at, 'people')).not.toContain('symlink')
      link(world.users_path)
      expect(await explained(at, 'people')).toContain('a symlink stands in the place of the file')
      await using later = await at.reopen()
      expect(await explained(later, 'people')).toContain('PLUMBLINE_SSO_USERS_FILE')
      expect(lstatSync(world.users_path).isSymbolicLink()).toBe(true)
      expect(readFileSync(theirs, 'utf8')).toBe(THEIRS)
    },
  )
})

describeInDepth('authorized_keys', () => {
  const THEIRS = `${OTHER} mallory\n`
  const OPERATOR = '# by hand\n'
  let path: string
  beforeEach(() => {
    path = join(folder, 'ssh', 'authorized_keys')
    mkdirSync(join(folder, 'ssh'))
    writeFileSync(path, OPERATOR, { mode: 0o600 })
    writeFileSync(theirs, THEIRS)
  })

  it('is put back with our lines and everybody else’s, however often', async () => {
    await using at = await openTestHouse({
      env: { PLUMBLINE_AUTHORIZED_KEYS: path, PLUMBLINE_MODE: 'repair' },
    })
    const added = await at.call('POST', '/api/ssh-clients', { body: { name: 'alice', public_key: ED25519 } })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    const before = withoutStamp(readFileSync(path, 'utf8'))
    expect(before).toContain(OPERATOR)
    for (let round = 1; round <= ROUNDS; round++) {
      const displace = [link, pipe][round % 2]!
      displace(path)
      await expect.poll(() => isFile(path), { message: displace.name }).toBe(true)
      expect(withoutStamp(readFileSync(path, 'utf8'))).toBe(before)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    expect(readFileSync(theirs, 'utf8')).toBe(THEIRS)
    link(path)
    const removed = await at.call('DELETE', '/api/ssh-clients', { body: { key: added.body['fingerprint'] } })
    expect(removed.status, JSON.stringify(removed.body)).toBe(200)
    await expect.poll(() => isFile(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).not.toContain(ED25519.split(' ')[1])
    expect(readFileSync(path, 'utf8')).toContain(OPERATOR)
  })

  it('is not put back where the file behind a link lacks a key of somebody else: it logs in no more', async () => {
    writeFileSync(path, `${OPERATOR}${OTHER} carl\n`, { mode: 0o600 })
    writeFileSync(theirs, OPERATOR)
    await using at = await openTestHouse({
      env: { PLUMBLINE_AUTHORIZED_KEYS: path, PLUMBLINE_MODE: 'repair' },
    })
    const added = await at.call('POST', '/api/ssh-clients', {
      body: { name: 'alice', public_key: ED25519 },
    })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    link(path)
    await at.house.engine.converge('open', { records: 'all', component: 'ssh-gateway' })
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(await explained(at, 'ssh-gateway')).toContain('would let in again')
    expect(readFileSync(theirs, 'utf8')).toBe(OPERATOR)
    writeFileSync(theirs, `${OPERATOR}${OTHER} carl\n`)
    await at.house.engine.converge('open', { records: 'all', component: 'ssh-gateway' })
    expect(isFile(path)).toBe(true)
    expect(readFileSync(path, 'utf8')).toContain(ED25519.split(' ')[1])
  })

  it('is drift with its cause where nobody repairs; a link from before the start is left, with what helps', async () => {
    const env = { PLUMBLINE_AUTHORIZED_KEYS: path, PLUMBLINE_MODE: 'observe' }
    await using at = await openTestHouse({ env })
    const added = await at.call('POST', '/api/ssh-clients', {
      body: { name: 'alice', public_key: ED25519 },
    })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    link(path)
    expect(await explained(at, 'ssh-gateway')).toContain('a symlink stands in its place')
    await using later = await at.reopen()
    expect(await explained(later, 'ssh-gateway')).toContain('PLUMBLINE_AUTHORIZED_KEYS')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readFileSync(theirs, 'utf8')).toBe(THEIRS)
  })
})

itInDepth(
  'the rules of the SSO provider are put back each time, whatever stands in their place',
  async () => {
    await using at = await openSsoHouse({ env: { PLUMBLINE_MODE: 'repair', PLUMBLINE_SSO_RESTART: 'none' } })
    await createActive(at.call, { domain: 'app.example.com', auth_required: true })
    const ours = at.rules()
    writeFileSync(theirs, 'access_control:\n  default_policy: bypass\n')
    const oversize: Displace = (path) => truncateSync(path, 3 * 1024 * 1024)
    for (const displace of [
      link,
      link,
      link,
      link,
      oversize,
      oversize,
      oversize,
      oversize,
      pipe,
      folderThere,
    ]) {
      displace(at.rules_path)
      await expect
        .poll(() => isFile(at.rules_path) && at.rules() === ours, { message: displace.name })
        .toBe(true)
    }
    expect(readFileSync(theirs, 'utf8')).toContain('bypass')
  },
)
