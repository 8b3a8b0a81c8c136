/** A small house of files alone, and ways to change them: zone files, keys on this machine, holder files, the database's own. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { P256, SAID } from '../model/ssh/keys.ts'
import { FILES_MS, type Ground, type OwnEndpoint, type Way } from './false-greens.ts'
import { fileWay, type PathIn, renameOver, rewrite, withOldTime } from './false-greens-hands.ts'
import { CLIENTS, probed, RECORDS } from './false-greens-own.ts'
import { passingClock } from './passing-clock.ts'
import { createActive, openTestHouse } from './test-house.ts'

const ZONE = 'files.test'
const ADDRESS = '203.0.113.10'

export interface SmallHouse extends Ground, AsyncDisposable {
  readonly zone: string
  readonly keys: string
  readonly database: string
}

export async function openSmallHouse(): Promise<SmallHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-small-'))
  const keys = join(folder, 'authorized_keys')
  const clock = passingClock()
  const at = await openTestHouse({
    clock,
    env: {
      PLUMBLINE_MODE: 'observe',
      PLUMBLINE_AUTHORIZED_KEYS: keys,
      PLUMBLINE_DNS_PROVIDER: 'zonefile',
      PLUMBLINE_PUBLIC_IP: ADDRESS,
    },
  })
  await createActive(at.call, { domain: `app.${ZONE}`, auth_required: false })
  const added = await at.call('POST', '/api/ssh-clients', { body: { public_key: SAID.ED25519.join(' ') } })
  expect(added.status, JSON.stringify(added.body)).toBe(200)
  return {
    at,
    clock,
    pass: (ms) => Promise.resolve(clock.pass(ms)),
    zone: join(at.directory, 'zones', `${ZONE}.zone`),
    keys,
    database: join(at.directory, 'plumbline.db'),
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type FileWay = Parameters<typeof fileWay<SmallHouse>>[0]
const inZone = (title: string, spoil: FileWay['spoil'], more: Partial<FileWay> = {}): Way<SmallHouse> =>
  fileWay({
    title: `zone file: ${title}`,
    path: ({ zone }) => zone,
    part: `dns:${ZONE}`,
    own: RECORDS,
    spoil,
    ...more,
  })
const inKeys = (title: string, spoil: FileWay['spoil'], more: Partial<FileWay> = {}): Way<SmallHouse> =>
  fileWay({
    title: `authorized_keys: ${title}`,
    path: ({ keys }) => keys,
    part: 'ssh-gateway',
    own: CLIENTS,
    spoil,
    ...more,
  })

const another = (text: string): string => text.replaceAll(ADDRESS, '192.0.2.66')
const smuggled = (text: string): string => text.replace('# plumbline:end', `${P256} mallory\n$&`)

export const SMALL_WAYS: readonly Way<SmallHouse>[] = [
  inZone('another address, the serial as before', (path) => rewrite(path, another)),
  inZone('another address, with its time put back', (path) =>
    withOldTime(path, () => rewrite(path, another)),
  ),
  inZone('another one renamed over it', (path) => renameOver(path, another)),
  inZone('our record taken out', (path) =>
    rewrite(path, (text) => text.replace(/^.*203\.0\.113\.10.*\n/m, '')),
  ),
  inZone('a second address', (path) => appendFileSync(path, 'app 300 IN A 192.0.2.66\n')),
  inZone('more of it from another file', (path) => appendFileSync(path, '$INCLUDE other.zone\n')),
  inZone('garbage', (path) => writeFileSync(path, '(((\n')),
  inZone('emptied', (path) => truncateSync(path)),
  inZone('removed', (path) => rmSync(path)),
  inZone('a folder in its place', (path) => {
    rmSync(path)
    mkdirSync(path)
  }),
  inZone('mode 000', (path) => chmodSync(path, 0o000)),
  inZone('mode 666', (path) => chmodSync(path, 0o666)),
  inZone('its folder closed', (path) => chmodSync(dirname(path), 0o000)),
  inKeys("a stranger's key inside our block", (path) => rewrite(path, smuggled)),
  inKeys("a stranger's key, with the time put back", (path) =>
    withOldTime(path, () => rewrite(path, smuggled)),
  ),
  inKeys('the options taken away', (path) => rewrite(path, (text) => text.replace(/^restrict\S* /m, ''))),
  inKeys('mode 666', (path) => chmodSync(path, 0o666)),
  inKeys('its folder open to everybody', (path) => chmodSync(dirname(path), 0o777)),
]

const holderOf: PathIn<SmallHouse> = ({ at }) => {
  const folder = join(at.directory, '.traefik.plumbline')
  return join(
    folder,
    readdirSync(folder).find((name) => name.startsWith('.routes.yml.'))!,
  )
}

/** Of the process: 200 while the database is in place. */
const READY: OwnEndpoint = { path: '/ready', isClean: () => true }

const loss = (title: string, harm: (path: string) => void): Way<SmallHouse> => ({
  title: `database: ${title}`,
  part: 'database',
  within_ms: FILES_MS,
  own: READY,
  do: ({ database }) => harm(database),
  undo: () => undefined,
})

/** What is still in the log stands in the file, too. */
function writeBack(path: string): void {
  const beside = new Database(path)
  beside.pragma('wal_checkpoint(TRUNCATE)')
  beside.close()
}

/** As it was before its last change, with all that the log holds. */
function olderCopy(path: string, put: (copy: string) => void): void {
  const copy = `${path}.older`
  const beside = new Database(path)
  beside.prepare('VACUUM INTO ?').run(copy)
  beside.close()
  const older = new Database(copy)
  older.exec('DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)')
  older.close()
  put(copy)
}

/** None of it can be undone under the daemon. */
export const LOSSES: readonly Way<SmallHouse>[] = [
  loss('deleted', (path) => rmSync(path)),
  loss('emptied in place', (path) => truncateSync(path)),
  {
    ...loss('cut in place', () => undefined),
    async do(house) {
      writeBack(house.database)
      truncateSync(house.database, 4096)
    },
  },
  loss('another file in its place', (path) => renameOver(path, () => 'nothing')),
  loss('an older one renamed over it', (path) =>
    olderCopy(path, (copy) => {
      rmSync(path)
      copyFileSync(copy, path)
    }),
  ),
  loss('an older one copied over it in place', (path) => olderCopy(path, (copy) => copyFileSync(copy, path))),
  loss('its log deleted', (path) => rmSync(`${path}-wal`)),
  loss('its log emptied', (path) => truncateSync(`${path}-wal`)),
  loss("its log's index deleted", (path) => rmSync(`${path}-shm`)),
  {
    title: 'holder file: a higher number',
    part: 'world',
    within_ms: FILES_MS,
    own: probed('world'),
    do: (house) => rewrite(holderOf(house), (text) => text.replace(/change=(\d+)/, 'change=9$1')),
    undo: () => undefined,
  },
]
