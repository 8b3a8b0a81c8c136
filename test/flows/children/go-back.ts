/** A house that deploys what its proxy will not load, and dies at one point on its way back; or lives and tells its points. */
import { writeSync } from 'node:fs'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { ManagedFile } from '../../../src/ports/files.ts'
import { takeOrder } from '../../kit/child-order.ts'
import { clientOf } from '../client.ts'
import { hurriedClock } from '../proxy-house.ts'

export interface GoBackOrder {
  readonly env: Readonly<Record<string, string>>
  /** What is posted: `/api/domains/1/activate`. */
  readonly path: string
  /** `write 3, before`, or `release 2`: within the transaction that makes the second release. Null to live. */
  readonly dies_at: string | null
}

using order = takeOrder<GoBackOrder>()
const { env, path, dies_at } = order
const points: string[] = []
let counting = false
const counts = { write: 0, file: 0 }
let releases = 0

/** At once and without a word, as when the power goes. */
function at(point: string): void {
  points.push(point)
  if (point === dies_at) process.kill(process.pid, 'SIGKILL')
}

async function around<T>(what: keyof typeof counts, work: () => Promise<T>): Promise<T> {
  if (!counting) return work()
  const name = `${what} ${++counts[what]}`
  at(`${name}, before`)
  const result = await work()
  at(`${name}, after`)
  return result
}

const house = await buildDaemon(loadConfig(env), {
  log: silentLog,
  clock: hurriedClock(),
  wrap: {
    store: (store) => ({
      ...store,
      write: (work) =>
        around('write', () =>
          store.write((tx) =>
            work({
              ...tx,
              async addRelease(draft) {
                const head = await tx.addRelease(draft)
                if (counting) at(`release ${++releases}`)
                return head
              },
            }),
          ),
        ),
    }),
    file: (file) =>
      new Proxy(file, {
        get(_file, key) {
          const member: unknown = Reflect.get(file, key, file)
          if (typeof member !== 'function') return member
          const call = (member as (...given: readonly unknown[]) => unknown).bind(file)
          if (key !== ('replace' satisfies keyof ManagedFile)) return call
          return (...given: readonly unknown[]) => around('file', async () => await call(...given))
        },
      }),
  },
})
await house.open()
counting = true
const { status } = await clientOf(house)('POST', path)
counting = false
await house.close()
writeSync(1, JSON.stringify({ status, points }))
