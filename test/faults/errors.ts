/** Failing the n-th system call on the trial's files, once or from then on: strace injects, the program knows nothing of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STEPS } from './flow.ts'
import { BEGUN_MARK } from './ledger.ts'
import { dataIn, type Order } from './order.ts'
import { runChild } from './run-child.ts'
import { type KillPlace, lateEnough, FILTERING } from './syscalls.ts'
import type { Attempt } from './trial.ts'
import type { Workshop } from './workshop.ts'

/**
 * What each call may be refused with. `write` is not here: libuv wakes its threads by it and gives up when that fails,
 * as it must; what the house writes goes through the others.
 */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  pwrite64: ['ENOSPC', 'EIO'],
  writev: ['ENOSPC', 'EIO'],
  fsync: ['EIO', 'ENOSPC'],
  fdatasync: ['EIO', 'ENOSPC'],
  ftruncate: ['EIO', 'ENOSPC'],
  rename: ['EACCES', 'EROFS', 'ENOSPC', 'EIO'],
  link: ['EACCES', 'EMFILE'],
  mkdir: ['ENOSPC', 'EROFS', 'EACCES'],
  openat: ['EMFILE', 'EACCES', 'EROFS', 'ENOSPC', 'EIO'],
}
const CALLS = Object.keys(ERRORS)
/** As strace prints the ledger's line. */
const ACKNOWLEDGED = String.raw`{\"kind\":\"acknowledged`

/** A place and the step that is under way there. */
export interface StepPlace extends KillPlace {
  readonly step: string | undefined
}

export interface ErrorPlace extends StepPlace {
  readonly error: string
  readonly lasting: boolean
}

/** Every place at which one of the calls touches the daemon's files after the beginning, with each of its errors. */
export async function errorPlaces(workshop: Workshop): Promise<ErrorPlace[]> {
  const folder = workshop.folder()
  const trace = join(folder, 'trace')
  const order: Order = { folder, steps: STEPS, fault: null, bug: null, manner: 'plain' }
  const calls = [...CALLS, 'write'].join()
  const ending = await runChild(order, [...FILTERING, '-y', '-o', trace, '-e', `trace=${calls}`])
  if (ending.how !== 'ended') throw new Error(`the traced journey ${ending.how}: ${ending.said}`)
  const places = touching(readFileSync(trace, 'utf8'), dataIn(folder))
  workshop.remove(folder)
  return places.flatMap((place) =>
    ERRORS[place.call]!.flatMap((error) => [false, true].map((lasting) => ({ ...place, error, lasting }))),
  )
}

/**
 * The counts at which some thread makes the call on a file below the folder; the stranger's draft is not the daemon's.
 * strace counts per thread, so one injection may meet two of them: a fault all the same.
 */
export function touching(trace: string, folder: string): StepPlace[] {
  const counts = new Map<string, number>()
  const before = new Map<string, number>()
  const places = new Map<string, StepPlace>()
  let begun = false
  let acknowledged = 0
  for (const line of trace.split('\n')) {
    const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? []
    if (thread === undefined || call === undefined) continue
    begun ||= line.includes(JSON.stringify(BEGUN_MARK).slice(1, -1))
    if (call === 'write' && line.includes(ACKNOWLEDGED)) acknowledged++
    const nth = (counts.get(`${thread} ${call}`) ?? 0) + 1
    counts.set(`${thread} ${call}`, nth)
    const ours = line.includes(`${folder}/`) && !line.includes(`${folder}/draft`)
    if (!begun) before.set(call, Math.max(before.get(call) ?? 0, nth))
    if (begun && ours && call in ERRORS && nth > lateEnough(before.get(call) ?? 0)) {
      const place = { call, nth, step: STEPS[acknowledged] }
      places.set(`${call} ${nth}`, place)
    }
  }
  return [...places.values()]
}

/** A client that is refused once tries again; one that is refused for ever takes that for an answer. */
export function failing({ call, nth, error, lasting }: ErrorPlace): Attempt {
  const when = lasting ? `${nth}+` : `${nth}`
  const output = (folder: string) => join(folder, 'injected')
  return {
    name: `${error} from ${call} ${when}`,
    fault: null,
    manner: lasting ? 'yielding' : 'patient',
    under: (folder) =>
      [...FILTERING, '-o', output(folder)].concat(
        ['-e', `trace=${call}`],
        ['-e', `inject=${call}:error=${error}:when=${when}`],
      ),
    cameIn: (folder) => readFileSync(output(folder), 'utf8').includes('(INJECTED)'),
  }
}
