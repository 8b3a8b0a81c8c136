/** What happens in a whole house is told: over restarts without a gap, and about calls whose caller did not wait. */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen, type Listener } from '../http/listener.ts'
import type { Client } from './client.ts'
import { start } from './command.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const later = { prefer: 'respond-async' }

async function connected({ house }: TestHouse, after: string): Promise<Listener> {
  const headers = { 'x-api-key': house.key.reveal(), 'last-event-id': after }
  const answer = await house.app.request('/api/events', { headers }, { peer: '127.0.0.1' })
  expect(answer.status).toBe(200)
  return listen(answer.body!)
}

/** The operation, once it has ended. */
async function ended(call: Client, location: string) {
  await expect.poll(async () => (await call('GET', location)).body['state']).not.toBe('running')
  return (await call('GET', location)).body
}

const kinds = (listener: Listener) => listener.heard.map(({ kind }) => kind)

describe('events', () => {
  it('tell of releases, repairs and recoveries, each with its figures', async () => {
    let full = false
    await using at = await openTestHouse({
      wrap: {
        file: (file) => ({
          ...file,
          replace: async (chunks, options, signal) => {
            if (full) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
            return file.replace(chunks, options, signal)
          },
        }),
      },
    })
    const listener = await connected(at, '0')
    const id = await createActive(at.call)
    await listener.until((heard) => heard.some(({ data }) => data['kind'] === 'repaired'))
    expect(kinds(listener)).toContain('started')
    const released = listener.heard.filter(({ kind }) => kind === 'release').at(-1)!
    expect(released.data).toMatchObject({
      message: 'Release 2: activate app.example.com.',
      facts: { release: 2, actor: 'key', rows: 1 },
    })
    full = true
    appendFileSync(at.house.routes_path, '# stranger\n')
    await listener.until((heard) => heard.some(({ kind }) => kind === 'failed'))
    full = false
    await at.call('POST', `/api/domains/${id}/deploy`)
    await listener.until((heard) => heard.some(({ kind }) => kind === 'recovered'))
    expect(listener.heard.findLast(({ kind }) => kind === 'recovered')).toMatchObject({
      kind: 'recovered',
      data: { message: 'routes is as it should be again.' },
    })
    await listener.leave()
  })

  it('are replayed without a gap or a duplicate over a restart', async () => {
    await using first = await openTestHouse()
    const before = await connected(first, '0')
    const id = await createActive(first.call)
    const second = await first.reopen()
    onTestFinished(() => second[Symbol.asyncDispose]())
    expect(await before.ended).toBe(true)
    expect(kinds(before).at(-1)).toBe('stopping')
    const after = await connected(second, before.last_id())
    await second.call('POST', `/api/domains/${id}/deactivate`)
    await after.until((heard) =>
      heard.some(({ data }) => String(data['message']).includes('deactivate app.example.com')),
    )
    await after.leave()
    const ids = [...before.heard, ...after.heard].map((event) => event.id)
    expect(ids).toEqual(ids.map((_, index) => index + 1))
    expect(kinds(after)[0]).toBe('started')
  })

  it('tell of what is saved, by whom, and not of what is only rehearsed, refused or unchanged', async () => {
    await using at = await openTestHouse()
    const listener = await connected(at, '0')
    const id = await create(at.call)
    const path = `/api/domains/${id}`
    const { call } = at
    await call('PUT', path, { body: { backend_port: 9090 } })
    await call('PUT', `${path}?dry_run=true`, { body: { backend_port: 9091 } })
    await call('PUT', path, { body: { backend_port: 9090 } })
    expect((await call('PUT', path, { body: { backend_port: 0 } })).status).toBe(422)
    await call('DELETE', path)
    const isSaved = ({ kind }: { kind: string }) => kind === 'saved'
    const heard = await listener.until((all) => all.filter(isSaved).length === 3)
    expect(heard.filter(isSaved).map(({ data }) => data['facts'])).toMatchObject([
      { ids: [id], revision: 1, action: 'create', actor: 'key' },
      { ids: [id], revision: 2, action: 'update' },
      { ids: [id], revision: null, action: 'delete' },
    ])
    await listener.leave()
  })

  it('of idle looks there are none', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    const page = () => at.call('GET', '/api/events', { headers: { accept: 'application/json' } })
    await expect.poll(async () => JSON.stringify((await page()).body)).toContain('"kind":"repaired"')
    const before = (await page()).body
    for (let i = 0; i < 5; i++) await at.call('POST', '/api/domains/1/deploy')
    expect((await page()).body).toEqual(before)
  })
})

describe('a call whose caller does not wait', () => {
  it('creates, activates, edits and deploys, each answer kept under its operation', async () => {
    await using at = await openTestHouse()
    const id = await create(at.call)
    const accepted = await at.call('POST', `/api/domains/${id}/activate`, { headers: later })
    expect(accepted.status).toBe(202)
    expect(accepted.headers.get('preference-applied')).toBe('respond-async')
    const activated = await ended(at.call, accepted.headers.get('location')!)
    expect(activated).toMatchObject({
      state: 'succeeded',
      hint: null,
      answer: {
        status: 200,
        body: { success: true, domain_ids: [id], components: [{ component: 'routes' }] },
      },
    })
    expect(at.routes()).toContain('http://10.0.0.5:8080')
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const deploy = await at.call('POST', '/api/deploy-all', { headers: later })
    await ended(at.call, deploy.headers.get('location')!)
    expect(at.routes()).toContain('http://10.0.0.5:9090')
  })

  it('gets the problem that it would have got', async () => {
    await using at = await openTestHouse()
    const accepted = await at.call('POST', '/api/domains/77/deploy', { headers: later })
    expect(await ended(at.call, accepted.headers.get('location')!)).toMatchObject({
      state: 'failed',
      answer: { status: 404, body: { code: 'not_found' } },
    })
  })

  itInDepth('may prefer so wherever a call deploys', async () => {
    await using at = await openTestHouse({ opened: false })
    const { body } = await at.call('GET', '/openapi.json')
    type Operation = { responses: Record<string, { description?: string; $ref?: string }> }
    const paths = body['paths'] as unknown as Record<string, Record<string, Operation>>
    const unsafe = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'get')
        .map(([method, { responses }]) => ({ name: `${method} ${path}`, responses })),
    )
    // Only a deploy can find the storage full that it writes to.
    const deploying = unsafe.filter(({ responses }) => responses['507'] !== undefined)
    expect(deploying.length).toBeGreaterThanOrEqual(10)
    for (const { name, responses } of unsafe)
      expect([name, responses['202'] !== undefined]).toEqual([name, responses['507'] !== undefined])
  })
})

describe('reconcile', () => {
  itInDepth('undoes a hand edit also in observe mode, and says what it did', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    await createActive(at.call)
    const bytes = at.routes()
    appendFileSync(at.house.routes_path, '# stranger\n')
    const accepted = await at.call('POST', '/api/reconcile?target=routes')
    expect([accepted.status, accepted.headers.get('preference-applied')]).toEqual([202, null])
    expect(await ended(at.call, accepted.headers.get('location')!)).toMatchObject({
      state: 'succeeded',
      answer: {
        status: 200,
        body: { success: true, components: [{ component: 'routes', outcome: 'repaired' }] },
      },
    })
    expect(at.routes()).toBe(bytes)
    const trail = await at.call('GET', '/api/audit?action=reconcile')
    expect(JSON.stringify(trail.body)).toContain('"component":"routes"')
  })

  it('refuses a component that there is not at once, and plans without touching on a dry run', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    await createActive(at.call)
    expect((await at.call('POST', '/api/reconcile?target=dsn')).status).toBe(422)
    appendFileSync(at.house.routes_path, '# stranger\n')
    const accepted = await at.call('POST', '/api/reconcile?target=routes&dry_run=true')
    expect(await ended(at.call, accepted.headers.get('location')!)).toMatchObject({
      answer: { body: { dry_run: true, plan: { actions: [{ reason: 'repair' }] } } },
    })
    expect(at.routes()).toContain('# stranger')
  })
})

itInDepth(
  'what was promised and was running when the daemon was killed is interrupted at the next start, nothing is lost',
  async () => {
    const directory = newFolder('killed')
    const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
    const open = async () => {
      const daemon = start(['serve'], env)
      await daemon.saw('listening')
      const { listen: url } = JSON.parse(readFileSync(join(directory, 'holder.json'), 'utf8')) as {
        listen: string
      }
      const headers = { 'x-api-key': readFileSync(join(directory, 'api-key'), 'utf8').trim(), ...later }
      return { daemon, url, headers }
    }
    const promised: string[] = []
    const states: string[] = []
    for (let round = 0; round < 10 && !states.includes('interrupted'); round++) {
      const { daemon, url, headers } = await open()
      const first = Promise.withResolvers<void>()
      const calls = Array.from({ length: 40 }, async () => {
        const answer = await request(`${url}/api/deploy-all`, { method: 'POST', headers })
        if (answer.statusCode === 202) promised.push(String(answer.headers['location']))
        first.resolve()
        await answer.body.dump()
      })
      const settled = Promise.allSettled(calls)
      await first.promise
      await daemon.stop('SIGKILL')
      await settled
      const next = await open()
      for (const location of promised.splice(0)) {
        const answer = await request(`${next.url}${location}`, { headers: next.headers })
        const operation = (await answer.body.json()) as { state: string; hint: string | null }
        expect(operation.state).toMatch(/^(succeeded|interrupted)$/)
        expect(operation.hint === null).toBe(operation.state === 'succeeded')
        states.push(operation.state)
      }
      expect((await next.daemon.stop()).code).toBe(0)
    }
    expect(states).toContain('interrupted')
  },
)
