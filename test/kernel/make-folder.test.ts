/** Folders are made with their parents, and where none can be made that is said at once. */
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { makeFolder } from '../../src/kernel/make-folder.ts'
import { newFolder } from '../kit/new-folder.ts'

let base: string
beforeEach(() => (base = newFolder('folder')))

const modeOf = (path: string) => statSync(path).mode & 0o777

it('is made with its parents, and the first of them is told', () => {
  const folder = join(base, 'a', 'b', 'c')
  expect(makeFolder(folder, 0o700)).toBe(join(base, 'a'))
  expect([modeOf(join(base, 'a')), modeOf(folder)]).toEqual([0o700, 0o700])
  expect(makeFolder(folder)).toBeUndefined()
  symlinkSync(folder, join(base, 'link'))
  expect(makeFolder(join(base, 'link'))).toBeUndefined()
  expect(makeFolder(join(base, 'link', 'd'))).toBe(join(base, 'link', 'd'))
})

it.each<[string, (base: string) => string, string]>([
  ['a file system that takes no folders', () => '/proc/plumbline/a/b', 'ENOENT'],
  ['a file', (at) => join(at, 'file', 'a'), 'ENOTDIR'],
  ['the file itself', (at) => join(at, 'file'), 'EEXIST'],
  ['a link to nothing', (at) => join(at, 'dangling', 'a'), 'EEXIST'],
])('below %s it is refused at once', (_what, path, code) => {
  writeFileSync(join(base, 'file'), '')
  symlinkSync(join(base, 'nothing'), join(base, 'dangling'))
  expect(() => makeFolder(path(base))).toThrow(expect.objectContaining({ code }) as Error)
})
