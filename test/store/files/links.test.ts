/** What a link in the data directory leads to is never written: whoever may lay one there would choose the file. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { holdLock, readHolder } from '../../../src/store/files/lock.ts'
import { eachScratch, steppingClock } from '../scratch.ts'

const scratch = eachScratch()
const BALLAST_BYTES = 4 * 1024 * 1024
let directory: string
let victim: string

beforeEach(() => {
  directory = scratch.directory()
  victim = join(scratch.directory(), 'victim')
  writeFileSync(victim, 'theirs', { mode: 0o644 })
})

const untouched = () => {
  expect(readFileSync(victim, 'utf8')).toBe('theirs')
  expect(statSync(victim).mode & 0o777).toBe(0o644)
}

test.each([
  ['something small', 'theirs'],
  ['something of its very size', Buffer.alloc(BALLAST_BYTES)],
])('the ballast is a file of its own where a link to %s stood', async (_what, content) => {
  writeFileSync(victim, content)
  symlinkSync(victim, join(directory, 'ballast'))
  await scratch.open(directory)
  expect(readFileSync(victim).equals(Buffer.from(content))).toBe(true)
  const made = lstatSync(join(directory, 'ballast'))
  expect([made.isFile(), made.size]).toEqual([true, BALLAST_BYTES])
})

test('the word of the holder goes through no link beside it', () => {
  symlinkSync(victim, join(directory, 'holder.json.new'))
  const lock = holdLock(directory, steppingClock())
  untouched()
  expect(lstatSync(join(directory, 'holder.json')).isFile()).toBe(true)
  lock.release()
})

test('the word of a holder is believed in a plain file alone', () => {
  const lock = holdLock(directory, steppingClock())
  const path = join(directory, 'holder.json')
  renameSync(path, `${victim}.json`)
  symlinkSync(`${victim}.json`, path)
  expect(() => readHolder(directory)).toThrow(/holder\.json is a link, so .* not believed\. Remove it/)
  rmSync(path)
  execFileSync('mkfifo', [path])
  expect(() => readHolder(directory)).toThrow(/holder\.json is no plain file/)
  lock.release()
  expect(readHolder(directory)).toBeNull()
})

test('the marker of the installation goes through no link beside it', async () => {
  symlinkSync(victim, join(directory, 'installation.json.new'))
  await scratch.open(directory)
  untouched()
  expect(lstatSync(join(directory, 'installation.json')).isFile()).toBe(true)
})

test('what a link in the place of the database leads to keeps content and mode', async () => {
  writeFileSync(victim, 'no database '.repeat(100))
  chmodSync(victim, 0o644)
  symlinkSync(victim, join(directory, 'plumbline.db'))
  await expect(scratch.open(directory)).rejects.toMatchObject({ code: 'database_corrupt' })
  expect(readFileSync(victim, 'utf8')).toContain('no database')
  expect(statSync(victim).mode & 0o777).toBe(0o644)
})
