/** Replacing a file: whatever stood there, the new bytes stand there afterwards, and nothing else was touched. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { managedFile } from '../../../src/io/files/managed-file.ts'
import { sha256 } from '../../../src/kernel/digest.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import {
  bytes,
  evidenceIn,
  keepingLog,
  namesIn,
  never,
  scratch,
  siblingFor,
  sparseFile,
  tempsIn,
  textAt,
  until,
} from './scratch.ts'

const PLAIN = { mode: 0o644, evidence: false }
const WITH_EVIDENCE = { mode: 0o644, evidence: true }
const AS_ROOT = process.geteuid?.() === 0

function aFile(log = silentLog) {
  const path = join(scratch(), 'traefik', 'routes.yml')
  const file = managedFile(path, { max_bytes: 1024 * 1024, log })
  return { path, folder: join(path, '..'), file }
}

describe('a replaced file', () => {
  it('holds all chunks in order, has the mode asked for, and leaves nothing else in its folder', async () => {
    const { path, folder, file } = aFile()
    const chunks = Array.from({ length: 3000 }, (_, i) => bytes(`line ${i}\n`))
    await file.replace([bytes(''), ...chunks, bytes('')], PLAIN, never)
    expect(textAt(path)).toBe(Buffer.concat(chunks).toString())
    expect(lstatSync(path).mode & 0o777).toBe(0o644)
    expect(namesIn(folder)).toEqual(['routes.yml'])
    expect(namesIn(siblingFor(path))).toEqual([])
    expect(await file.look(never)).toMatchObject({ kind: 'file', digest: sha256(chunks) })
  })

  it('may be empty', async () => {
    const { path, file } = aFile()
    await file.replace([], PLAIN, never)
    expect(textAt(path)).toBe('')
  })

  it('gets the asked mode back after somebody changed it, whatever the umask', async () => {
    const { path, file } = aFile()
    await file.replace([bytes('one')], PLAIN, never)
    chmodSync(path, 0o666)
    const umask = process.umask(0o077)
    await file.replace([bytes('two')], PLAIN, never).finally(() => process.umask(umask))
    expect(lstatSync(path).mode & 0o777).toBe(0o644)
  })

  it.skipIf(!AS_ROOT)('keeps the owner and the group of the file before it (needs root)', async () => {
    const { path, file } = aFile()
    await file.replace([bytes('one')], PLAIN, never)
    chownSync(path, 65534, 65533)
    await file.replace([bytes('two')], PLAIN, never)
    expect(statSync(path)).toMatchObject({ uid: 65534, gid: 65533 })
  })

  it('is another file: a reader of the old one reads it to its end', async () => {
    const { path, file } = aFile()
    await file.replace([bytes('one')], PLAIN, never)
    const before = lstatSync(path).ino
    await file.replace([bytes('two')], PLAIN, never)
    expect(lstatSync(path).ino).not.toBe(before)
  })

  it('appears in a folder that was deleted in between', async () => {
    const { path, folder, file } = aFile()
    rmSync(folder, { recursive: true })
    await file.replace([bytes('one')], PLAIN, never)
    expect(textAt(path)).toBe('one')
    expect(statSync(folder).mode & 0o777).toBe(0o755)
  })

  it('is reached through a linked folder that was there from the start', async () => {
    const root = scratch()
    mkdirSync(join(root, 'real'))
    symlinkSync('real', join(root, 'linked'))
    const file = managedFile(join(root, 'linked', 'routes.yml'), { max_bytes: 1000, log: silentLog })
    await file.replace([bytes('one')], PLAIN, never)
    expect(file.path).toBe(join(root, 'real', 'routes.yml'))
    expect(textAt(file.path)).toBe('one')
  })
})

describe('a thing in the way', () => {
  it('is replaced, and what a link pointed to is untouched', async () => {
    const outside = join(scratch(), 'outside')
    writeFileSync(outside, 'untouched')
    const intruders: [string, (path: string) => unknown][] = [
      ['link', (path) => symlinkSync(outside, path)],
      ['link to /etc/passwd', (path) => symlinkSync('/etc/passwd', path)],
      ['dangling link', (path) => symlinkSync(`${outside}.missing`, path)],
      ['FIFO', (path) => execFileSync('mkfifo', [path])],
      ['empty directory', (path) => mkdirSync(path)],
      ['full directory', (path) => mkdirSync(join(path, 'inner'), { recursive: true })],
      ['500 MB sparse file', (path) => sparseFile(path, 500_000_000)],
      ['garbage', (path) => writeFileSync(path, Buffer.alloc(1000, 0xff))],
    ]
    const passwd = readFileSync('/etc/passwd')
    for (const evidence of [false, true]) {
      for (const [, make] of intruders) {
        const { path, file } = aFile()
        make(path)
        await file.replace([bytes('healed')], { mode: 0o644, evidence }, never)
        expect(lstatSync(path).isFile()).toBe(true)
        expect(textAt(path)).toBe('healed')
      }
    }
    expect(textAt(outside)).toBe('untouched')
    expect(existsSync(`${outside}.missing`)).toBe(false)
    expect(readFileSync('/etc/passwd').equals(passwd)).toBe(true)
  })

  it('may be a socket', async () => {
    const { path, file } = aFile()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(`${path}.bound`, resolve))
    renameSync(`${path}.bound`, path)
    await file.replace([bytes('healed')], WITH_EVIDENCE, never)
    expect(textAt(path)).toBe('healed')
    await new Promise((resolve) => server.close(resolve))
  })

  it('is moved aside with all that is in it, when it is a directory', async () => {
    const log = keepingLog()
    const { path, file } = aFile(log)
    mkdirSync(path)
    writeFileSync(join(path, 'precious.txt'), 'precious')
    await file.replace([bytes('healed')], PLAIN, never)
    const [kept] = evidenceIn(path)
    expect(textAt(join(siblingFor(path), kept!, 'precious.txt'))).toBe('precious')
    expect(log.lines).toMatchObject([{ level: 'warn', facts: { path } }])
  })
})

describe('a planted trap', () => {
  it('in place of the sibling folder is not used', async () => {
    const { path, folder, file } = aFile()
    const trap = scratch()
    symlinkSync(trap, siblingFor(path))
    writeFileSync(path, 'edited by hand')
    await file.replace([bytes('healed')], WITH_EVIDENCE, never)
    expect(textAt(path)).toBe('healed')
    expect(namesIn(trap)).toEqual([])
    // The evidence stays in the folder then, under a name that no proxy reads.
    expect(namesIn(folder)).toEqual([
      expect.stringMatching(/^\.plumbline-evidence-[^.]+\.\d{3}Z-[0-9a-f]{8}$/),
      'routes.yml',
    ])
  })

  it('in place of the folder is refused, and the file behind it is untouched', async () => {
    const { path, folder, file } = aFile()
    const elsewhere = scratch()
    writeFileSync(join(elsewhere, 'routes.yml'), 'of somebody else')
    rmSync(folder, { recursive: true })
    symlinkSync(elsewhere, folder)
    await expect(file.replace([bytes('one')], PLAIN, never)).rejects.toMatchObject({
      code: 'storage_unwritable',
      message: expect.stringContaining(`${folder} now leads to ${elsewhere}`),
    })
    expect(textAt(path)).toBe('of somebody else')
    expect(namesIn(elsewhere)).toEqual(['routes.yml'])
  })

  it('that lets everybody write to the folder is named in the log', () => {
    const log = keepingLog()
    const folder = join(scratch(), 'traefik')
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    managedFile(join(folder, 'routes.yml'), { max_bytes: 1000, log })
    expect(log.lines).toMatchObject([{ level: 'warn', facts: { directory: folder } }])
  })
})

describe('a watcher of the folder', () => {
  it('sees at most two events of a replacement, as it sees a file renamed in', async () => {
    const { folder, file } = aFile()
    await file.replace([bytes('first')], PLAIN, never)
    const seen: string[] = []
    const watcher = watch(folder, (_event, name) => seen.push(name ?? ''))
    try {
      await file.replace([bytes('second')], PLAIN, never)
      writeFileSync(join(folder, 'mark'), '')
      // Events come in order: once the mark is seen, all of the replacement's were.
      await until(() => seen.includes('mark'))
    } finally {
      watcher.close()
    }
    const events = seen.slice(0, seen.indexOf('mark'))
    expect(new Set(events)).toEqual(new Set(['routes.yml']))
    expect(events.length).toBeLessThanOrEqual(2)
  })
})

describe('an unfinished replacement', () => {
  it('ends with the reason of its signal and leaves the old file and no temp', async () => {
    const { path, file } = aFile()
    await file.replace([bytes('old')], PLAIN, never)
    await expect(file.replace([bytes('new')], PLAIN, AbortSignal.abort('deadline'))).rejects.toBe('deadline')
    expect(textAt(path)).toBe('old')
    expect(tempsIn(siblingFor(path))).toEqual([])
  })

  it('of a killed process is tidied up at the next start, and one of a living process is not', () => {
    const { path, folder } = aFile()
    const sibling = siblingFor(path)
    mkdirSync(sibling, { recursive: true })
    const dead = `.plumbline-temp-4194301-aaaaaaaa-${'0'.repeat(16)}`
    const earlier_us = `.plumbline-temp-${process.pid}-aaaaaaaa-${'0'.repeat(16)}`
    const living = `.plumbline-temp-${process.ppid}-aaaaaaaa-${'0'.repeat(16)}`
    const not_ours = '.plumbline-temp-notes'
    for (const where of [folder, sibling])
      for (const name of [dead, earlier_us, living, not_ours]) writeFileSync(join(where, name), '')
    managedFile(path, { max_bytes: 1000, log: silentLog })
    expect(namesIn(folder)).toEqual([living, not_ours].sort())
    expect(namesIn(sibling)).toEqual([living, not_ours].sort())
  })
})
