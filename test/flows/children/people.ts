/** A house in which something is done to people, and which dies at a given point on the way: a write of its store, or a step at a file. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { pointTheDisk } from '../../faults/disk-points.ts'
import { Failpoints } from '../../faults/failpoints.ts'
import { pointedStore } from '../../faults/wrap.ts'
import { clientOf } from '../client.ts'
import type { Said, Story } from '../people-killed.ts'
import { peopleRecords } from '../../../src/features/people/records.ts'

interface Order {
  readonly env: Readonly<Record<string, string>>
  readonly calls: Story['calls']
  /** Which of the points on the way, counted from 1 on; null to live. */
  readonly fatal: number | null
}

const { env, calls, fatal } = JSON.parse(process.argv[2]!) as Order
let counting = false
let reached = 0
const points = new Failpoints(async () => {
  // At once and without a word, as when the power goes.
  if (counting && ++reached === fatal) process.kill(process.pid, 'SIGKILL')
})
await pointTheDisk(points)
let opened: Store | null = null
const house = await buildDaemon(loadConfig(env), {
  log: silentLog,
  wrap: {
    store(store) {
      opened = store
      return pointedStore(store, points)
    },
  },
})
const call = clientOf(house)
counting = true
const answers = await Promise.all(
  calls.map(async ({ method, path, body, once }) => {
    if (once !== undefined) await untilStep(once.username, once.step)
    return (await call(method, path, { body })).status
  }),
)
process.stdout.write(JSON.stringify({ statuses: answers, points: reached } satisfies Said))
await house.close()

/** Between two calls there is a turn of the event loop, so no step is missed. */
async function untilStep(username: string, step: string): Promise<void> {
  for (;;) {
    const found = (await opened!.of(peopleRecords).invitation(username))?.step
    if (found === step || found === 'done') return
    await nextTurn()
  }
}
