/** An address family that nothing asks for any more: it stays, is never called clean, and goes when a person says so. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const ENV = {
  PLUMBLINE_DNS_PROVIDER: 'zonefile',
  PLUMBLINE_PUBLIC_IP: '203.0.113.7',
  // It has never reported anything.
  PLUMBLINE_HUB_HOST: 'hub.family.example',
}
const NAME = 'app.family.example'

let at: TestHouse
beforeAll(async () => {
  at = await openTestHouse({ env: ENV })
})
afterAll(() => at[Symbol.asyncDispose]())

const observed = async () => {
  const { body } = await at.call('GET', '/api/dns/records?zone=family.example')
  const records = body['records'] as unknown as readonly {
    readonly type: string
    readonly observed: unknown
  }[]
  return Object.fromEntries(records.map((record) => [record.type, record.observed]))
}
const zoneDrift = async () => {
  const { body } = await at.call('GET', '/api/drift')
  const components = body['components'] as unknown as readonly { readonly key: string }[]
  return components.find(({ key }) => key === 'dns:family.example')
}

it('the plan of a static_ip that is taken back warns of it, and drift and leftovers name it with what ends it', async () => {
  const id = await createActive(at.call, { domain: NAME, static_ip: '2001:db8::9' })
  await at.call('PUT', `/api/domains/${id}`, { body: { static_ip: null } })
  const rehearsed = (await at.call('POST', `/api/domains/${id}/deploy?dry_run=true`)).body
  expect(JSON.stringify(rehearsed)).toContain(`plumbline dns remove AAAA ${NAME}`)
  const deployed = await at.call('POST', `/api/domains/${id}/deploy`)
  expect(deployed).toMatchObject({ status: 200, body: { success: true } })
  expect(JSON.stringify(deployed.body['warnings'])).toContain(`plumbline dns remove AAAA ${NAME}`)
  expect(await observed()).toEqual({ A: ['203.0.113.7'], AAAA: ['2001:db8::9'] })
  expect(await zoneDrift()).toMatchObject({
    drift: true,
    differences: [{ item: `AAAA ${NAME}`, cause: 'removing', domains: [NAME] }],
  })
  expect((await at.call('GET', '/api/dns/integrity')).body).toMatchObject({
    leftovers: [{ name: NAME, type: 'AAAA', because: 'no_address' }],
  })
})

it('is taken away by the command that is named, and the other family stays', async () => {
  const wish = { body: { type: 'AAAA', name: NAME } }
  const removed = await at.call('POST', '/api/dns/records/remove', wish)
  expect(removed, JSON.stringify(removed.body)).toMatchObject({ status: 200, body: { success: true } })
  expect(await observed()).toEqual({ A: ['203.0.113.7'] })
  expect(await zoneDrift()).toMatchObject({ drift: false })
  expect((await at.call('GET', '/api/dns/integrity')).body).toMatchObject({ leftovers: [] })
})

it('what is asked for is not taken away so', async () => {
  const wish = { body: { type: 'A', name: NAME } }
  expect(await at.call('POST', '/api/dns/records/remove', wish)).toMatchObject({ status: 409 })
})
