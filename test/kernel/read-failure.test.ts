/** What is said of a file or folder that cannot be read. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readFailure } from '../../src/kernel/read-failure.ts'
import { newFolder } from '../kit/new-folder.ts'

let folder: string
beforeAll(() => {
  folder = newFolder('read')
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('circle', join(folder, 'circle'))
})

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
