/** What is limited for everybody together is not used up by whoever may only look. */
import { expect, it, onTestFinished } from 'vitest'
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
