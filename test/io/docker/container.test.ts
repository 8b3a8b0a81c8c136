/** Docker's Engine on a real Unix socket: what it says of a container, and what it does not. */
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Container, dockerContainer } from '../../../src/io/docker/container.ts'
import { newFolder } from '../../kit/new-folder.ts'

let folder: string
let server: Server
let asked: string[]
let answer: { status: number; body: string }
let container: Container
const { signal } = new AbortController()

beforeEach(async () => {
  folder = newFolder('docker')
  asked = []
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(answer.status).end(answer.status === 204 ? undefined : answer.body)
  })
  const socket = join(folder, 'docker.sock')
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  container = dockerContainer('authelia', socket)
})

afterEach(async () => {
  await container.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const state = (State: unknown) => ({ status: 200, body: JSON.stringify({ Id: 'x', State }) })

it('the start time is read from the state', async () => {
  answer = state({ Running: true, StartedAt: '2026-03-01T12:00:00.123456789Z' })
  expect(await container.startedAt(signal)).toBe(Date.parse('2026-03-01T12:00:00.123Z'))
  expect(asked).toEqual(['GET /containers/authelia/json'])
})

it('a container that does not run has none', async () => {
  answer = state({ Running: false, StartedAt: '2026-03-01T12:00:00Z' })
  expect(await container.startedAt(signal)).toBeNull()
})

it.each([
  ['no container', { status: 404, body: '{"message":"No such container"}' }, /no container authelia/],
  ['an error', { status: 500, body: 'oops' }, /answered 500/],
  ['no JSON', { status: 200, body: '<html>' }, /has no start time/],
  ['no state', { status: 200, body: '{}' }, /has no start time/],
  [
    'a container that never ran',
    state({ Running: true, StartedAt: '0001-01-01T00:00:00Z' }),
    /has no start time/,
  ],
])('%s is a failure that says so', async (_, given, message) => {
  answer = given
  await expect(container.startedAt(signal)).rejects.toThrow(message)
})

it('a restart is asked for with time to stop, and its refusal is told', async () => {
  answer = { status: 204, body: '' }
  expect(await container.restart(signal)).toEqual({ ok: true, proven: true })
  expect(asked).toEqual(['POST /containers/authelia/restart?t=10'])
  answer = { status: 500, body: '' }
  expect(await container.restart(signal)).toMatchObject({ ok: false, why: expect.stringContaining('500') })
})

it('nobody at the socket is a failure with a remedy', async () => {
  const nobody = dockerContainer('authelia', join(folder, 'none.sock'))
  await expect(nobody.startedAt(signal)).rejects.toThrow(/nobody answers at .*none.sock.*may we write to it/)
  await nobody.close()
})
