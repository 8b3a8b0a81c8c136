/** A house that is asked to activate a record as an operation, tells the operation's id, and dies at its commit. */
import { writeSync } from 'node:fs'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { takeOrder } from '../../kit/child-order.ts'
import { clientOf } from '../client.ts'

export interface InterruptedOrder {
  readonly env: Readonly<Record<string, string>>
  readonly domain_id: number
  /** Within the transaction of the release, or as soon as that is durable. */
  readonly dies: 'before' | 'after'
}

const { env, domain_id, dies } = takeOrder<InterruptedOrder>()
const told = Promise.withResolvers<void>()
let is_armed = false
const die = () => process.kill(process.pid, 'SIGKILL')

const house = await buildDaemon(loadConfig(env), {
  log: silentLog,
  wrap: {
    store: (store) => ({
      ...store,
      async write(work) {
        let is_release = false
        const result = await store.write((tx) =>
          work({
            ...tx,
            async addRelease(draft) {
              if (!is_armed) return tx.addRelease(draft)
              is_release = true
              await told.promise
              const head = await tx.addRelease(draft)
              if (dies === 'before') die()
              return head
            },
          }),
        )
        if (is_release && dies === 'after') die()
        return result
      },
    }),
  },
})
await house.open()
is_armed = true
const { headers } = await clientOf(house)('POST', `/api/domains/${domain_id}/activate`, {
  headers: { prefer: 'respond-async' },
})
writeSync(1, headers.get('location')!)
told.resolve()
