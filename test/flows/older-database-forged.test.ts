/**
 * Whoever may write beside the world can put any file there. Its number stops, which is the safe side; nothing that it
 * holds is taken, and what this installation has signed is judged as a caller's values are.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { worldHolder } from '../../src/io/files/world-holder.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { type Log, silentLog } from '../../src/kernel/log.ts'
import { readStamp } from '../../src/model/world-stamp.ts'
import type { Store } from '../../src/ports/store.ts'
import type { HeldContent } from '../../src/ports/world-holder.ts'
import { byTier } from '../kit/tier.ts'
import { ED25519, OTHER } from '../model/ssh/keys.ts'
import { run } from './command.ts'
import { goodAt, installationIn, outsideOf, setBackBefore } from './older-database.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const RESUME = '/api/releases/resume'
const STRANGER = 'stranger.example.com'

let at: TestHouse
let keys: string
let logged: string[]
/** Transactions wait for it. */
let held: Promise<void> | null
let waiting: number

function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return resolve
}

beforeEach(async () => {
  const directory = newFolder('forged')
  keys = join(directory, 'keys', 'authorized_keys')
  logged = []
  const note = (message: string, facts?: object) => void logged.push(`${message} ${JSON.stringify(facts)}`)
  const log: Log = { ...silentLog, debug: note, info: note, warn: note, error: note }
  held = null
  waiting = 0
  const store = (real: Store): Store => ({
    ...real,
    async write(work) {
      if (held !== null) {
        waiting += 1
        await held
      }
      return real.write(work)
    },
  })
  at = await openTestHouse({ directory, log, env: { PLUMBLINE_AUTHORIZED_KEYS: keys }, wrap: { store } })
})
afterEach(() => at[Symbol.asyncDispose]())

const good = goodAt(() => at)

interface Planned {
  readonly hash: string
  readonly warnings: readonly string[]
  readonly changes: Readonly<Record<string, readonly string[]>>
  readonly refused: readonly object[]
  readonly diff: { readonly changed: readonly { readonly domain: string; readonly fields: object }[] }
}
const planFor = async (take: 'database' | 'world') =>
  (await good('POST', RESUME, { take })) as unknown as Planned
const decide = async (take: 'database' | 'world') =>
  good('POST', `${RESUME}?confirm=${(await planFor(take)).hash}`, { take })

const names = async () =>
  ((await good('GET', '/api/domains')) as unknown as { domain: string }[]).map(({ domain }) => domain).sort()

/** Of the routes file; nothing else of ours stands in that folder. */
function holderPath(): string {
  const folder = join(at.directory, '.traefik.plumbline')
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.plumbline'))!,
  )
}

const bodyIn = (path: string) =>
  JSON.parse(readFileSync(path, 'utf8').split('\n').slice(1).join('\n')) as HeldContent

/** What a stranger can make of what stands there, with a digest that fits. */
function forge(path: string, number: number, change: (held: HeldContent) => object): void {
  const body = `${JSON.stringify(change(bodyIn(path)))}\n`
  const { installation_id } = readStamp(readFileSync(path, 'utf8'))!
  const stamp = `installation=${installation_id} change=${number}:0123456789abcdef`
  const signature = `hmac=${'0'.repeat(64)} `
  writeFileSync(path, `plumbline-world 1 ${stamp} ${signature}sha256=${sha256([body])}\n${body}`)
}

const withStranger = (held: HeldContent) => {
  const [row] = held.rows
  const stranger = {
    ...row!,
    domain_id: 666,
    fields: { ...row!.fields, domain: STRANGER, auth_required: false },
  }
  const [type, key] = OTHER.split(' ')
  const [own] = held.ssh_clients
  const client = { ...own!, type: type!, key: key!, name: 'stranger' }
  return {
    ...held,
    rows: [...held.rows, stranger],
    present: [...held.present, 666],
    ssh_clients: [...held.ssh_clients, client],
  }
}

async function reopened(): Promise<void> {
  at = await at.reopen()
  await expect.poll(() => at.house.engine.lastReports().length).toBe(at.house.engine.keys().length)
}

async function founded(): Promise<void> {
  await createActive(at.call, { domain: 'one.example.com' })
  await good('POST', '/api/ssh-clients', { public_key: ED25519, name: 'laptop-of-jo' })
}

describeInDepth('a file that somebody else wrote', () => {
  it('stops, is named, and brings nothing in, whichever side is taken; of two decisions at once one is made', async () => {
    await founded()
    forge(holderPath(), 1000, withStranger)
    await reopened()
    expect((await at.call('POST', '/api/deploy-all')).status).toBe(409)
    const path = holderPath()
    expect(await at.call('POST', RESUME, { body: { take: 'world' } })).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        detail: expect.stringContaining(`${path} is not signed by this installation`) as unknown,
        unsigned: [path],
      },
    })
    const plan = await planFor('database')
    expect(plan.warnings.join(' ')).toContain(`${path} is not signed by this installation`)
    const release = hold()
    const calls = [1, 2].map(() =>
      at.call('POST', `${RESUME}?confirm=${plan.hash}`, { body: { take: 'database' } }),
    )
    // Both have looked at the world before either may write.
    await expect.poll(() => waiting).toBeGreaterThanOrEqual(2)
    release()
    const answers = await Promise.all(calls)
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    expect(await good('GET', '/api/audit?action=resume_releases')).toHaveLength(1)
    expect(await names()).toEqual(['one.example.com'])
    expect(at.routes()).not.toContain(STRANGER)
    expect(readFileSync(keys, 'utf8')).not.toContain(OTHER)
    expect((await at.call('GET', '/ready')).status).toBe(200)
  })

  it('does not stand in the way of one that this installation has signed, and is warned of', async () => {
    await founded()
    at = await setBackBefore(at, () => createActive(at.call, { domain: 'two.example.com' }))
    const path = holderPath()
    const body = readFileSync(path)
    const beside = join(at.directory, 'traefik', path.slice(path.lastIndexOf('/') + 1))
    writeFileSync(beside, body)
    forge(beside, 1000, withStranger)
    const plan = await planFor('world')
    expect(plan.changes).toMatchObject({ created: ['two.example.com'], keys_saved: [] })
    expect(plan.warnings.join(' ')).toContain(`${beside} is not signed by this installation`)
    await decide('world')
    expect(await names()).toEqual(['one.example.com', 'survives.example.com', 'two.example.com'])
  })
})

it('the secret stands in the database alone: in no file of the world, log, export or answer', async () => {
  await founded()
  at = await setBackBefore(at, () => createActive(at.call, { domain: 'two.example.com' }))
  const answers = [await planFor('world'), await decide('world')]
  const exported = await run(['export'], { PLUMBLINE_DATA_DIR: at.directory })
  expect(exported.out).toContain('two.example.com')
  const db = new Database(join(at.directory, 'plumbline.db'), { readonly: true })
  const secret = db.prepare(`SELECT value FROM meta WHERE key = 'holder_secret'`).pluck().get() as string
  db.close()
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  const texts = [
    ...answers.map((answer) => JSON.stringify(answer)),
    exported.out,
    ...logged,
    ...[...outsideOf([at.directory])].flatMap(([path, text]) =>
      path.includes('plumbline.db') ? [] : [text],
    ),
  ]
  expect(texts.filter((text) => text.includes(secret))).toEqual([])
})

describe('a signed file with odd parts', () => {
  const sign = async (change: (held: HeldContent) => object) => {
    const options = { file: at.house.routes_path, watched: true, ...installationIn(at.directory) }
    const holder = worldHolder({ world: 'routes', ...options })
    const { signal } = new AbortController()
    const { stamp } = (await holder.read(signal)).signed!
    await holder.write({ stamp, ...(change(bodyIn(holderPath())) as HeldContent) }, signal)
    const theirs = worldHolder({ world: 'ssh-gateway', ...options, file: keys, watched: false })
    await theirs.write({ stamp, ...(change(bodyIn(holderPath())) as HeldContent) }, signal)
  }

  itInDepth('names what it refuses with field and reason, and takes the rest', async () => {
    await founded()
    at = await setBackBefore(at, async () => {
      await createActive(at.call, { domain: 'two.example.com' })
      await createActive(at.call, { domain: 'three.example.com' })
    })
    await sign((held) => ({
      ...held,
      rows: held.rows.map((row) =>
        row.fields.domain === 'two.example.com'
          ? { ...row, fields: { ...row.fields, backend_port: 'many' } }
          : row,
      ),
      ssh_clients: held.ssh_clients.map((client) => ({
        ...client,
        options: { ...client.options, command: 'true\nssh-ed25519 AAAA' },
      })),
      people: [...held.people, { username: 7, revoked: false }],
    }))
    const plan = await planFor('world')
    expect(plan.refused).toEqual([
      {
        part: 'record',
        name: 'two.example.com',
        field: 'backend_port',
        reason: expect.any(String) as unknown,
      },
      {
        part: 'ssh_client',
        name: 'laptop-of-jo',
        field: 'options.command',
        reason: expect.any(String) as unknown,
      },
      { part: 'person', name: 'person 1', field: 'username', reason: expect.any(String) as unknown },
    ])
    expect(plan.warnings.join(' ')).toContain('Record two.example.com is refused and not taken: backend_port')
    await decide('world')
    expect(await names()).toEqual(['one.example.com', 'survives.example.com', 'three.example.com'])
    await expect.poll(async () => (await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })
    expect(readFileSync(keys, 'utf8')).not.toContain('ssh-ed25519 AAAA\n')
  })

  it.each(byTier([[{ rows: {} }]], [[null], [[]], ['text'], [{}], [{ rows: {} }]]))(
    'is refused as a whole where it is none (%j), and hinders nobody who takes the database',
    async (content) => {
      await founded()
      at = await setBackBefore(at, () => createActive(at.call, { domain: 'two.example.com' }))
      const body = `${JSON.stringify(content)}\n`
      for (const path of [
        holderPath(),
        join(keys, '..', `.authorized_keys.${holderPath().split('.').at(-2)}.plumbline`),
      ]) {
        const stamp = /installation=\S+ change=\S+/.exec(readFileSync(path, 'utf8'))![0]
        const signed = `plumbline-world 1 ${stamp} sha256=${sha256([body])}`
        const hmac = installationIn(at.directory).sign(signed)
        writeFileSync(path, `plumbline-world 1 ${stamp} hmac=${hmac} sha256=${sha256([body])}\n${body}`)
      }
      expect(await at.call('POST', RESUME, { body: { take: 'world' } })).toMatchObject({
        status: 409,
        body: { code: 'conflict', detail: expect.stringContaining('Nothing can be taken from') as unknown },
      })
      await decide('database')
    },
  )
})
