/** What doctor makes of Node, of files and folders, and of who runs: each judge as a table. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluateKeyFile } from '../../src/doctor/api-key.ts'
import { evaluateHolder } from '../../src/doctor/daemon.ts'
import { evaluateDataDirectory } from '../../src/doctor/data-directory.ts'
import { evaluateNode } from '../../src/doctor/node.ts'
import { evaluateFolder, evaluateMounts } from '../../src/doctor/replaced-file.ts'
import { see, type Seen } from '../../src/doctor/seen.ts'
import { told } from './told.ts'
import { newFolder } from '../kit/new-folder.ts'

const OURS: Seen = { is_writable: true, is_open_to_others: false, is_writable_by_others: false }
const OPEN: Seen = { is_writable: true, is_open_to_others: true, is_writable_by_others: false }
const CLOSED: Seen = { is_writable: false, is_open_to_others: true, is_writable_by_others: true }

it.each([
  ['24.1.0', 'good node: v24.1.0'],
  ['22.19.0', 'good node: v22.19.0'],
  ['23.0.0', 'good node: v23.0.0'],
  ['22.18.9', 'bad node: v22.18.9 is too old → Use Node 24, or start through npm, which brings it.'],
  ['20.19.0', 'bad node: v20.19.0 is too old → Use Node 24, or start through npm, which brings it.'],
])('Node %s', (version, line) => {
  expect(told(evaluateNode(version))).toBe(line)
})

it.each<[string, Seen | 'hidden' | null, string]>([
  [
    'that is not there',
    null,
    'warning data directory: /d does not exist yet → It is made at the first start.',
  ],
  [
    'that this user may not see',
    'hidden',
    'bad data directory: /d cannot be seen by this user → Look as the user that runs Plumbline, and let that user into the folders above it.',
  ],
  ['of ours', OURS, 'good data directory: /d'],
  ['that others read', OPEN, 'warning data directory: /d can be read by others → chmod 700 /d'],
  [
    'that others write',
    { ...OPEN, is_writable_by_others: true },
    'warning data directory: /d can be written to by others, who could plant a key there → chmod 700 /d',
  ],
  [
    'that we cannot write, whoever else may',
    CLOSED,
    'bad data directory: /d is not writable → Give it to the user that runs Plumbline.',
  ],
])('a data directory %s', (_, seen, line) => {
  expect(told(evaluateDataDirectory('/d', seen))).toBe(line)
})

it.each<[string, Seen | 'hidden' | null, string]>([
  ['that is not there', null, 'warning API key: /k does not exist yet → It is made at the first start.'],
  ['of ours', OURS, 'good API key: /k'],
  ['that others read', OPEN, 'bad API key: /k can be read by others → chmod 600 /k'],
])('a key file %s', (_, seen, line) => {
  expect(told(evaluateKeyFile('/k', seen))).toBe(line)
})

it.each<[string, Seen | 'hidden' | null, string]>([
  [
    'that is not there',
    null,
    'warning routes folder: /f does not exist yet → It is made at the first start.',
  ],
  ['that we can write', OPEN, 'good routes folder: /f'],
  [
    'that we cannot write',
    CLOSED,
    'bad routes folder: /f is not writable → Give Plumbline write permission on the folder, not only on the file.',
  ],
])('a folder of a file %s', (_, seen, line) => {
  expect(told(evaluateFolder('routes', { folder: '/f', is_made: true }, seen))).toBe(line)
})

it('a folder outside the data directory is not made', () => {
  expect(told(evaluateFolder('routes', { folder: '/f', is_made: false }, null))).toBe(
    'bad routes folder: /f does not exist → Correct the path, or make it: mkdir -p /f',
  )
})

const mount = (point: string) => `36 35 98:0 /mnt1 ${point} rw,noatime master:1 - ext3 /dev/root rw`

it.each([
  ['without mounts', '', 'good routes file: /a/routes.yml'],
  ['in a mounted folder', mount('/a'), 'good routes file: /a/routes.yml'],
  ['beside a mounted file', mount('/a/routes.yml.old'), 'good routes file: /a/routes.yml'],
  [
    'that is mounted alone',
    `${mount('/')}\n${mount('/a/routes.yml')}\n`,
    'bad routes file: /a/routes.yml is a mount point of a single file → Mount its directory instead.',
  ],
])('a file %s', (_, mountinfo, line) => {
  expect(told(evaluateMounts('routes', '/a/routes.yml', mountinfo))).toBe(line)
})

it.each([
  [
    null,
    'warning daemon: does not run → Nothing keeps the world true meanwhile. Start it with "plumbline serve", or "systemctl start plumbline".',
  ],
  [
    { pid: 7, listen: 'http://127.0.0.1:8080', since: 'noon' },
    'good daemon: process 7 at http://127.0.0.1:8080 since noon',
  ],
  [{ pid: 7, listen: null, since: 'noon' }, 'good daemon: process 7 at no address since noon'],
])('a holder %j', (holder, line) => {
  expect(told(evaluateHolder(holder))).toBe(line)
})

describe('what is seen', () => {
  it.each([
    [0o700, false],
    [0o750, true],
    [0o770, true],
    [0o701, true],
  ])('of a folder with mode %o says whether it is open to others: %s', async (mode, is_open_to_others) => {
    const folder = newFolder('seen')
    mkdirSync(join(folder, 'a'))
    chmodSync(join(folder, 'a'), mode)
    expect(await see(join(folder, 'a'))).toEqual({
      is_writable: true,
      is_open_to_others,
      is_writable_by_others: (mode & 0o022) !== 0,
    })
    expect(await see(join(folder, 'b'))).toBeNull()
  })

  it('of a file that nobody may run as a folder is that nothing can be put into it', async () => {
    const folder = newFolder('seen')
    writeFileSync(join(folder, 'a'), '', { mode: 0o600 })
    expect(await see(join(folder, 'a'))).toEqual({
      is_writable: false,
      is_open_to_others: false,
      is_writable_by_others: false,
    })
  })

  it('of a path that the system will not look at is nothing that could be known', async () => {
    expect(await see('/'.padEnd(300, 'x'))).toBe('hidden')
  })
})
