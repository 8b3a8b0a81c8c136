/** What is known of a record's sign-in is said by its deploy as it was by its save, and a status that is no success has the reason. */
import { expect, it } from 'vitest'
import { create, createActive, openTestHouse } from './test-house.ts'

const PLAIN = 'auth_required without ssl_enabled'
const TCP = { protocol: 'tcp', service_type: 'tcp-proxy', tcp_entrypoint: 'smtp', auth_required: true }

it.each([
  ['a record without TLS', { ssl_enabled: false }, PLAIN],
  ['a TCP record', TCP, 'auth_required does not apply to TCP routes'],
])(
  '%s that asks for a sign-in is warned of by its activation and by each deploy',
  async (_, fields, words) => {
    await using at = await openTestHouse({ opened: false })
    const id = await create(at.call, fields)
    for (const path of [`/api/domains/${id}/activate`, `/api/domains/${id}/deploy`, '/api/deploy-all']) {
      const planned = await at.call('POST', `${path}?dry_run=true`)
      expect(JSON.stringify(planned.body['plan'])).toContain(words)
      const { status, body } = await at.call('POST', path)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(JSON.stringify(body['warnings'])).toContain(words)
    }
  },
)

it('a record with TLS is not', async () => {
  await using at = await openTestHouse({ opened: false })
  const id = await createActive(at.call)
  const { body } = await at.call('POST', `/api/domains/${id}/deploy`)
  expect(body['warnings']).toEqual([])
})
