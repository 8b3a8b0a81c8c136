/** What is limited for everybody together is not used up by whoever may only look, and nobody reads on by a key that has ended. */
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../http/listener.ts'
import { passingClock } from './passing-clock.ts'
import { openTestHouse } from './test-house.ts'

it('streams of a reader leave room for others, and an ended one makes room', async () => {
  await using at = await openTestHouse()
  const ends = new AbortController()
  onTestFinished(() => ends.abort())
  const stream = async (key: string, signal = ends.signal) => {
    const headers = { 'x-api-key': key, accept: 'text/event-stream' }
    const request = new Request('http://localhost/api/events', { headers, signal })
    return (await at.house.app.request(request, undefined, { peer: '127.0.0.1' })).status
  }
  const keys: string[] = []
  for (const name of ['wall', 'hall', 'attic', 'cellar'])
    keys.push(String((await at.call('POST', '/api/keys', { body: { name, access: 'read' } })).body['key']))
  const [wall, hall, attic, cellar] = keys as [string, string, string, string]
  const one = new AbortController()
  expect(await stream(wall, one.signal)).toBe(200)
  for (let n = 1; n < 16; n++) expect(await stream(wall)).toBe(200)
  expect(await stream(wall)).toBe(503)
  for (const other of [hall, attic]) for (let n = 0; n < 16; n++) expect(await stream(other)).toBe(200)
  expect(await stream(cellar)).toBe(503)
  for (let n = 0; n < 16; n++) expect(await stream(at.house.key.reveal())).toBe(200)
  expect(await stream(at.house.key.reveal())).toBe(503)
  one.abort()
  await expect.poll(() => stream(cellar)).toBe(200)
})

it('a stream ends with the key by which it is read, be it revoked or at its end', async () => {
  const clock = passingClock()
  await using at = await openTestHouse({ clock })
  const opened = async (name: string) => {
    const issued = await at.call('POST', '/api/keys', { body: { name } })
    const { key, key_info } = issued.body as unknown as { key: string; key_info: { id: string } }
    const headers = { 'x-api-key': key, accept: 'text/event-stream' }
    const request = new Request('http://localhost/api/events', { headers })
    const answer = await at.house.app.request(request, undefined, { peer: '127.0.0.1' })
    expect(answer.status).toBe(200)
    return { id: key_info.id, cut: expect(answer.text()).rejects.toThrow() }
  }
  const revoked = await opened('tablet')
  expect((await at.call('DELETE', `/api/keys/${revoked.id}`)).status).toBe(200)
  await revoked.cut
  const rotated = await opened('wall')
  expect((await at.call('POST', `/api/keys/${rotated.id}/rotate`)).status).toBeLessThan(300)
  clock.pass(25 * 3_600_000)
  await rotated.cut
})

it('a sign-in, its end, and an edge are hinted at, and no hint says whose it is', async () => {
  await using at = await openTestHouse()
  const headers = { 'x-api-key': at.house.key.reveal() }
  const stream = await at.house.app.request(
    '/api/events?kinds=session,edge',
    { headers },
    { peer: '127.0.0.1' },
  )
  const listener = listen(stream.body!)
  const { heard, hello } = listener
  await expect.poll(hello).not.toBeNull()
  const many = (kind: string) => heard.filter((one) => one.kind === kind).length
  const origin = { origin: 'http://localhost' }
  const signed = await at.call('POST', '/api/session', {
    key: null,
    headers: origin,
    body: { key: at.house.key.reveal() },
  })
  expect(signed.status).toBe(201)
  await listener.until(() => many('session') === 1)
  const cookie = signed.headers.get('set-cookie')!.split(';')[0]!
  await at.call('DELETE', '/api/session', {
    key: null,
    headers: { ...origin, cookie, 'x-plumbline-session-secret': String(signed.body['secret']) },
  })
  await listener.until(() => many('session') === 2)
  expect((await at.call('POST', '/api/ccm/edge/edges', { body: { name: 'attic' } })).status).toBe(201)
  await listener.until(() => many('edge') > 0)
  expect(JSON.stringify(heard)).not.toMatch(/attic|session:/)
  await listener.leave()
})
