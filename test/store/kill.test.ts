/** A process killed while it writes: whole transactions or nothing, and nothing acknowledged is lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { eachScratch } from './scratch.ts'
import { itOneIn } from '../kit/in-depth.ts'

const PROGRAM = fileURLToPath(new URL('processes/write-until-killed.ts', import.meta.url))
const scratch = eachScratch()

/** Kills the writer as soon as it has acknowledged `writes`, and gives the last number it acknowledged. */
async function killedAfter(writes: number, directory: string): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  let acknowledged = 0
  for await (const line of createInterface(child.stdout)) {
    acknowledged = Number(line)
    if (acknowledged === writes) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return acknowledged
}

itOneIn(3).each([1, 17, 150])(
  'after %i acknowledged writes everything is there, and at most one more',
  async (writes) => {
    const directory = scratch.directory()
    const acknowledged = await killedAfter(writes, directory)
    expect(acknowledged).toBeGreaterThanOrEqual(writes)
    const store = await scratch.open(directory)
    const { total } = await store.domains({ sort: 'id', limit: 1 })
    expect(total).toBeGreaterThanOrEqual(acknowledged)
    expect(total).toBeLessThanOrEqual(acknowledged + 1)
    expect((await store.intent('released')).rows).toHaveLength(total)
    expect(await store.latestRelease()).toMatchObject({ number: total, digests: { routes: String(total) } })
    expect(String((await store.artifact('routes'))?.chunks[0])).toBe(`routes ${total}`)
  },
)
