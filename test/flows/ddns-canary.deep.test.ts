/** Keys of gateways are in no log line, event, audit entry, answer, or file, whatever becomes of the requests that hold them. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../../src/io/log/create-log.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon, type Daemon } from '../../src/build-daemon.ts'
import { type Client, clientOf } from './client.ts'
import { create } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const HOME = 'home.example.com'
const REQUESTS = 1000

let directory: string
let house: Daemon
let address: URL
let call: Client
let lines: string[]
/** Whether the store is to fail, as a full disk or a broken file would make it. */
let broken: boolean

beforeEach(async () => {
  directory = newFolder('canary')
  lines = []
  broken = false
  const log = createLog({
    level: 'debug',
    format: 'json',
    destination: { write: (line) => lines.push(line) },
  })
  const config = loadConfig({ PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' })
  house = await buildDaemon(config, {
    log,
    wrap: {
      store: (store) => ({
        ...store,
        write: (work) =>
          broken ? Promise.reject(new Error('the disk under the store is gone')) : store.write(work),
      }),
    },
  })
  address = new URL(await house.open())
  call = clientOf(house)
  await create(call, { domain: HOME, ddns_enabled: true })
})
afterEach(() => house.close())

/** A wrong key of the shape of a real one. */
const canary = () => randomBytes(32).toString('base64url')

/** Bytes as they are written, and whatever comes back, on a socket of its own. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(address.port), address.hostname)
    let got = ''
    socket.setEncoding('utf8').on('data', (part: string) => (got += part))
    socket.on('error', () => resolve(got)).on('close', () => resolve(got))
    socket.end(text)
  })

const get = (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers })
  return raw(`GET ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`)
}

/** Ways in which a key can come along, good and bad: each gives what was answered. */
const WAYS: readonly ((key: string, i: number) => Promise<string>)[] = [
  (key, i) => get(`/api/ddns/update/${HOME}?key=${key}&ip=84.1.${i >> 8}.${i & 255}`),
  (key) => get(`/api/ddns/update/nobody.example.com?key=${key}&ip=84.1.1.1`),
  (key) => get(`/api/ddns/update/${HOME}?ip=nonsense&key=${key}`),
  (key) => get(`/api/ddns/update/${HOME}?key=${key}&key=${key}`),
  (key) => get(`/api/ddns/update/${HOME}?key=${key}&what=1`),
  (key) => get(`/nic/update?hostname=${HOME}&myip=84.1.1.1`, { authorization: `Basic ${btoa(`u:${key}`)}` }),
  (key) => get(`/nic/update?hostname=${HOME},a.example.com&myip=84.1.1.1&key=${key}`),
  (key) => get(`/api/ddns/update/${HOME}`, { 'x-api-key': key }),
  (key) => get(`/api/ddns/hosts?key=${key}`, { authorization: `Bearer ${key}` }),
  (key) => get(`/api/ddns/tokens`, { 'x-api-key': key }),
  (key) =>
    raw(`HEAD /api/ddns/update/${HOME}?key=${key} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
  (key) => raw(`GET /api/ddns/update/${HOME}?key=${key}&ip=84.1.1.1 HTTP/1.0\r\nHost: localhost\r\n\r\n`),
  (key) => raw(`GET /api/ddns/update/${HOME}?key=${key} HTTP/1.1\r\nBad Header\r\n\r\n`),
  (key) =>
    raw(`GET //api/ddns/update/${HOME}?key=${key} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
  (key) =>
    raw(
      `GET /api/ddns/update/${HOME}?key=${key} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    ),
  (key) => raw(`GET /api/ddns/update/${HOME}?key=${key}`),
]

/** The text of every file below a directory, as bytes in Latin-1, so that nothing is lost. */
const filesUnder = (path: string): string[] =>
  readdirSync(path).flatMap((name) => {
    const full = join(path, name)
    return statSync(full).isDirectory() ? filesUnder(full) : [readFileSync(full, 'latin1')]
  })

it(`${REQUESTS} requests, most of them failing, leave no key anywhere`, async () => {
  const issued = await Promise.all(
    Array.from({ length: 4 }, () =>
      call('POST', '/api/ddns/tokens', {
        body: { host: HOME },
        headers: { 'idempotency-key': canary() },
      }),
    ),
  )
  const tokens = issued.map(({ body }) => body['key'] as unknown as string)
  const keys: string[] = [...tokens, house.key.reveal()]
  const answers: string[] = []
  for (let i = 0; i < REQUESTS; i += 8) {
    broken = i % 96 === 0
    const batch = Array.from({ length: 8 }, (_, n) => {
      const key = n === 0 ? tokens[i % 4]! : n === 1 ? house.key.reveal() : canary()
      keys.push(key)
      return WAYS[(i + n * 3) % WAYS.length]!(key, i + n)
    })
    answers.push(...(await Promise.all(batch)))
  }
  broken = false
  const trails = await Promise.all(
    [
      '/api/audit?limit=1000',
      '/api/events?limit=1000',
      '/api/ddns/hosts',
      '/api/ddns/tokens',
      '/metrics',
    ].map(async (path) =>
      JSON.stringify((await call('GET', path, { headers: { accept: 'application/json' } })).body),
    ),
  )
  const [token] = (await call('GET', '/api/ddns/tokens')).body as unknown as [{ id: string }]
  await call('POST', `/api/ddns/tokens/${token.id}/rotate`).then(({ body }) =>
    keys.push(body['key'] as never),
  )
  await call('DELETE', `/api/ddns/tokens/${token.id}`)

  expect(lines.length).toBeGreaterThan(REQUESTS / 2)
  expect(answers.some((answer) => answer.includes('good 84.'))).toBe(true)
  expect(lines.some((line) => line.includes('"status":500') || line.includes('"status":503'))).toBe(true)
  const places = {
    log: lines.join(''),
    answers: answers.join('\n'),
    trails: trails.join('\n'),
    // The key of the API has its own file, which is what the setting means.
    files: filesUnder(directory)
      .filter((text) => text.trim() !== house.key.reveal())
      .join('\n'),
  }
  const shapes = [...new Set(keys)].flatMap((key) => [key, btoa(`u:${key}`)])
  for (const [place, text] of Object.entries(places))
    expect([place, shapes.filter((shape) => text.includes(shape))]).toEqual([place, []])
})
