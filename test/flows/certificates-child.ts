/** The process that is killed: a whole house that activates one internal domain, and meets its end at one point on the way. */
import { writeSync } from 'node:fs'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { pointedHouse } from './certificates-points.ts'
import { takeOrder } from '../kit/child-order.ts'
import { clientOf } from './client.ts'

export interface Errand {
  readonly env: Readonly<Record<string, string>>
  readonly domain: string
  /** Null: it lives, and says which points it passed. */
  readonly dies_at: string | null
}

using order = takeOrder<Errand>()
const { env, domain, dies_at } = order
const passed = new Map<string, number>()

const house = await buildDaemon(loadConfig(env), {
  log: silentLog,
  wrap: pointedHouse(async (name) => {
    const count = (passed.get(name) ?? 0) + 1
    passed.set(name, count)
    if (`${name} #${count}` !== dies_at) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }),
})
await house.open()
const call = clientOf(house)
const fields = { service_type: 'internal', environment: 'production', backend_host: '10.0.0.5' }
const made = await call('POST', '/api/domains', { body: { domain, backend_port: 80, ...fields } })
const { status, body } = await call(
  'POST',
  `/api/domains/${made.body['domain_id'] as unknown as number}/activate`,
)
await house.close()
const points = [...passed].flatMap(([name, count]) =>
  Array.from({ length: count }, (_, i) => `${name} #${i + 1}`),
)
writeSync(1, JSON.stringify({ status, body, points }))
