/** Whoever asks how it is now is told of what was asked just now: an old proof calls no route closed. */
import { describe, expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { openProven, type Proven, report } from './proven-house.ts'
import { createActive } from './test-house.ts'

const APP = 'app.example.com'

interface Part {
  readonly name: string
  readonly ok: boolean
  readonly drift: boolean | null
  readonly message: string
}

async function part({ at }: Proven, name: string, probe: boolean): Promise<Part> {
  const { body } = await at.call('GET', `/api/control-plane/health${probe ? '?probe=true' : ''}`)
  return (body['components'] as unknown as Part[]).find((one) => one.name === name)!
}

/** A proof that says closed, a moment ago; then the route is opened. */
async function openedSince(proven: Proven, names: readonly string[] = [APP]): Promise<number> {
  let id = 0
  for (const domain of names) id = await createActive(proven.at.call, { domain })
  await proven.look()
  expect(await part(proven, 'sso_routes', true)).toMatchObject({ ok: true })
  for (const name of names) proven.proxy.clash.add(name)
  return id
}

describe('a route that was opened a moment ago, of which nobody was told', () => {
  it('is named by the report and by explain, and a probe calls it closed no more', async () => {
    await using proven = await openProven()
    const { at } = proven
    const id = await openedSince(proven)
    expect(await part(proven, 'sso_routes', true)).toMatchObject({ ok: false, drift: null })
    expect(await part(proven, 'sso-proof', true)).toMatchObject({ ok: false, drift: null })
    expect((await at.call('GET', '/api/control-plane/health?probe=true')).body).toMatchObject({ ok: false })
    expect(await report(at)).toMatchObject({ ok: false, drift: true, open_route: [{ domain: APP }] })
    const { body } = await at.call('GET', `/api/domains/${id}/explain`)
    expect(body['sign_in']).toMatchObject([{ list: 'open_route', domain: APP }])
    expect(body['summary']).toContain('answers without signing in')
    expect(await part(proven, 'sso_routes', true)).toMatchObject({ ok: false, drift: true })
  })

  itInDepth(
    'stands on the page at once after somebody was told, and is gone as soon as somebody was told otherwise',
    async () => {
      await using proven = await openProven()
      const { at, proxy } = proven
      await openedSince(proven)
      for (const round of [1, 2]) {
        if (round > 1) proxy.clash.add(APP)
        expect(await report(at)).toMatchObject({ ok: false, open_route: [{ domain: APP }] })
        for (const name of ['sso_routes', 'sso-proof'])
          expect(await part(proven, name, false), `${name}, round ${round}`).toMatchObject({
            ok: false,
            drift: true,
          })
        proxy.clash.clear()
        expect(await report(at)).toMatchObject({ ok: true, open_route: [] })
        for (const name of ['sso_routes', 'sso-proof'])
          expect(await part(proven, name, false), `${name}, round ${round}`).toMatchObject({
            ok: true,
            drift: false,
          })
      }
    },
  )

  itInDepth('is not clean to who asks for everything', async () => {
    await using proven = await openProven()
    await openedSince(proven)
    const { body } = await proven.at.call('GET', '/api/drift')
    expect(body['drift']).toBe(true)
  })

  itInDepth('costs a plain read no question, and it says how old its word is', async () => {
    await using proven = await openProven()
    const { at, proxy } = proven
    await openedSince(proven)
    const asked = proxy.asked.length
    expect(await part(proven, 'sso_routes', false)).toMatchObject({ ok: true })
    for (const path of ['/api/control-plane/health', '/metrics', '/api/domains', '/api/conditions'])
      expect((await at.call('GET', path)).status).toBe(200)
    expect(proxy.asked.length).toBe(asked)
  })
})

itInDepth('what was not answered in time is unknown, whatever was proven before', async () => {
  await using proven = await openProven()
  const { at, proxy } = proven
  const id = await createActive(at.call)
  await proven.look()
  expect(await report(at)).toMatchObject({ ok: true })
  proxy.silent = true
  const body = await report(at)
  expect(body).toMatchObject({ ok: false, drift: null, open_route: [] })
  expect(body['unknown']).toContainEqual(expect.objectContaining({ part: 'proof', domain: APP }))
  expect(await part(proven, 'sso_routes', true)).toMatchObject({ ok: false, drift: null })
  const explained = (await at.call('GET', `/api/domains/${id}/explain`)).body
  expect(explained['not_proven']).toContain('not proven to be closed')
  expect(explained['summary']).toContain('is not known')
})

itInDepth('calls at the same moment share their questions', async () => {
  await using proven = await openProven()
  const { at, proxy } = proven
  for (const name of ['a', 'b', 'c']) await createActive(at.call, { domain: `${name}.example.com` })
  await proven.look()
  const before = proxy.asked.length
  await Promise.all(Array.from({ length: 10 }, () => report(at)))
  // One round, and one that begins after it: not ten.
  expect(proxy.asked.length - before).toBeLessThanOrEqual(3 * 3)
})
