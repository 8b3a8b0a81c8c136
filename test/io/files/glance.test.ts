/** The stamp that makes an idle tick cheap must change with every change, also with one that hides its traces. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { glanceAt } from '../../../src/kernel/glance.ts'
import { scratch, until } from './scratch.ts'

/** A stamp, once the file is old enough to have one. */
async function stampOf(path: string): Promise<string> {
  await until(() => glanceAt(path) !== null)
  return glanceAt(path)!
}

describe('a glance', () => {
  it('gives no stamp right after a change, and the same stamp ever after', async () => {
    const path = join(scratch(), 'routes.yml')
    writeFileSync(path, 'one')
    expect(glanceAt(path)).toBeNull()
    const stamp = await stampOf(path)
    expect(glanceAt(path)).toBe(stamp)
  })

  it('sees an edit of the same size whose mtime was put back', async () => {
    const path = join(scratch(), 'routes.yml')
    writeFileSync(path, 'one')
    const before = statSync(path)
    const stamp = await stampOf(path)
    writeFileSync(path, 'two')
    utimesSync(path, before.atime, before.mtime)
    expect(await stampOf(path)).not.toBe(stamp)
  })

  it('sees a file of the same size renamed over', async () => {
    const path = join(scratch(), 'routes.yml')
    writeFileSync(path, 'one')
    writeFileSync(`${path}.other`, 'two')
    const stamp = await stampOf(path)
    renameSync(`${path}.other`, path)
    expect(await stampOf(path)).not.toBe(stamp)
  })

  it('tells absent from present, and has no stamp for what cannot be examined', () => {
    const folder = scratch()
    const path = join(folder, 'routes.yml')
    expect(glanceAt(path)).toBe('absent')
    expect(glanceAt(join(folder, 'x'.repeat(300)))).toBeNull()
    mkdirSync(path)
    rmSync(path, { recursive: true })
    expect(glanceAt(path)).toBe('absent')
  })

  it.skipIf(!canTrace())('is one system call (needs strace)', () => {
    const folder = scratch()
    const path = join(folder, 'routes.yml')
    writeFileSync(path, 'one')
    const trace = join(folder, 'trace')
    const child = join(import.meta.dirname, 'children', 'glance.ts')
    execFileSync('strace', ['-o', trace, process.execPath, child, path, '500'])
    const calls = readFileSync(trace, 'utf8').split('\n')
    const between = calls.slice(indexOf(calls, 'glances-begin') + 1, indexOf(calls, 'glances-end'))
    expect(between.filter((call) => call.includes(path))).toHaveLength(500)
    // Beside them only what the runtime does for itself, and little of it.
    expect(between.length).toBeLessThan(1000)
  })
})

const indexOf = (calls: readonly string[], mark: string): number =>
  calls.findIndex((call) => call.includes(mark))

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
