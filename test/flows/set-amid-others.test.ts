/** `plumbline set --deploy` saves and then deploys: what somebody else has saved between the two goes out by their own call. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { run } from './command.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

let at: TestHouse
let way: Server
let url: string
/** What is done behind the first change that passes by. */
let between: (() => Promise<unknown>) | null
let id: number

beforeEach(async () => {
  at = await openTestHouse()
  id = await createActive(at.call, { auth_required: false })
  between = null
  way = createServer((request, response) => {
    void text(request).then(async (sent) => {
      const { method = 'GET', url: path = '/', headers } = request
      const answer = await at.call(method, path, {
        ...(sent !== '' && { body: JSON.parse(sent) as object }),
        ...(headers['if-match'] !== undefined && { headers: { 'if-match': headers['if-match'] } }),
      })
      if (method === 'PUT' && !path.includes('dry_run')) await between?.()
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(JSON.stringify(answer.body))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => way.once('listening', resolve))
  url = `http://127.0.0.1:${(way.address() as AddressInfo).port}`
})
afterEach(async () => {
  way.closeAllConnections()
  await new Promise((resolve) => way.close(resolve))
  await at[Symbol.asyncDispose]()
})

const set = (...words: readonly string[]) =>
  run(['set', 'app.example.com', ...words, '--url', url], { PLUMBLINE_DATA_DIR: at.directory })

it('goes out where nobody comes between', async () => {
  const ran = await set('backend_port=81', '--deploy')
  expect(ran, ran.err).toMatchObject({ code: 0 })
  expect(at.routes()).toContain('http://10.0.0.5:81"')
})

it('does not where somebody does: both changes are kept, neither is deployed, and it says so', async () => {
  between = () => at.call('PUT', `/api/domains/${id}`, { body: { backend_host: '10.0.0.66' } })
  const ran = await set('backend_port=81', '--deploy')
  expect(ran.code, ran.err).toBe(1)
  expect(ran.err).toContain('is at revision 4, not 3')
  expect(at.routes()).toContain('http://10.0.0.5:8080"')
  expect(at.routes()).not.toContain('10.0.0.66')
  const saved = (await at.call('GET', `/api/domains/${id}`)).body
  expect(saved).toMatchObject({ backend_host: '10.0.0.66', backend_port: 81 })
})
