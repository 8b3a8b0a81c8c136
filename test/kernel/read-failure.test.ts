/** What is said of a file or folder that cannot be read. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFailure } from '../../src/kernel/read-failure.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-read-'))
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('circle', join(folder, 'circle'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function troubleOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

it.each([
  ['nothing', 'file', /^does not exist\. .*make the file/],
  ['nothing', 'folder', /^does not exist\. .*make the folder/],
  ['file', 'folder', /^is no folder\. Name the folder/],
  ['file/below', 'file', /^leads through what is no folder/],
  ['.', 'file', /^is a folder\. Name the file/],
  ['circle', 'file', /^leads in a circle of links/],
] as const)('%s as a %s', (name, kind, words) => {
  const path = join(folder, name)
  const error = troubleOf(() => (kind === 'file' ? readFileSync(path) : readdirSync(path)))
  expect(readFailure(error, kind)).toMatch(words)
  expect(readFailure(error, kind)).not.toMatch(/ENO|EIS|ELO|ENOTDIR/)
})

it.each([
  ['EACCES', /^cannot be read by user id \d+\. Give that user read access/],
  ['EIO', /^cannot be read \(EIO\)\. See whether/],
])('%s', (code, words) => {
  expect(readFailure(Object.assign(new Error(), { code }), 'file')).toMatch(words)
})
