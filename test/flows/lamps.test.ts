/** Lamps of every kind of trouble, each brought about in a whole house, and each beside what explain says of it. */
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listen } from '../http/listener.ts'
import { expectOneVerdict, letterOf, lettersOf, tableOf } from './lamps-world.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

const OBSERVE = { PLUMBLINE_MODE: 'observe' }

describe('lamps', () => {
  it('show each domain by what is known, and explain says the same', async () => {
    await using at = await openTestHouse({ env: OBSERVE })
    const { call } = at
    const app = await createActive(call)
    const draft = await create(call, { domain: 'draft.example.com' })
    const other = await createActive(call, { domain: 'other.example.com', backend_host: '10.0.0.7' })
    expect(await expectOneVerdict(call, app)).toBe('o----')
    expect(await expectOneVerdict(call, draft)).toBe('-----')
    await call('PUT', `/api/domains/${app}`, { body: { backend_port: 9090 } })
    expect(await expectOneVerdict(call, app)).toBe('p----')
    expect(await lettersOf(call, other)).toBe('o----')
    // By hand, in the part of the other one.
    const text = at.routes()
    const edited = text.replace('http://10.0.0.7:8080', 'http://10.0.0.8:8080')
    expect(edited).not.toBe(text)
    writeFileSync(at.house.routes_path, edited)
    await expect.poll(() => letterOf(call, other, 'route')).toBe('d')
    expect(await expectOneVerdict(call, other)).toBe('d----')
    expect(await expectOneVerdict(call, app)).toBe('p----')
    const actsOf = async (id: number) => {
      const { body } = await call('GET', `/api/domains/${id}/lamps`)
      const { lamps } = body as unknown as { lamps: readonly { acts: readonly { id: string }[] }[] }
      return lamps.map(({ acts }) => acts.map((act) => act.id))
    }
    expect(await actsOf(other)).toEqual([
      ['repair', 'save_theirs', 'ignore', 'resume', 'look'],
      [],
      [],
      [],
      [],
    ])
    expect(await actsOf(app)).toEqual([['deploy', 'look'], [], [], [], []])
    const { rows, order, event } = await tableOf(call)
    expect(order).toEqual(['route', 'dns', 'certificate', 'sign_in', 'probe'])
    expect(event).toBeGreaterThan(0)
    expect(rows).toContainEqual([other, 2, 'd----', false, { route: 'edited' }, expect.any(String)])
    expect(rows).toContainEqual([app, 3, 'p----', true, {}, expect.any(String)])
    expect(rows).toContainEqual([draft, 1, '-----', false, {}, null])
    // Whoever listens is told whose lamps, and which part, read otherwise, without a number.
    const headers = { 'x-api-key': at.house.key.reveal() }
    const stream = await at.house.app.request(
      '/api/events?kinds=lamps,health',
      { headers },
      { peer: '127.0.0.1' },
    )
    const listener = listen(stream.body!)
    await expect.poll(listener.hello).not.toBeNull()
    // Back and forth: what was so before somebody listened is compared with nothing.
    let turns = 0
    const { heard } = listener
    const kinds = () => {
      writeFileSync(at.house.routes_path, turns++ % 2 === 0 ? text : edited)
      return new Set(heard.map(({ kind }) => kind)).size
    }
    await expect.poll(kinds, { interval: 1200, timeout: 60_000 }).toBe(2)
    expect(heard.find(({ kind }) => kind === 'lamps')!.data).toMatchObject({ facts: { ids: [other] } })
    expect(heard.find(({ kind }) => kind === 'health')!.data).toMatchObject({
      facts: { name: 'routes' },
    })
    await listener.leave()
    // The same rows have the same tag.
    const first = await call('GET', '/api/domains/lamps')
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect((await call('GET', '/api/domains/4711/lamps')).status).toBe(404)
  })
})
