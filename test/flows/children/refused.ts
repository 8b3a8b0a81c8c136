/** A house that accepts an activation which a component refuses, and dies before a given write; or lives and tells how many. */
import { writeSync } from 'node:fs'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { takeOrder } from '../../kit/child-order.ts'
import { clientOf } from '../client.ts'

export interface RefusedOrder {
  readonly env: Readonly<Record<string, string>>
  readonly domain_id: number
  /** Dies instead of this write, counted from 1 after the activation was accepted. Null to live. */
  readonly dies_at: number | null
}

using order = takeOrder<RefusedOrder>()
const { env, domain_id, dies_at } = order
let writes: number | null = null

const house = await buildDaemon(loadConfig(env), {
  log: silentLog,
  wrap: {
    store: (store) => ({
      ...store,
      async write(work) {
        if (writes !== null && ++writes === dies_at) process.kill(process.pid, 'SIGKILL')
        const result = await store.write(work)
        const accepted = (await store.domain(domain_id))?.status === 'active'
        if (accepted) writes ??= 0
        return result
      },
    }),
  },
})
await house.open()
const { status } = await clientOf(house)('POST', `/api/domains/${domain_id}/activate`)
const told = writes
await house.close()
writeSync(1, JSON.stringify({ status, writes: told }))
