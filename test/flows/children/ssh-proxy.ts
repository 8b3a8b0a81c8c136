/**
 * The process that is killed: a whole house that deploys its SSH targets, and meets its end at one point on the way. Points
 * are its transactions, and what it does to files in the folder of the gateway.
 */
import fs, { writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncBuiltinESMExports } from 'node:module'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { takeOrder } from '../../kit/child-order.ts'
import { clientOf } from '../client.ts'

export interface Errand {
  readonly env: Readonly<Record<string, string>>
  /** Of the gateway. */
  readonly folder: string
  /** Null: it lives, and says which points it passed. */
  readonly dies_at: string | null
}

using order = takeOrder<Errand>()
const { env, folder, dies_at } = order
const passed = new Map<string, number>()
let has_begun = false

async function at(name: string): Promise<void> {
  if (!has_begun) return
  const count = (passed.get(name) ?? 0) + 1
  passed.set(name, count)
  if (`${name} #${count}` !== dies_at) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => undefined)
}

const { open, rename, link, unlink } = fs.promises
/** What is to take its place is written beside the folder. */
const concerns = (path: unknown) =>
  typeof path === 'string' && path.startsWith(dirname(folder)) && !path.startsWith(env['PLUMBLINE_DATA_DIR']!)
const around =
  <Given extends readonly unknown[], R>(name: string, call: (...given: Given) => Promise<R>) =>
  async (...given: Given): Promise<R> => {
    // What is only read leaves nothing behind.
    const is_write = concerns(given[0]) && (name !== 'open' || String(given[1]).startsWith('w'))
    if (is_write) await at(`${name}, before`)
    const answer = await call(...given)
    if (is_write) await at(`${name}, after`)
    return answer
  }
Object.assign(fs.promises, {
  open: around('open', open),
  rename: around('rename', rename),
  link: around('link', link),
  unlink: around('unlink', unlink),
})
syncBuiltinESMExports()

const pointed = (store: Store): Store => ({
  ...store,
  async write(work) {
    const result = await store.write(async (tx) => {
      const done = await work(tx)
      await at('transaction, not yet durable')
      return done
    })
    await at('transaction, durable')
    return result
  },
})

const house = await buildDaemon(loadConfig(env), { log: silentLog, wrap: { store: pointed } })
await house.open()
has_begun = true
const { status, body } = await clientOf(house)('POST', '/companions/inventory/api/deploy-ssh-proxy')
has_begun = false
await house.close()
const points = [...passed].flatMap(([name, count]) =>
  Array.from({ length: count }, (_, i) => `${name} #${i + 1}`),
)
writeSync(1, JSON.stringify({ status, body, points }))
