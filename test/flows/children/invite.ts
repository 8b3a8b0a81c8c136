/** A house that invites one person and dies at a given write of its store: before it, or after it is durable. */
import { loadConfig } from '../../../src/config/load.ts'
import { buildHouse } from '../../../src/house.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { clientOf } from '../client.ts'

interface Order {
  readonly env: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** Counted from the call on; null to live. */
  readonly write: number | null
  readonly moment: 'before' | 'after'
}

const { env, body, write: fatal, moment } = JSON.parse(process.argv[2]!) as Order
let writes = 0
let counting = false

/** At once and without a word, as when the power goes. */
const die = () => process.kill(process.pid, 'SIGKILL')

const house = await buildHouse(loadConfig(env), {
  log: silentLog,
  wrap: {
    store: (store) => ({
      ...store,
      async write(work) {
        const mine = counting ? ++writes : 0
        if (mine === fatal && moment === 'before') die()
        const result = await store.write(work)
        if (mine === fatal && moment === 'after') die()
        return result
      },
    }),
  },
})
counting = true
const { status } = await clientOf(house)('POST', '/api/users/invite', { body })
process.stdout.write(JSON.stringify({ status, writes }))
await house.close()
