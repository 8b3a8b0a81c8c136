/** Hints from the kernel: they come for every change of the file, and the watch outlives its folder. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { managedFile } from '../../../src/io/files/managed-file.ts'
import type { ManagedFile } from '../../../src/ports/files.ts'
import { CAN_LIMIT_INOTIFY } from './machine.ts'
import { bytes, keepingLog, never, scratch, until } from './scratch.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const open: { close(): void }[] = []

afterEach(() => {
  for (const watch of open.splice(0)) watch.close()
})

function aFile(name = 'routes.yml') {
  const path = join(scratch(), 'traefik', name)
  const log = keepingLog()
  return { path, folder: join(path, '..'), log, file: managedFile(path, { max_bytes: 1000, log }) }
}

/** Starts a watch; `hints.count` grows with each hint. */
function hintsOf(file: ManagedFile): { count: number } {
  const hints = { count: 0 }
  open.push(file.watch(() => hints.count++))
  return hints
}

/** Does the deed again and again until a hint comes: a new watch may not be armed at the first one. */
const untilHinted = (hints: { count: number }, deed: () => void) => {
  const before = hints.count
  return until(() => {
    deed()
    return hints.count > before
  })
}

describe('a watch', () => {
  it('hints when the file is edited, replaced, deleted and made anew', async () => {
    const { path, file } = aFile()
    const hints = hintsOf(file)
    const deeds: (() => unknown)[] = [
      () => writeFileSync(path, 'one'),
      () => writeFileSync(path, 'two'),
      () => file.replace([bytes('three')], { mode: 0o644, evidence: false }, never),
      () => renameSync(path, `${path}.away`),
      () => renameSync(`${path}.away`, path),
      () => rmSync(path),
      () => mkdirSync(path),
    ]
    for (const deed of deeds) {
      const before = hints.count
      await deed()
      await until(() => hints.count > before)
    }
  })

  it('says whether nothing but the file can have changed: a folder that was mended is looked at anew', async () => {
    const { path, folder, file } = aFile()
    const about: (string | undefined)[] = []
    open.push(file.watch((what) => void about.push(what)))
    const heard = (what: string | undefined, deed: () => void) =>
      until(() => {
        deed()
        return about.includes(what)
      })
    await heard('glance', () => writeFileSync(path, 'one'))
    about.length = 0
    await heard(undefined, () => chmodSync(folder, 0o755))
  })

  it('does not hint for other files of the folder', async () => {
    const { path, folder, file } = aFile()
    const hints = hintsOf(file)
    for (let i = 0; i < 20; i++) writeFileSync(join(folder, `other-${i}`), '')
    writeFileSync(path, '')
    // Events come in order: with the first hint for the file, those of the others have passed.
    await until(() => hints.count > 0)
    expect(hints.count).toBeLessThanOrEqual(3)
  })

  itInDepth('goes on when the folder was deleted and made anew', async () => {
    const { path, folder, file } = aFile()
    const hints = hintsOf(file)
    for (let round = 0; round < 3; round++) {
      const before = hints.count
      rmSync(folder, { recursive: true })
      await until(() => hints.count > before)
      mkdirSync(folder)
      await untilHinted(hints, () => writeFileSync(path, `round ${round}`))
      await untilHinted(hints, () => writeFileSync(path, `again ${round}`))
    }
  })

  it('goes on when another folder took the place of the watched one', async () => {
    const { path, folder, file } = aFile()
    const hints = hintsOf(file)
    renameSync(folder, `${folder}-old`)
    mkdirSync(folder)
    await untilHinted(hints, () => writeFileSync(path, 'in the new folder'))
    await untilHinted(hints, () => writeFileSync(path, 'again'))
  })

  it('works for a file that is named as its folder', async () => {
    const { path, file } = aFile('traefik')
    const hints = hintsOf(file)
    await untilHinted(hints, () => writeFileSync(path, 'one'))
  })

  it('is silent after it was closed, also when closed twice', async () => {
    const { path, file } = aFile()
    const hints = hintsOf(file)
    await untilHinted(hints, () => writeFileSync(path, 'one'))
    for (const watch of open) watch.close()
    const control = hintsOf(file)
    const before = hints.count
    await untilHinted(control, () => writeFileSync(path, 'two'))
    expect(hints.count).toBe(before)
  })

  it('does not throw and stays quiet when there is no folder at all', async () => {
    const { path, folder, log, file } = aFile()
    rmSync(folder, { recursive: true })
    const hints = hintsOf(file)
    expect(hints.count).toBe(0)
    mkdirSync(folder)
    await untilHinted(hints, () => writeFileSync(path, 'one'))
    expect(log.lines).toEqual([])
  })

  it.skipIf(!CAN_LIMIT_INOTIFY)('says once that it is off when the kernel has no watches left', () => {
    const { path } = aFile()
    const child = join(import.meta.dirname, 'children', 'watch.ts')
    for (const [limit, code] of [
      ['watches', 'ENOSPC'],
      ['instances', 'EMFILE'],
    ]) {
      const script = `echo 0 > /proc/sys/user/max_inotify_${limit}; exec "$1" "$2" "$3"`
      const lines = execFileSync(
        'unshare',
        ['-Ur', 'sh', '-euc', script, 'sh', process.execPath, child, path],
        {
          encoding: 'utf8',
        },
      )
      expect(JSON.parse(lines)).toMatchObject([
        { level: 'warn', message: expect.stringContaining('resync'), facts: { code } },
      ])
    }
  })
})
