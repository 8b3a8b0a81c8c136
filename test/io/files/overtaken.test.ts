/** A file that somebody else writes, too: whatever they write, at whatever moment of our replacement, is there afterwards. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { managedFile } from '../../../src/io/files/managed-file.ts'
import { sha256 } from '../../../src/kernel/digest.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { pointTheDisk } from '../../faults/disk-points.ts'
import { Failpoints } from '../../faults/failpoints.ts'
import { bytes, namesIn, never, scratch, siblingFor, tempsIn, textAt } from './scratch.ts'

let meet: (point: string) => void = () => undefined
const points = new Failpoints(async (point) => meet(point))
beforeAll(() => pointTheDisk(points))

function aFile(text: string | null = 'seen') {
  const path = join(scratch(), 'authelia', 'users.yml')
  mkdirSync(dirname(path))
  if (text !== null) writeFileSync(path, text, { mode: 0o640 })
  return { path, file: managedFile(path, { max_bytes: 1024, log: silentLog }) }
}

const OURS = { mode: 0o600, evidence: false }
const SEEN = { ...OURS, expected: sha256([bytes('seen')]) }
const NOTHING = { ...OURS, expected: null }

/** Replaces, with something that happens at a point; answers the points, and whether it went through. */
async function replacing(
  options: typeof SEEN | typeof NOTHING,
  at: string | null,
  deed: (path: string) => void,
) {
  const { path, file } = aFile(options.expected === null ? null : 'seen')
  points.begin('replace')
  points.reached.length = 0
  meet = (point) => {
    if (point === at) deed(path)
  }
  const outcome = await file.replace([bytes('ours')], options, never).then(
    () => 'replaced',
    (error: { code: string }) => error.code,
  )
  meet = () => undefined
  expect(tempsIn(siblingFor(path))).toEqual([])
  expect(namesIn(dirname(path))).toEqual(['users.yml'])
  return { path, outcome, points: [...points.reached] }
}

describe.each([
  ['that is there', SEEN],
  ['that is not there yet', NOTHING],
])('a file %s', (_name, options) => {
  it('loses nothing that is written in place, before or after any call of the system', async () => {
    const plain = await replacing(options, null, () => undefined)
    expect(plain.outcome).toBe('replaced')
    expect(textAt(plain.path)).toBe('ours')
    expect(plain.points.length).toBeGreaterThan(10)
    const outcomes = new Set<string>()
    for (const point of plain.points) {
      const { path, outcome } = await replacing(options, point, (at) => writeFileSync(at, 'theirs'))
      expect(textAt(path), point).toBe('theirs')
      outcomes.add(outcome)
    }
    expect(outcomes).toEqual(new Set(['conflict', 'replaced']))
  })

  it('loses nothing of who has begun to write it and goes on after the rename', async () => {
    const renaming = options.expected === null ? 'replace/disk.link#1' : 'replace/disk.rename#1'
    const { path, outcome } = await replacing(options, `${renaming}:before`, (at) => writeFileSync(at, ''))
    expect(outcome).toBe('conflict')
    expect(textAt(path)).toBe('')
  })

  it('is left alone when something else has taken its place before the last look', async () => {
    const deeds: [string, (path: string) => void][] = [
      ['theirs', (path) => (writeFileSync(`${path}.new`, 'theirs'), renameSync(`${path}.new`, path))],
      ['a link', (path) => (symlinkSync('/etc/passwd', `${path}.new`), renameSync(`${path}.new`, path))],
    ]
    for (const [name, deed] of deeds) {
      const { path, outcome } = await replacing(options, 'replace/disk.sync#1:after', deed)
      expect(outcome, name).toBe('conflict')
      expect(lstatSync(path).isSymbolicLink()).toBe(name === 'a link')
    }
  })
})

describe('a folder in the place of the file', () => {
  const INTRUDER = { ...OURS, expected: 'intruder' }

  /** Replaces the folder, with somebody who at that point puts the file back in its place. */
  async function putBackAt(at: string | null) {
    const { path, file } = aFile(null)
    mkdirSync(path)
    points.begin('folder')
    points.reached.length = 0
    meet = (point) => {
      if (point !== at) return
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(path)
      writeFileSync(path, 'theirs')
    }
    const outcome = await file.replace([bytes('ours')], INTRUDER, never).then(
      () => 'replaced',
      (error: { code: string }) => error.code,
    )
    meet = () => undefined
    return { path, outcome, points: [...points.reached] }
  }

  it('loses nothing of the file that somebody puts back meanwhile', async () => {
    const plain = await putBackAt(null)
    expect(plain.outcome).toBe('replaced')
    expect(textAt(plain.path)).toBe('ours')
    const outcomes = new Set<string>()
    for (const point of plain.points) {
      const { path, outcome } = await putBackAt(point)
      expect(textAt(path), point).toBe('theirs')
      outcomes.add(outcome)
    }
    expect(outcomes).toEqual(new Set(['conflict', 'replaced']))
  })

  it('stays where a file was expected', async () => {
    const { path, file } = aFile(null)
    mkdirSync(path)
    for (const options of [SEEN, NOTHING])
      await expect(file.replace([bytes('ours')], options, never)).rejects.toMatchObject({ code: 'conflict' })
    expect(lstatSync(path).isDirectory()).toBe(true)
  })
})

describe('a file that is expected', () => {
  it('is replaced only where it is what was seen', async () => {
    for (const [text, options, outcome] of [
      ['seen', SEEN, 'ours'],
      ['other', SEEN, 'conflict'],
      [null, SEEN, 'conflict'],
      ['seen', NOTHING, 'conflict'],
      [null, NOTHING, 'ours'],
    ] as const) {
      const { path, file } = aFile(text)
      const said = await file.replace([bytes('ours')], options, never).then(
        () => textAt(path),
        ({ code }: { code: string }) => code,
      )
      expect(said, `${text} for ${options.expected}`).toBe(outcome)
      if (outcome === 'conflict' && text !== null) expect(textAt(path)).toBe(text)
    }
  })

  it('keeps the mode that it has where that is asked, and gets ours where there is none', async () => {
    for (const [text, options, mode] of [
      ['seen', { ...SEEN, keeps_mode: true as const }, 0o640],
      ['seen', SEEN, 0o600],
      [null, { ...NOTHING, mode: 0o604, keeps_mode: true as const }, 0o604],
    ] as const) {
      const { path, file } = aFile(text)
      await file.replace([bytes('ours')], options, never)
      expect(lstatSync(path).mode & 0o777).toBe(mode)
    }
    const { path, file } = aFile()
    chmodSync(path, 0o4755)
    await file.replace([bytes('ours')], { ...SEEN, keeps_mode: true }, never)
    // Bits beyond reading, writing and running are nobody's to keep.
    expect(lstatSync(path).mode & 0o7777).toBe(0o755)
  })
})

it('a stranger who rewrites it in place all the time sees each of their words outlive our replacement', async () => {
  const { path, file } = aFile('0')
  let word = 0
  for (let round = 0; round < 200; round++) {
    const look = await file.look(never)
    if (look.kind !== 'file') throw new Error(look.kind)
    const turn = round % 40
    const replaced = file.replace([look.bytes, bytes('+')], { ...OURS, expected: look.digest }, never)
    for (let i = 0; i < turn; i++) await new Promise((resolve) => setImmediate(resolve))
    writeFileSync(path, String(++word))
    await replaced.catch(({ code }: { code: string }) => expect(code).toBe('conflict'))
    expect(readFileSync(path, 'utf8').replaceAll('+', '')).toBe(String(word))
  }
})
