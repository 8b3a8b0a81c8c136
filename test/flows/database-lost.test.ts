/** The database or its log is lost under the daemon: nothing is acknowledged any more, and what was is saved or said. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Log } from '../../src/kernel/log.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, describeOneIn } from '../kit/in-depth.ts'

const database = ({ directory }: TestHouse): string => join(directory, 'plumbline.db')
const copiesIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => /^plumbline-saved-\d{8}T\d{9}Z(-\d+)?\.db$/.test(name))
const namesIn = async ({ call }: TestHouse): Promise<string[]> =>
  ((await call('GET', '/api/domains')).body as unknown as { domain: string }[])
    .map(({ domain }) => domain)
    .sort()

const BODY = {
  service_type: 'http',
  environment: 'production',
  backend_host: '10.0.0.5',
  backend_port: 80,
}
const refused = (at: TestHouse) =>
  at.call('POST', '/api/domains', { body: { ...BODY, domain: 'late.example.com' } })

interface DatabasePart {
  readonly name: string
  readonly ok: boolean
  readonly cause: string | null
  readonly message: string
}
const databasePart = async (at: TestHouse): Promise<DatabasePart> => {
  const { body } = await at.call('GET', '/api/control-plane/health')
  const { components } = body as unknown as { components: DatabasePart[] }
  return components.find(({ name }) => name === 'database')!
}

const errorLog = () => {
  const errors: { message: string; facts: unknown }[] = []
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    error: (message, facts) => void errors.push({ message, facts }),
  }
  return { errors, log }
}

async function expectLost(at: TestHouse, words: RegExp): Promise<void> {
  const answer = await refused(at)
  expect(answer.status).toBe(503)
  expect(answer.body['detail']).toMatch(words)
  expect((await at.call('GET', '/ready', { key: null })).status).toBe(503)
  await expect
    .poll(() => databasePart(at))
    .toMatchObject({ cause: 'not_writable', message: expect.stringMatching(words) as unknown })
}

/** A start over what is left names the copy and the command that puts it in place; it is carried out as it stands there. */
async function expectNamed(directory: string, copy: string): Promise<void> {
  const path = join(directory, 'plumbline.db')
  // A start over what stands in the way says something else: here it is a database that is missing, or empty.
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  writeFileSync(join(directory, 'plumbline-saved-20200101T000000000Z.db'), 'an earlier one')
  for (const empty of [false, true]) {
    if (empty) writeFileSync(path, '')
    const said = await openTestHouse({ directory }).then(
      () => 'it started',
      (error: Error) => error.message,
    )
    expect(said).toContain(`${path} is ${empty ? 'empty' : 'missing'}`)
    expect(said).not.toContain('start anew')
    const [, command = ''] = /To put it in place: (rm -f .*)$/.exec(said) ?? []
    expect(command).toBe(`rm -f ${path} ${path}-wal ${path}-shm && cp -p ${join(directory, copy)} ${path}`)
  }
  rmSync(path)
  copyFileSync(join(directory, copy), path)
}

const replaced = (path: string): void => {
  rmSync(path)
  writeFileSync(path, 'another file')
}
const WAYS: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  ['the database is deleted', (path) => rmSync(path), /plumbline\.db was removed/],
  // Whoever reads the database afterwards makes an empty one.
  ['the log is deleted', (path) => rmSync(`${path}-wal`), /plumbline\.db-wal was (removed|replaced)/],
  ["the log's index is deleted", (path) => rmSync(`${path}-shm`), /plumbline\.db-shm was removed/],
  ['the database is replaced', replaced, /plumbline\.db was replaced/],
  ['the log is replaced', (path) => replaced(`${path}-wal`), /plumbline\.db-wal was replaced/],
  [
    'the folder is emptied',
    (path) => ['', '-wal', '-shm'].forEach((end) => rmSync(path + end)),
    /plumbline\.db was removed/,
  ],
]

describeOneIn(3).each(WAYS)('%s', (_, harm, words) => {
  it('refuses writes, says so everywhere, and keeps what was acknowledged in a copy that starts again', async () => {
    const { errors, log } = errorLog()
    await using at = await openTestHouse({ log })
    await createActive(at.call)
    await create(at.call, { domain: 'idle.example.com' })
    const routes = at.routes()
    const path = database(at)
    harm(path)
    await expectLost(at, words)
    const [copy, ...others] = copiesIn(at.directory)
    expect(others).toEqual([])
    expect((await refused(at)).body['detail']).toContain(join(at.directory, copy!))
    expect(errors.filter(({ message }) => message === 'database files are not in place')).toHaveLength(1)
    expect(statSync(join(at.directory, copy!)).mode & 0o777).toBe(0o600)
    expect(at.routes()).toBe(routes)

    await at.house.close()
    await expectNamed(at.directory, copy!)
    await using again = await openTestHouse({ directory: at.directory })
    expect(await namesIn(again)).toEqual(['app.example.com', 'idle.example.com'])
    expect((await again.call('GET', '/api/domains/drift')).body['drift']).toBe(false)
  })
})

const CUTS: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  ['the database is emptied in place', (path) => truncateSync(path), /plumbline\.db was cut short/],
  ['the database loses its end', (path) => truncateSync(path, 4096), /plumbline\.db was cut short/],
  ['the log is emptied in place', (path) => truncateSync(`${path}-wal`), /plumbline\.db-wal was cut short/],
  ['the log loses its end', (path) => truncateSync(`${path}-wal`, 5000), /plumbline\.db-wal was cut short/],
]

const overwritten = (path: string): void => {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, 4096))
}

describeOneIn(3).each<(typeof CUTS)[number]>([
  ...CUTS,
  ['another content is copied over the database in place', overwritten, /plumbline\.db was overwritten/],
])('%s', (_, harm, words) => {
  it('refuses writes for good, makes no copy, and names the newest backup or that there is none', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    await using first = await at.reopen()
    await create(first.call, { domain: 'idle.example.com' })
    const routes = first.routes()
    harm(database(first))
    await expectLost(first, words)
    expect((await refused(first)).body['detail']).toContain('There is no backup in')
    expect(copiesIn(first.directory)).toEqual([])
    expect(first.routes()).toBe(routes)
  })
})

itInDepth('nobody writes: it is on the health page all the same, and the copy is made', async () => {
  await using at = await openTestHouse()
  await expect.poll(async () => (await databasePart(at)).ok).toBe(true)
  rmSync(database(at))
  await expect.poll(async () => (await databasePart(at)).cause).toBe('not_writable')
  expect(copiesIn(at.directory)).toHaveLength(1)
})

itInDepth(
  'nobody writes: a database that is overwritten in place is on the health page, and not ready, all the same',
  async () => {
    await using before = await openTestHouse()
    await using at = await before.reopen()
    await expect.poll(async () => (await databasePart(at)).ok).toBe(true)
    overwritten(database(at))
    await expect.poll(async () => (await databasePart(at)).cause).toBe('not_writable')
    expect((await at.call('GET', '/ready', { key: null })).status).toBe(503)
  },
)

itInDepth(
  'a database that is moved away and back again is written again, and keeps every change',
  async () => {
    await using at = await openTestHouse()
    await create(at.call)
    const path = database(at)
    renameSync(path, `${path}.away`)
    expect((await refused(at)).status).toBe(503)
    renameSync(`${path}.away`, path)
    expect((await refused(at)).status).toBe(201)
    await expect.poll(async () => (await at.call('GET', '/ready', { key: null })).status).toBe(200)
    await using again = await at.reopen()
    expect(await namesIn(again)).toEqual(['app.example.com', 'late.example.com'])
  },
)

it('a backup that was put there while the daemon ran is left alone by its end, with its log', async () => {
  await using at = await openTestHouse()
  await create(at.call)
  const path = database(at)
  copyFileSync(path, `${path}.theirs`)
  rmSync(`${path}-wal`)
  writeFileSync(`${path}-wal`, 'their log')
  renameSync(`${path}.theirs`, path)
  const theirs = statSync(path)
  await expectLost(at, /was replaced/)
  await at.house.close()
  expect(statSync(path)).toMatchObject({ ino: theirs.ino, size: theirs.size, mtimeMs: theirs.mtimeMs })
  expect(existsSync(`${path}-wal`)).toBe(true)
})
