/** What doctor makes of answers about single sign-on. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { evaluateForwardAuth, evaluateHealth, evaluateStart } from '../../src/doctor/sso/evaluate.ts'
import { ssoSurroundings } from '../../src/doctor/sso.ts'
import { newFolder } from '../kit/new-folder.ts'

const NOW = Date.parse('2026-03-01T12:00:00.500Z')
const between = { from: NOW - 100, to: NOW }

it.each<[string, string | null, string]>([
  ['the same second', 'Sun, 01 Mar 2026 12:00:00 GMT', 'good good'],
  ['no date', null, 'good'],
  ['no date at all', 'yesterday', 'good'],
  ['four seconds ahead', 'Sun, 01 Mar 2026 12:00:04 GMT', 'good good'],
  ['a minute ahead', 'Sun, 01 Mar 2026 12:01:00 GMT', 'good bad'],
  ['a minute behind', 'Sun, 01 Mar 2026 11:59:00 GMT', 'good bad'],
])('the provider’s clock: %s', (_, date, states) => {
  const found = evaluateHealth({ url: 'http://a', status: 200, date }, between)
  expect(found.map(({ state }) => state).join(' ')).toBe(states)
})

it.each<[number, string | null, string]>([
  [302, 'https://auth.example.com/?rd=x', 'good'],
  [401, null, 'good'],
  [403, null, 'good'],
  [302, null, 'bad'],
  [200, null, 'bad'],
  [400, null, 'bad'],
  [404, null, 'bad'],
  [502, null, 'bad'],
])('the forward-auth endpoint answers %i %s: %s', (status, location, state) => {
  const found = evaluateForwardAuth(
    { status, location, words: null },
    { url: 'http://a', host: 'h.example.com' },
  )
  expect(found.state).toBe(state)
  expect(found.remedy === null).toBe(state === 'good')
})

it.each<[string, number | null, string]>([
  ['runs', NOW - 1000, 'good'],
  ['does not run', null, 'bad'],
  ['started in the future', NOW + 60_000, 'bad'],
])('a container that %s', (_, started_at, state) => {
  expect(evaluateStart('authelia', started_at, NOW).state).toBe(state)
})

it('the Docker socket is asked for the container, and a socket that is not there is named', async () => {
  const folder = newFolder('doctor')
  const socket = join(folder, 'docker.sock')
  const { settings } = loadConfig({
    PLUMBLINE_DATA_DIR: folder,
    PLUMBLINE_SSO_RULES_FILE: join(folder, 'rules.yml'),
    PLUMBLINE_SSO_URL: 'http://127.0.0.1:9',
    PLUMBLINE_SSO_RESTART: 'docker:authelia',
  })
  const restart = async () =>
    (await ssoSurroundings(settings, socket)).find(({ check }) => check === 'SSO restart')
  expect(await restart()).toMatchObject({ state: 'bad', detail: expect.stringContaining(socket) as string })
  const engine = createServer((request, response) => {
    const is_known = request.url === '/containers/authelia/json'
    response
      .writeHead(is_known ? 200 : 404)
      .end(JSON.stringify({ State: { Running: true, StartedAt: '2026-03-01T12:00:00.123456789Z' } }))
  })
  await new Promise<void>((resolve) => engine.listen(socket, resolve))
  try {
    expect(await restart()).toMatchObject({ state: 'good' })
  } finally {
    engine.closeAllConnections()
    await new Promise((resolve) => engine.close(resolve))
  }
})
