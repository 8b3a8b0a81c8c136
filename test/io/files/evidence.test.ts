/** What a repair overwrites can be looked at afterwards, within bounds. */
import { lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { managedFile } from '../../../src/io/files/managed-file.ts'
import { sha256 } from '../../../src/kernel/digest.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { bytes, evidenceIn, keepingLog, never, scratch, siblingFor, sparseFile, textAt } from './scratch.ts'

const WITH_EVIDENCE = { mode: 0o644, evidence: true }

function aFile(log = silentLog) {
  const path = join(scratch(), 'traefik', 'routes.yml')
  return { path, file: managedFile(path, { max_bytes: 1024 * 1024, log }) }
}

describe('evidence', () => {
  it('keeps the overwritten bytes under a dated name, readable as they were', async () => {
    const { path, file } = aFile()
    writeFileSync(path, 'edited by hand')
    await file.replace([bytes('healed')], WITH_EVIDENCE, never)
    const [kept, ...more] = evidenceIn(path)
    expect(more).toEqual([])
    expect(kept).toMatch(/^evidence-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}$/)
    expect(kept!.endsWith(sha256(['edited by hand']).slice(0, 8))).toBe(true)
    expect(textAt(join(siblingFor(path), kept!))).toBe('edited by hand')
  })

  it('keeps a link as a link', async () => {
    const { path, file } = aFile()
    symlinkSync('/etc/passwd', path)
    await file.replace([bytes('healed')], WITH_EVIDENCE, never)
    expect(readlinkSync(join(siblingFor(path), evidenceIn(path)[0]!))).toBe('/etc/passwd')
  })

  it('keeps the newest ten, and full directories for ever', async () => {
    const { path, file } = aFile()
    mkdirSync(path)
    writeFileSync(join(path, 'precious.txt'), 'precious')
    await file.replace([bytes('healed')], WITH_EVIDENCE, never)
    for (let i = 0; i < 13; i++) {
      writeFileSync(path, `edit ${i}`)
      await file.replace([bytes('healed')], WITH_EVIDENCE, never)
      // Names tell milliseconds apart.
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const kept = evidenceIn(path).map((name) => join(siblingFor(path), name))
    const files = kept.filter((name) => lstatSync(name).isFile())
    expect(files.map(textAt).sort()).toEqual(Array.from({ length: 10 }, (_, i) => `edit ${i + 3}`).sort())
    expect(kept.filter((name) => lstatSync(name).isDirectory())).toHaveLength(1)
  })

  it('is given up for a file above 16 MiB, and the log says so', async () => {
    const log = keepingLog()
    const { path, file } = aFile(log)
    sparseFile(path, 16 * 1024 * 1024 + 1)
    await file.replace([bytes('healed')], WITH_EVIDENCE, never)
    expect(evidenceIn(path)).toEqual([])
    expect(textAt(path)).toBe('healed')
    expect(log.lines).toMatchObject([{ level: 'warn', facts: { bytes: 16 * 1024 * 1024 + 1 } }])
  })
})
