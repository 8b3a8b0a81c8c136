/** A disk without space: what was acknowledged is kept, new work is refused with 507, and space is all it takes to go on. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemErrorCode } from '../../src/kernel/failure.ts'
import { create, openTestHouse, type TestHouse } from '../flows/test-house.ts'
import { MAX_MS } from './sweep.ts'
import { openWorkshop } from './workshop.ts'

const BYTES = 8 * 1024 * 1024
/** With room for a ballast. */
const LARGER_BYTES = 32 * 1024 * 1024
const MAX_CALLS = 3000
const workshop = openWorkshop()

/** A small disk in memory, or null with the reason said. */
function smallDisk(name: string, bytes: number): string | null {
  const folder = join(workshop.folder(), name)
  mkdirSync(folder)
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder],
    {
      encoding: 'utf8',
    },
  )
  if (status === 0) return folder
  process.stdout.write(`faults: NOT RUN: disk full: mount ended with ${status}: ${stderr}\n`)
  return null
}

const disk = smallDisk('small', BYTES)
const larger = smallDisk('larger', LARGER_BYTES)

afterAll(() => {
  for (const mounted of [disk, larger]) if (mounted !== null) spawnSync('umount', [mounted])
  workshop.close()
})

const FIELDS = {
  service_type: 'http',
  environment: 'production',
  backend_host: '10.0.0.5',
  backend_port: 80,
}
const nameOf = (i: number): string => `app${i}.example.com`
const namesIn = async ({ call }: TestHouse): Promise<string[]> => {
  const { body } = await call('GET', '/api/domains?limit=1000')
  return (body as unknown as { domain: string }[]).map(({ domain }) => domain).sort()
}

/** Takes all the space there is, down to the last byte. */
function fill(path: string): void {
  for (const size of [65_536, 1024, 1])
    for (let left = LARGER_BYTES; left > 0; left -= size)
      try {
        appendFileSync(path, Buffer.alloc(size))
      } catch (error) {
        if (systemErrorCode(error) !== 'ENOSPC') throw error
        break
      }
}

describe.skipIf(disk === null)('a daemon whose disk is full', () => {
  it(
    'keeps what it acknowledged, says 507, and goes on when space returns',
    { timeout: MAX_MS },
    async () => {
      const data = join(disk!, 'data')
      const ballast = join(disk!, 'ballast')
      await using at = await openTestHouse({ directory: data })
      const acknowledged: string[] = []
      const kept = await create(at.call, { domain: nameOf(0) })
      acknowledged.push(nameOf(0))
      expect((await at.call('POST', `/api/domains/${kept}/activate`)).status).toBe(200)
      const routes = at.routes()

      fill(ballast)
      let refused = 0
      for (let i = 1; i < MAX_CALLS && refused < 3; i++) {
        const answer = await at.call('POST', '/api/domains', { body: { ...FIELDS, domain: nameOf(i) } })
        if (answer.status === 201) acknowledged.push(nameOf(i))
        else expect(answer, nameOf(i)).toMatchObject({ status: 507, body: { code: 'storage_full' } })
        if (answer.status !== 201) refused++
      }
      expect(refused).toBe(3)
      expect(await namesIn(at)).toEqual(acknowledged.toSorted())
      expect(at.routes()).toBe(routes)

      rmSync(ballast)
      await create(at.call, { domain: 'later.example.com' })
      await using again = await at.reopen()
      expect(await namesIn(again)).toEqual([...acknowledged, 'later.example.com'].sort())
      expect((await again.call('POST', '/api/deploy-all')).status).toBe(200)
      expect(again.routes()).toBe(routes)
    },
  )
})

describe.skipIf(larger === null)('a daemon with a ballast whose disk is full', () => {
  it('refuses what is new, lets go what is to go, says that the ballast is spent, and makes it anew', async () => {
    const data = join(larger!, 'data')
    const filler = join(larger!, 'filler')
    await using at = await openTestHouse({ directory: data })
    const there = () => existsSync(join(data, 'ballast'))
    expect(there()).toBe(true)
    const ids: number[] = []
    for (let i = 0; i < 3; i++) {
      ids.push(await create(at.call, { domain: nameOf(i) }))
      expect((await at.call('POST', `/api/domains/${ids[i]}/activate`)).status).toBe(200)
    }
    fill(filler)
    const note = 'x'.repeat(900)
    let refused = false
    for (let i = 0; i < MAX_CALLS && !refused; i++) {
      const body = { ...FIELDS, domain: nameOf(10 + i), note }
      refused = (await at.call('POST', '/api/domains', { body })).status === 507
      if (!refused) fill(filler)
    }
    expect(refused).toBe(true)
    expect(there()).toBe(true)

    // As the console asks; the first, which meets the full disk, would not wait either.
    const keyed = (key: string, more = {}) => ({ headers: { 'idempotency-key': key, ...more } })
    const hasty = keyed('k0', { prefer: 'respond-async' })
    expect((await at.call('DELETE', `/api/domains/${ids[0]}`, hasty)).status).toBe(200)
    expect((await at.call('POST', `/api/domains/${ids[1]}/disable`, keyed('k1'))).status).toBe(200)
    expect((await at.call('POST', `/api/domains/${ids[2]}/deactivate`, keyed('k2'))).status).toBe(200)
    expect(there()).toBe(false)
    for (let i = 0; i < 3; i++) expect(at.routes()).not.toContain(`"${nameOf(i)}"`)
    const database = async () => {
      const { body } = await at.call('GET', '/api/control-plane/health?probe=true')
      const { components } = body as unknown as { components: { name: string; cause: string | null }[] }
      return components.find(({ name }) => name === 'database')?.cause
    }
    expect(await database()).toBe('ballast_spent')

    rmSync(filler)
    expect(await database()).toBe('storage_low')
    expect(there()).toBe(true)
  })
})
