/** A writer that is killed at any moment leaves a whole file, old or new, and no reader ever sees anything else. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { managedFile } from '../../../src/io/files/managed-file.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { generation, numberOf } from './generation.ts'
import { namesIn, never, scratch, siblingFor, tempsIn } from './scratch.ts'
import { describeInDepth } from '../../kit/in-depth.ts'
import { byTier } from '../../kit/tier.ts'

const CHILD = join(import.meta.dirname, 'children', 'write-forever.ts')
const MOST = 10 * 1024 * 1024
const ROUNDS = byTier(4, 8)

let child: ChildProcess | null = null

afterEach(() => child?.kill('SIGKILL'))

describe('a writer killed in the middle', () => {
  it('never leaves or shows a torn file, and its temps are gone after the next start', async () => {
    const path = join(scratch(), 'traefik', 'routes.yml')
    let file = managedFile(path, { max_bytes: MOST, log: silentLog })
    await file.replace(generation(0), { mode: 0o644, evidence: false }, never)
    let last = 0
    for (let round = 1; round <= ROUNDS; round++) {
      child = spawn(process.execPath, [CHILD, path, String(last + 1)], { stdio: 'inherit' })
      const died = once(child, 'exit')
      const stop_at = last + round
      while (last < stop_at) {
        const look = await file.look(never)
        if (look.kind !== 'file') throw new Error(`the file was ${look.kind}`)
        last = Math.max(last, numberOf(look.bytes))
      }
      child.kill('SIGKILL')
      await died
      file = managedFile(path, { max_bytes: MOST, log: silentLog })
      const look = await file.look(never)
      last = numberOf(look.kind === 'file' ? look.bytes : Buffer.alloc(0))
      expect(namesIn(join(path, '..'))).toEqual(['routes.yml'])
      expect(tempsIn(siblingFor(path))).toEqual([])
    }
    expect(last).toBeGreaterThanOrEqual(ROUNDS)
  })
})

describeInDepth('a replacement that is called off in the middle', () => {
  it('leaves a whole file, old or new, and no temp', async () => {
    const path = join(scratch(), 'traefik', 'routes.yml')
    const file = managedFile(path, { max_bytes: MOST, log: silentLog })
    const outcomes = new Set<string>()
    for (let turns = 0; turns < 60; turns++) {
      await file.replace(generation(1), { mode: 0o644, evidence: false }, never)
      const controller = new AbortController()
      const work = file.replace(generation(2), { mode: 0o644, evidence: true }, controller.signal)
      const ended = work.then(
        () => 'done',
        (reason: unknown) => String(reason),
      )
      for (let i = 0; i < turns; i++) await nextTurn()
      controller.abort('called off')
      outcomes.add(await ended)
      const look = await file.look(never)
      expect([1, 2]).toContain(numberOf(look.kind === 'file' ? look.bytes : Buffer.alloc(0)))
      // The abandoned work tidies up behind itself.
      while (tempsIn(siblingFor(path)).length > 0) await nextTurn()
    }
    expect(outcomes).toContain('called off')
  })
})
