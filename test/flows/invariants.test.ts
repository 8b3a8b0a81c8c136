/** The database's invariants over whole houses: whatever calls have done, all of them hold, and they are looked at beside the work. */
import { expect, it } from 'vitest'
import { sqliteInvariants } from '../../src/store/invariants.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

const broken = async (directory: string) => {
  const all = await sqliteInvariants({ directory, clock: systemClock })(AbortSignal.timeout(30_000))
  expect(all.length).toBeGreaterThan(18)
  return all.filter(({ holds }) => holds !== true)
}

it('an estate with a history of edits, renames, restores and deletes holds all', async () => {
  await using at = await openTestHouse({ opened: false })
  const { call } = at
  expect(await broken(at.directory)).toEqual([])
  const a = await createActive(call, { domain: 'a.example.com' })
  const b = await createActive(call, { domain: 'b.example.com' })
  await create(call, { domain: 'idle.example.com' })
  await createActive(call, {
    domain: 'ssh.example.com',
    service_type: 'tcp-proxy',
    protocol: 'tcp',
    tcp_entrypoint: 'ssh',
    ssl_enabled: false,
  })
  await call('PUT', `/api/domains/${a}`, { body: { domain: 'renamed.example.com', backend_port: 9000 } })
  await call('POST', `/api/domains/${a}/deploy`)
  await call('PUT', `/api/domains/${b}`, { body: { backend_port: 9001 } })
  await call('POST', `/api/domains/${b}/deactivate`)
  await call('DELETE', `/api/domains/${b}`)
  expect((await call('POST', '/api/releases/3/restore')).status).toBe(200)
  await call('POST', `/api/domains/${a}/disable`)
  expect((await call('POST', '/api/deploy-all')).status).toBe(200)
  expect(await broken(at.directory)).toEqual([])
  await using again = await at.reopen()
  expect(await broken(again.directory)).toEqual([])
})
