/** What others may have put into the data directory is not believed, and that they could is told. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { readOwnKeyFile } from '../../src/io/files/key-file.ts'
import { openTestHouse } from './test-house.ts'
import { recorder } from '../http/support.ts'
import { newFolder } from '../kit/new-folder.ts'

const LONG = 'k'.repeat(43)
let directory: string
const key = () => join(directory, 'data', 'api-key')

beforeEach(() => {
  directory = newFolder('planted')
  mkdirSync(join(directory, 'data'), { mode: 0o700 })
})

const isRoot = process.geteuid?.() === 0

it.each<[string, RegExp, () => void]>([
  [
    'a link',
    /api-key is a link/,
    () => {
      writeFileSync(join(directory, 'theirs'), LONG)
      symlinkSync(join(directory, 'theirs'), key())
    },
  ],
  ['a link to nothing', /api-key is a link/, () => symlinkSync(join(directory, 'nothing'), key())],
  ['a pipe', /api-key is no plain file/, () => void execFileSync('mkfifo', [key()])],
  ['fewer than 24 characters', /fewer than 24 characters/, () => writeFileSync(key(), 'k'.repeat(23))],
])('%s in the place of the API key is refused at the start, with the cure', async (_what, why, plant) => {
  plant()
  const start = openTestHouse({ directory: join(directory, 'data'), opened: false })
  await expect(start).rejects.toMatchObject({
    code: 'bad_configuration',
    message: expect.stringMatching(why),
  })
  await expect(start).rejects.toThrow(/Remove it and start again: a new one is made.*chmod 700/)
})

it.skipIf(!isRoot)('the file of another user in its place is refused, also by the command', async () => {
  writeFileSync(key(), LONG)
  chownSync(key(), 12_345, 12_345)
  const start = openTestHouse({ directory: join(directory, 'data'), opened: false })
  await expect(start).rejects.toThrow(/belongs to the user with the id 12345/)
  await expect(readOwnKeyFile(key())).rejects.toThrow(/belongs to the user with the id 12345/)
})

it.skipIf(!isRoot)('the file of whoever owns the folder is read by root', async () => {
  writeFileSync(key(), LONG)
  for (const path of [key(), join(directory, 'data')]) chownSync(path, 12_345, 12_345)
  expect((await readOwnKeyFile(key()))?.reveal()).toBe(LONG)
})

it('a key of ours is taken, and one is made where there is none', async () => {
  writeFileSync(key(), `${LONG}\n`)
  const first = await openTestHouse({ directory: join(directory, 'data'), opened: false })
  expect(first.house.key.reveal()).toBe(LONG)
  await first.house.close()
  rmSync(key())
  const second = await openTestHouse({ directory: join(directory, 'data'), opened: false })
  expect(readFileSync(key(), 'utf8').trim()).toBe(second.house.key.reveal())
  await second.house.close()
})

it.each([
  [0o700, false],
  [0o750, false],
  [0o770, true],
  [0o707, true],
])('a data directory of mode %o that others may write to: %s', async (mode, is_told) => {
  chmodSync(join(directory, 'data'), mode)
  const { log, lines } = recorder()
  const at = await openTestHouse({ directory: join(directory, 'data'), opened: false, log })
  await at.house.close()
  const told = lines.filter(({ message }) => message.startsWith('others may write to the data directory'))
  expect(told.map(({ level, facts }) => [level, facts['remedy']])).toEqual(
    is_told ? [['warn', `chmod 700 ${join(directory, 'data')}`]] : [],
  )
})

it.each([
  [0o600, false],
  [0o400, false],
  [0o640, true],
  [0o644, true],
  [0o604, true],
])('an API key of mode %o that others may read: %s', async (mode, is_told) => {
  writeFileSync(key(), LONG)
  chmodSync(key(), mode)
  const { log, lines } = recorder()
  await using at = await openTestHouse({ directory: join(directory, 'data'), opened: false, log })
  const told = lines.filter(({ message }) => message === 'others may read the API key')
  expect(told.map(({ level, facts }) => [level, facts])).toEqual(
    is_told ? [['warn', { path: key(), mode: mode.toString(8), remedy: `chmod 600 ${key()}` }]] : [],
  )
  expect(at.house.key.reveal()).toBe(LONG)
})
