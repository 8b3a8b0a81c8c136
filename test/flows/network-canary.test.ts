/** Secrets of a controller and of guests in every field that may not come out: none does, whatever is asked and whatever fails. */
import type { ServerResponse } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CANARY, poisoned } from '../fakes/lab/poison.ts'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let unifi: UnifiApi
let proxmox: ProxmoxApi
let clock: HandClock
let directory: string
let said: string[]

const macOf = (at: number) => `bc:24:11:00:00:0${at}`

beforeEach(async () => {
  unifi = await unifiApi()
  proxmox = await proxmoxApi()
  clock = handClock(Date.now())
  said = []
  directory = newFolder('canary')
  unifi.lists
    .set('stat/alluser', [{ mac: macOf(1), name: 'by hand' }])
    .set('stat/sta', [
      { mac: macOf(1), hostname: 'one', ip: '192.168.1.9' },
      { mac: 'ac:bc:32:00:00:09', hostname: 'stranger', ip: '192.168.1.66', sw_mac: '02:00:5e:20:00:01' },
    ])
    .set('rest/user', [
      { _id: 'u1', mac: macOf(1), name: 'by hand' },
      { _id: 'u2', mac: macOf(2) },
      { _id: 'u3', mac: macOf(3) },
    ])
    .set('v2/firewall/zone', [])
    .set('v2/firewall-policies', [])
  for (const [list, rows] of unifi.lists) unifi.lists.set(list, rows.map(poisoned))
  proxmox.guests = [1, 2, 3].map((at) => ({
    type: 'qemu' as const,
    vmid: 100 + at,
    name: `guest${at}`,
    config: {
      net0: `virtio=${macOf(at)},bridge=vmbr0`,
      cipassword: `${CANARY}-ci`,
      sshkeys: `${CANARY}-keys`,
      description: `${CANARY}-description`,
      args: `${CANARY}-args`,
    },
    row: { lock: `${CANARY}-lock`, ticket: `${CANARY}-ticket` },
  }))
})
afterEach(async () => {
  await unifi.close()
  await proxmox.close()
})

async function open(): Promise<TestHouse> {
  const note = (message: string, facts?: object) => void said.push(JSON.stringify([message, facts], shown))
  return openTestHouse({
    directory,
    opened: false,
    clock,
    log: { debug: note, info: note, warn: note, error: note },
    env: {
      PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
      PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
      PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
      PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
      PLUMBLINE_NETWORK_CLIENT_METRICS: 'true',
    },
  })
}
/** An error has nothing of its own that JSON would show. */
const shown = (_name: string, value: unknown): unknown =>
  value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value

const LOOKS = [
  'devices',
  'clients',
  'clients?all=true',
  'port-forwards',
  'firewall-rules',
  'firewall-groups',
  'wlans',
  'networks',
  'rogue-check',
  'rogue-check?guests=true',
].map((path) => `/companions/network/api/${path}`)
const ELSEWHERE = [
  '/companions/network/metrics',
  '/metrics',
  '/api/network/lan-hosts',
  '/api/network/summary',
  '/api/discover',
  '/api/discover/homelab',
  '/api/control-plane/health',
  '/companions/inventory/api/assets',
  '/companions/inventory/api/conflicts',
  '/companions/inventory/api/orphans',
  '/companions/inventory/api/infrastructure/status',
  '/companions/inventory/api/ip/used',
  '/companions/inventory/api/ssh-targets',
]
const SYNC = '/companions/network/api/sync-names'

interface Answered {
  readonly status: number
  readonly text: string
}
async function ask(house: TestHouse, method: string, path: string): Promise<Answered> {
  const { status, body, headers } = await house.call(method, path)
  const text = JSON.stringify([body, [...headers]])
  assertClean(`${method} ${path} ${status}`, text)
  return { status, text }
}
function assertClean(what: string, text: string): void {
  for (const secret of [CANARY, UNIFI_KEY, PROXMOX_TOKEN.split('=')[1]!])
    expect(text.includes(secret), `${what}: ${text.slice(Math.max(0, text.indexOf(secret) - 200))}`).toBe(
      false,
    )
}
/** The log, and every byte of the data directory: rows, journal, plans, audit. */
function assertNothingKept(): void {
  assertClean('log', said.join('\n'))
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) assertClean(entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1'))
}

itInDepth('nothing of them is in an answer, the metrics, the log, or what is kept', async () => {
  const house = await open()
  for (const path of [...LOOKS, ...ELSEWHERE]) expect((await ask(house, 'GET', path)).status, path).toBe(200)
  expect((await ask(house, 'GET', LOOKS.at(-2)!)).text).toContain('stranger')
  expect((await ask(house, 'GET', ELSEWHERE[0]!)).text).toContain('ac:bc:32:00:00:09')
  expect((await ask(house, 'POST', `${SYNC}?dry_run=true`)).text).toContain('guest2')
  expect((await ask(house, 'POST', SYNC)).text).toContain('guest3')
  expect((await ask(house, 'POST', `${SYNC}?overwrite=true`)).text).toContain('by hand')
  expect((await ask(house, 'GET', '/api/audit')).text).toContain('sync_network_names')
  await house.house.close()
  assertNothingKept()
})

/** What a controller or a host that is out of order may answer, its secrets with it. */
const BROKEN: readonly [string, (response: ServerResponse) => void][] = [
  [
    'a refusal',
    (response) =>
      json(
        response,
        403,
        poisoned({ meta: poisoned({ rc: 'error', msg: 'api.err.NoPermission' }), data: [] }),
      ),
  ],
  [
    'a message of its own',
    (response) =>
      json(response, 400, { meta: { rc: 'error', msg: `Wrong key ${CANARY}` }, message: CANARY, data: [] }),
  ],
  ['a fault', (response) => json(response, 500, poisoned({ code: 'boom', details: {} }))],
  [
    'a page',
    (response) =>
      void response
        .writeHead(502, { 'content-type': 'text/html', 'x-token': CANARY })
        .end(`<h1>${CANARY}</h1>`),
  ],
  [
    'half an answer',
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"data":[{"x_password":"${CANARY}`),
  ],
  [
    'text that is no JSON',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(CANARY),
  ],
  ['another shape', (response) => json(response, 200, poisoned({ data: poisoned({}) }))],
  [
    'rows that are none',
    (response) =>
      json(response, 200, { data: [CANARY, [CANARY], { mac: { x: CANARY } }, poisoned({ mac: 7 })] }),
  ],
  [
    'a way elsewhere',
    (response) => void response.writeHead(302, { location: `/login?token=${CANARY}` }).end(),
  ],
  ['a login', (response) => json(response, 401, poisoned({}))],
]
const json = (response: ServerResponse, status: number, value: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

it.each(BROKEN)('%s tells none of them', async (_what, break_) => {
  const answers = (_request: unknown, response: ServerResponse) => (break_(response), true)
  unifi.answer = answers
  const house = await open()
  for (const path of [...LOOKS, ...ELSEWHERE]) await ask(house, 'GET', path)
  await ask(house, 'POST', SYNC)
  unifi.answer = null
  proxmox.answer = answers
  clock.pass(600_000)
  for (const path of [...LOOKS, ...ELSEWHERE]) await ask(house, 'GET', path)
  await ask(house, 'POST', SYNC)
  proxmox.answer = null
  // Only the writes fail: names are planned, and each is told why it was not written.
  unifi.answer = (request, response) => request.method === 'PUT' && answers(request, response)
  clock.pass(600_000)
  expect((await ask(house, 'POST', SYNC)).text).toMatch(/guest2|rest\/user\/u2/)
  await house.house.close()
  assertNothingKept()
})
