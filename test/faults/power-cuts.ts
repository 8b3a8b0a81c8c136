/** Cutting the power at many moments of one run: the child stops, its images are copied, it goes on; each copy is a trial. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { STEPS } from './flow.ts'
import { copyImages, makeDisks, mountDisks, unmountDisks } from './images.ts'
import { brokenIn, lostIn } from './invariants.ts'
import { readLedger } from './ledger.ts'
import { MAX_MS, type Order, STOPPING } from './order.ts'
import { childProgram, killGroup, runChild } from './run-child.ts'
import { until } from './settled.ts'
import { type Bench, factsAfter, SHORT_PATIENCE_MS, type Trial } from './trial.ts'
import { childEnv } from '../kit/child.ts'

/** The images of one moment, with the ledger of what had been acknowledged by then. */
export interface Cut {
  readonly point: string
  readonly folder: string
  /** Where the images were mounted, and are again at the next boot: a house that was moved remembers otherwise. */
  readonly home: string
}

/** Every moment at which a journey can be cut, those inside a replacement among them. */
export async function momentsIn({ workshop }: Bench): Promise<readonly string[]> {
  const folder = workshop.folder()
  const order: Order = { folder, steps: STEPS, fault: null, bug: null, manner: 'plain', stops: [] }
  const ending = await runChild(order)
  if (ending.how !== 'ended') throw new Error(`the journey without a cut ${ending.how}: ${ending.said}`)
  const moments = readLedger(folder).flatMap((line) => (line.kind === 'ended' ? line.points : []))
  workshop.remove(folder)
  return moments
}

const POWER_CUT = { how: 'killed', code: null, said: '' } as const
const STOPS_WITHIN_MS = 60_000

/**
 * One journey, with or without a bug, cut at each of the points that it passes. Nothing reaches the images because time
 * passed: a journey is over long before the kernel writes back what nobody synced.
 */
export async function cutAt(
  bench: Bench,
  points: readonly string[],
  bug: string | null = null,
): Promise<Cut[]> {
  const { workshop } = bench
  const folder = workshop.folder()
  const order: Order = { folder, steps: STEPS, fault: null, bug, manner: 'plain', stops: points }
  const cuts: Cut[] = []
  makeDisks(folder)
  await mountDisks(folder)
  const child = spawn(process.execPath, childProgram(order), {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: childEnv(),
  })
  const timer = setTimeout(() => killGroup(child.pid!), MAX_MS)
  const closed = once(child, 'close')
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith(STOPPING)) continue
      if (!(await until(() => isStopped(child.pid!), STOPS_WITHIN_MS))) throw new Error(`${line}: it went on`)
      cuts.push({ point: line.slice(STOPPING.length), folder: copyOf(bench, folder), home: folder })
      child.kill('SIGCONT')
    }
  } finally {
    clearTimeout(timer)
    killGroup(child.pid!)
    await closed
    await unmountDisks(folder)
    workshop.remove(folder)
  }
  return cuts
}

/** The next boot: the copies are mounted, which replays their journals, and the house starts over them. One at a time. */
export async function afterCut(
  bench: Bench,
  { point, folder: copy, home: folder }: Cut,
  bug: string | null = null,
): Promise<Trial> {
  renameSync(copy, folder)
  await mountDisks(folder)
  try {
    const patience = bug === null ? {} : { patience_ms: SHORT_PATIENCE_MS }
    const what = { name: `power cut at ${point}`, fault: null, ...patience }
    const facts = await factsAfter(bench, what, { folder, ending: POWER_CUT })
    return { name: what.name, came: true, broken: brokenIn(facts), lost: lostIn(facts) }
  } finally {
    await unmountDisks(folder)
    bench.workshop.remove(folder)
  }
}

function copyOf({ workshop }: Bench, folder: string): string {
  const copy = workshop.folder()
  copyImages(folder, copy)
  copyFileSync(join(folder, 'ledger'), join(copy, 'ledger'))
  return copy
}

/** The state stands behind the name, which may hold anything. */
const isStopped = (pid: number): boolean =>
  / T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, ''))
