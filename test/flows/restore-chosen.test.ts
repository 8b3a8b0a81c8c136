/** Chosen records are put back as they stood in a release; edits of all others stay saved and undeployed. */
import { expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { createActive, openTestHouse } from './test-house.ts'

const edit = { body: { backend_port: 9999 } }

it('one record goes back, another keeps its deployed state and its saved edit', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call)
  const other = await createActive(at.call, { domain: 'other.example.com' })
  const [then] = (await at.call('GET', '/api/releases')).body as unknown as readonly { number: number }[]
  for (const one of [id, other]) await at.call('PUT', `/api/domains/${one}`, edit)
  await at.call('POST', `/api/domains/${id}/deploy`)
  const path = `/api/releases/${then!.number}/restore`
  const body = { domains: [id] }
  const planned = await at.call('POST', `${path}?dry_run=true`, { body })
  expect(planned.body).toMatchObject({ restored: [{ domain_id: id }], deactivated: [], created: [] })
  const done = await at.call('POST', path, { body })
  expect(done.body).toMatchObject({
    success: true,
    domain_ids: [id],
    restored: [{ domain_id: id, changed: ['backend_port'] }],
    pending: [{ domain_id: other }],
  })
  expect(at.routes()).not.toContain('9999')
  expect((await at.call('GET', `/api/domains/${other}`)).body).toMatchObject({ backend_port: 9999 })
})

itInDepth(
  'a deleted one is created anew, one that was not there is taken out, and an unknown one is refused',
  async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const [then] = (await at.call('GET', '/api/releases')).body as unknown as readonly { number: number }[]
    const late = await createActive(at.call, { domain: 'late.example.com' })
    const path = `/api/releases/${then!.number}/restore`
    await at.call('DELETE', `/api/domains/${id}`)
    for (const body of [{ domains: [] }, { domains: ['x'] }, { domains: [1], all: true }])
      expect((await at.call('POST', path, { body })).status, JSON.stringify(body)).toBe(422)
    expect((await at.call('POST', path, { body: { domains: [99] } })).status).toBe(404)
    const again = await at.call('POST', path, { body: { domains: [id] } })
    expect(again.body).toMatchObject({ success: true, created: [{ replaces: id }], deactivated: [] })
    expect(at.routes()).toContain('app.example.com')
    expect(at.routes()).toContain('late.example.com')
    const out = await at.call('POST', path, { body: { domains: [late] } })
    expect(out.body).toMatchObject({ deactivated: [{ domain_id: late }] })
  },
)

it('one whose name was a deleted record’s then stays on line, and the refusal says why', async () => {
  await using at = await openTestHouse()
  const first = await createActive(at.call)
  const [then] = (await at.call('GET', '/api/releases')).body as unknown as readonly { number: number }[]
  await at.call('DELETE', `/api/domains/${first}`)
  const second = await createActive(at.call)
  const path = `/api/releases/${then!.number}/restore`
  for (const one of [path, `${path}?dry_run=true`]) {
    const refused = await at.call('POST', one, { body: { domains: [second] } })
    expect(refused).toMatchObject({ status: 409 })
    expect(JSON.stringify(refused.body)).toContain(`is held by domain ${second}`)
  }
  expect(at.routes()).toContain('app.example.com')
})
