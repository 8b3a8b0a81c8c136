/** The process that is killed: goes through the steps it is told, in one daemon, and notes each acknowledged answer. */
import { writeSync } from 'node:fs'
import { Failure } from '../../src/kernel/failure.ts'
import { BUGS } from './bugs.ts'
import { pointTheDisk } from './disk-points.ts'
import { type Fault, Failpoints } from './failpoints.ts'
import { FLOW } from './flow.ts'
import { Journey } from './journey.ts'
import { openLedger } from './ledger.ts'
import { HANGING, MAX_MS, type Order, STOPPING } from './order.ts'

const order = JSON.parse(process.argv[2]!) as Order
const note = openLedger(order.folder)
const stops = new Set(order.stops)
const points = new Failpoints(meeting(order.fault))

note({ kind: 'begun' })
const { folder, manner } = order
const bug = BUGS.find(({ name }) => name === order.bug) ?? null
bug?.library?.()
if (order.stops !== undefined) await pointTheDisk(points)
const journey = new Journey({ folder, manner, bug, points, note })
let told = false
process.once('SIGTERM', () => {
  told = true
  journey.stop()
})
for (const step of FLOW.filter(({ name }) => order.steps.includes(name)))
  if (!(await journey.take(step)) || told) break
await journey.end()
note({ kind: 'ended', points: points.reached })

/** Does the deed at its point, once. */
function meeting(fault: Fault | null): (point: string) => Promise<void> {
  let met = false
  return async (point) => {
    if (stops.delete(point)) {
      writeSync(1, `${STOPPING}${point}\n`)
      process.kill(process.pid, 'SIGSTOP')
    }
    if (met || fault === null || point !== fault.point) return
    met = true
    note({ kind: 'reached', point })
    switch (fault.deed) {
      case 'kill':
        process.kill(process.pid, 'SIGKILL')
        return forever()
      case 'hang':
        writeSync(1, HANGING)
        return forever()
      case 'refuse':
        throw new Failure(
          'storage_unwritable',
          `${point}: the disk takes nothing just now. Look at the disk.`,
        )
      case 'terminate':
        journey.burst()
        process.kill(process.pid, 'SIGTERM')
        return
      case 'break':
        throw new Error(`${point}: nobody expected this`)
    }
  }
}

// A declaration, because it is called while this module still waits at its top. The timer keeps the process alive, and
// ends it where the parent that should kill it is gone.
function forever(): Promise<never> {
  setTimeout(() => process.exit(1), MAX_MS)
  return new Promise(() => undefined)
}
