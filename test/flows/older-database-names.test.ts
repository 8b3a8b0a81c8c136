/**
 * The world is taken over an older database whose records hold names that the world has given to others since. Nobody can
 * free a name while outside writes wait, so the decision itself does: the record stays, under a name of no use to anybody.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { worldHolder } from '../../src/io/files/world-holder.ts'
import { readStamp } from '../../src/model/world-stamp.ts'
import type { HeldContent } from '../../src/ports/world-holder.ts'
import { ED25519 } from '../model/ssh/keys.ts'
import { goodAt, installationIn, setBackBefore } from './older-database.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const RESUME = '/api/releases/resume'
const SSH = { service_type: 'tcp-proxy', protocol: 'tcp', tcp_entrypoint: 'ssh', ssl_enabled: false }

let at: TestHouse

beforeEach(async () => {
  const directory = newFolder('names')
  at = await openTestHouse({
    directory,
    env: { PLUMBLINE_AUTHORIZED_KEYS: join(directory, 'keys', 'authorized_keys') },
  })
})
afterEach(() => at[Symbol.asyncDispose]())

const good = goodAt(() => at)

const records = async () => {
  const list = (await good('GET', '/api/domains')) as unknown as readonly {
    id: number
    domain: string
    status: string
  }[]
  return new Map(list.map(({ id, domain, status }) => [domain, { id, status }]))
}

it('whoever holds a wanted name or entrypoint is parked, named before and after, and loses nothing else', async () => {
  const draft = await create(at.call, { domain: 'draft.example.com', backend_port: 7001 })
  const gone = await create(at.call, { domain: 'tcp-draft.example.com', ...SSH })
  const first = await createActive(at.call, { domain: 'first.example.com' })
  const edited = await createActive(at.call, { domain: 'edited.example.com' })
  await good('PUT', `/api/domains/${edited}`, { domain: 'wanted.example.com' })
  at = await setBackBefore(at, async () => {
    await good('DELETE', `/api/domains/${draft}`)
    await createActive(at.call, { domain: 'draft.example.com', backend_port: 7002 })
    await good('DELETE', `/api/domains/${gone}`)
    await createActive(at.call, { domain: 'tcp.example.com', ...SSH })
    await good('PUT', `/api/domains/${edited}`, { domain: 'edited.example.com' })
    await createActive(at.call, { domain: 'wanted.example.com' })
    // Off line with a name that the files of the world still give to it, and that somebody else has by now.
    const moved = await createActive(at.call, { domain: 'moved.example.com' })
    await good('POST', `/api/domains/${moved}/deactivate`)
    await good('PUT', `/api/domains/${moved}`, { domain: 'elsewhere.example.com' })
    await createActive(at.call, { domain: 'moved.example.com' })
    await good('POST', `/api/domains/${first}/deactivate`)
    await good('PUT', `/api/domains/${first}`, { domain: 'second.example.com' })
    await createActive(at.call, { domain: 'first.example.com' })
  })
  const routes = at.routes()
  const plan = (await good('POST', RESUME, { take: 'world' })) as unknown as {
    hash: string
    message: string
    changes: { parked: readonly string[] }
  }
  expect(plan.changes.parked).toEqual(
    expect.arrayContaining([
      `draft.example.com as name-taken-${draft}.invalid`,
      expect.stringContaining('tcp-draft.example.com'),
      `first.example.com as name-taken-${first}.invalid`,
      expect.stringContaining('moved.example.com as name-taken-'),
    ]),
  )
  expect(plan.message).toContain('wanted.example.com: a saved change that was never deployed is replaced.')
  await good('POST', `${RESUME}?confirm=${plan.hash}`, { take: 'world' })
  expect(at.routes()).toBe(routes)
  const now = await records()
  for (const name of ['draft', 'tcp', 'wanted', 'moved', 'first', 'edited'])
    expect(now.get(`${name}.example.com`), name).toMatchObject({ status: 'active' })
  expect(now.get('edited.example.com')!.id).toBe(edited)
  expect(await good('GET', `/api/domains/${draft}`)).toMatchObject({
    domain: `name-taken-${draft}.invalid`,
    status: 'inactive',
    backend_port: 7001,
  })
  // Which name it had stands in its trail, and it can have another one.
  const trail = await good('GET', `/api/audit?domain_id=${draft}`)
  expect(JSON.stringify(trail)).toContain('draft.example.com')
  await good('PUT', `/api/domains/${draft}`, { domain: 'free.example.com' })
  await good('POST', `/api/domains/${draft}/activate`)
})

/** Of the routes file; nothing else of ours stands in that folder. */
function holderPath(): string {
  const folder = join(at.directory, '.traefik.plumbline')
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.plumbline'))!,
  )
}

itInDepth(
  'a domain that is deleted by it takes the keys of its gateways along, as its deletion did',
  async () => {
    const issued = async (host: string) => String((await good('POST', '/api/ddns/tokens', { host }))['key'])
    const report = async (host: string, key: string) =>
      (
        await at.call('GET', `/api/ddns/update/${host}?key=${key}&ip=84.1.1.1`, {
          key: null,
          peer: '203.0.113.50',
        })
      ).status
    const [gone, renamed] = ['gone.example.com', 'before.example.com']
    const ids = {
      gone: await createActive(at.call, { domain: gone, ddns_enabled: true }),
      renamed: await createActive(at.call, { domain: renamed, ddns_enabled: true }),
    }
    const keys = { gone: await issued(gone), renamed: await issued(renamed) }
    expect(await report(gone, keys.gone)).toBe(200)
    at = await setBackBefore(at, async () => {
      await good('DELETE', `/api/domains/${ids.gone}`)
      await good('PUT', `/api/domains/${ids.renamed}`, { domain: 'after.example.com' })
      await good('POST', `/api/domains/${ids.renamed}/deploy`)
      await createActive(at.call, { domain: renamed, ddns_enabled: true })
    })
    const { hash, warnings } = (await good('POST', RESUME, { take: 'world' })) as unknown as {
      hash: string
      warnings: readonly string[]
    }
    expect(warnings).toContain(`${gone}: 1 key of its gateway ends with the domain.`)
    await good('POST', `${RESUME}?confirm=${hash}`, { take: 'world' })
    expect([...(await records()).keys()]).not.toContain(gone)
    expect(await report(gone, keys.gone)).toBe(401)
    expect(await report(renamed, keys.renamed)).toBe(401)
    const because = async (domain: string) =>
      (
        (await good('GET', `/api/audit?domain=${domain}&action=revoke_token`)) as unknown as {
          detail: object
        }[]
      ).map(({ detail }) => detail)
    expect(await because(gone)).toMatchObject([{ because: 'deleted' }])
    expect(await because(renamed)).toMatchObject([{ because: 'name_given_anew' }])
    at = await at.reopen()
    expect(await report(gone, keys.gone)).toBe(401)
    const again = await createActive(at.call, { domain: gone, ddns_enabled: true })
    const { hosts } = (await good('GET', '/api/ddns/hosts')) as unknown as {
      hosts: { host: string; ipv4: string | null }[]
    }
    expect(hosts.find(({ host }) => host === gone)).toMatchObject({ ipv4: null })
    await good('DELETE', `/api/domains/${again}`)
  },
)

itInDepth(
  'what could not be carried out is refused while it is planned, and leaves nothing of itself',
  async () => {
    at = await setBackBefore(at, async () => createActive(at.call, { domain: 'one.example.com' }))
    const options = { file: at.house.routes_path, watched: true, ...installationIn(at.directory) }
    const holder = worldHolder({ world: 'routes', ...options })
    const { signal } = new AbortController()
    const { stamp, content } = (await holder.read(signal)).signed!
    const held = { stamp, ...(content as HeldContent) }
    const twice = { ...held.rows[0]!, domain_id: 99 }
    await holder.write({ ...held, rows: [...held.rows, twice], present: [...held.present, 99] }, signal)
    const before = await good('GET', '/api/domains')
    expect(await at.call('POST', RESUME, { body: { take: 'world' } })).toMatchObject({
      status: 409,
      body: { code: 'name_taken' },
    })
    expect(await good('GET', '/api/domains')).toEqual(before)
  },
)

itInDepth('a place that is further than any file says what cannot be taken', async () => {
  let first = ''
  at = await setBackBefore(at, async () => {
    await createActive(at.call, { domain: 'one.example.com' })
    first = readFileSync(holderPath(), 'utf8')
    await createActive(at.call, { domain: 'two.example.com' })
    await good('POST', '/api/ssh-clients', { public_key: ED25519, name: 'laptop-of-jo' })
    // A file of ours was put back as it stood earlier; the marker of the key block is further.
    writeFileSync(holderPath(), first)
    rmSync(keysHolder())
  })
  const plan = (await good('POST', RESUME, { take: 'world' })) as unknown as { message: string }
  const number = readStamp(first)!.number
  expect(plan.message).toMatch(
    new RegExp(`that holds the world's records is at change ${number}, but ssh-gateway .* is at change \\d+`),
  )
  const other = (await good('POST', RESUME, { take: 'database' })) as unknown as { message: string }
  expect(other.message).not.toContain('is in no file')
})

/** Beside the authorized keys. */
function keysHolder(): string {
  const folder = join(at.directory, 'keys')
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.plumbline'))!,
  )
}
