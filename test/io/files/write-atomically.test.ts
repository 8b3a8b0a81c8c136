/** Small files of our own: written as a whole, private from the start, without a trace of the work. */
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAtomically } from '../../../src/io/files/write-atomically.ts'
import { bytes, namesIn, scratch, siblingFor, textAt } from './scratch.ts'

describe('writeAtomically', () => {
  it('writes a private file as a whole and leaves no trace of the work', async () => {
    const folder = scratch()
    const path = join(folder, 'data', 'api-key')
    await writeAtomically(path, [bytes('secret '), bytes('text')], { mode: 0o600 })
    expect(textAt(path)).toBe('secret text')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(namesIn(folder)).toEqual(['data'])
    expect(namesIn(join(folder, 'data'))).toEqual(['api-key'])
  })

  it('tidies up behind a process that was killed at it', async () => {
    const folder = scratch()
    writeFileSync(join(folder, `.plumbline-temp-4194301-aaaaaaaa-${'0'.repeat(16)}`), 'half a sec')
    await writeAtomically(join(folder, 'api-key'), [bytes('secret')], { mode: 0o600 })
    expect(namesIn(folder)).toEqual(['api-key'])
  })

  it('works beside a watched folder when asked to', async () => {
    const path = join(scratch(), 'traefik', 'status.json')
    await writeAtomically(path, [bytes('{}')], { mode: 0o644, watched: true })
    expect(textAt(path)).toBe('{}')
    expect(existsSync(siblingFor(path))).toBe(true)
  })

  it('replaces a link and does not follow it', async () => {
    const folder = scratch()
    writeFileSync(join(folder, 'outside'), 'untouched')
    symlinkSync('outside', join(folder, 'status.json'))
    await writeAtomically(join(folder, 'status.json'), [bytes('{}')], { mode: 0o644 })
    expect(textAt(join(folder, 'outside'))).toBe('untouched')
    expect(textAt(join(folder, 'status.json'))).toBe('{}')
  })
})
