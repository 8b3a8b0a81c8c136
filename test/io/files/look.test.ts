/** Looking at a file that others may have replaced by anything. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { managedFile } from '../../../src/io/files/managed-file.ts'
import { sha256 } from '../../../src/kernel/digest.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { never, scratch } from './scratch.ts'

const MOST = 1024 * 1024

function aFile() {
  const path = join(scratch(), 'traefik', 'routes.yml')
  return { path, file: managedFile(path, { max_bytes: MOST, log: silentLog }) }
}

describe('a look at a regular file', () => {
  it('gives its bytes and their digest', async () => {
    const { path, file } = aFile()
    const content = Buffer.alloc(700_001, 'routes\n')
    writeFileSync(path, content)
    const look = await file.look(never)
    expect(look).toMatchObject({ kind: 'file', digest: sha256([content]) })
    expect(look.kind === 'file' && Buffer.from(look.bytes).equals(content)).toBe(true)
  })

  it('knows an empty file from an absent one', async () => {
    const { path, file } = aFile()
    expect(await file.look(never)).toEqual({ kind: 'absent' })
    writeFileSync(path, '')
    expect(await file.look(never)).toMatchObject({ kind: 'file', digest: sha256([]) })
  })

  it('reads a file of exactly the limit and does not read a larger one', async () => {
    const { path, file } = aFile()
    writeFileSync(path, Buffer.alloc(MOST))
    expect(await file.look(never)).toMatchObject({ kind: 'file' })
    truncateSync(path, MOST + 1)
    expect(await file.look(never)).toEqual({ kind: 'oversize', size: MOST + 1 })
  })

  it('does not read a sparse file of 500 MB', async () => {
    const { path, file } = aFile()
    writeFileSync(path, '')
    truncateSync(path, 500_000_000)
    expect(await file.look(never)).toEqual({ kind: 'oversize', size: 500_000_000 })
  })

  it('is absent when the whole folder is gone', async () => {
    const { path, file } = aFile()
    rmSync(join(path, '..'), { recursive: true })
    expect(await file.look(never)).toEqual({ kind: 'absent' })
  })
})

describe('a look at an intruder', () => {
  it('names an empty directory, a full one, a symbolic link, a dangling one and a FIFO, and follows none', async () => {
    const intruders: [string, (path: string) => unknown][] = [
      ['directory', (path) => mkdirSync(path)],
      ['directory', (path) => mkdirSync(join(path, 'inner'), { recursive: true })],
      ['symlink', (path) => symlinkSync('/etc/passwd', path)],
      ['symlink', (path) => symlinkSync('/nowhere/at/all', path)],
      ['symlink', (path) => symlinkSync(path, path)],
      ['fifo', (path) => execFileSync('mkfifo', [path])],
    ]
    for (const [what, make] of intruders) {
      const { path, file } = aFile()
      make(path)
      expect(await file.look(never)).toEqual({ kind: 'intruder', what })
    }
  })

  it('names a socket', async () => {
    const { path, file } = aFile()
    const server = createServer()
    // Renamed into place, since a closing server deletes the path that it was bound to.
    await new Promise<void>((resolve) => server.listen(`${path}.bound`, resolve))
    renameSync(`${path}.bound`, path)
    expect(await file.look(never)).toEqual({ kind: 'intruder', what: 'socket' })
    await new Promise((resolve) => server.close(resolve))
  })

  it.skipIf(process.geteuid?.() !== 0)('names a device (needs root to make one)', async () => {
    const { path, file } = aFile()
    execFileSync('mknod', [path, 'c', '1', '5'])
    expect(await file.look(never)).toEqual({ kind: 'intruder', what: 'device' })
  })
})

describe('a look that cannot be', () => {
  it('says which path and what would help, when a file stands where the folder should be', async () => {
    const { path, file } = aFile()
    rmSync(join(path, '..'), { recursive: true })
    writeFileSync(join(path, '..'), 'not a folder')
    await expect(file.look(never)).rejects.toMatchObject({
      name: 'Failure',
      code: 'component_unavailable',
      message: expect.stringMatching(/routes\.yml could not be read \(ENOTDIR\): .*is not a directory/),
    })
  })

  it('ends with the reason of its signal', async () => {
    const { file } = aFile()
    await expect(file.look(AbortSignal.abort('deadline'))).rejects.toBe('deadline')
  })
})
