/** A disk without space: what was acknowledged is kept, new work is refused with 507, and space is all it takes to go on. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemErrorCode } from '../../src/kernel/failure.ts'
import { create, openTestHouse, type TestHouse } from '../flows/test-house.ts'
import { MOST_MS } from './sweep.ts'
import { openWorkshop } from './workshop.ts'

const BYTES = 8 * 1024 * 1024
const MOST_CALLS = 3000
const workshop = openWorkshop()

/** A small disk in memory, or null with the reason said. */
function smallDisk(): string | null {
  const folder = join(workshop.folder(), 'small')
  mkdirSync(folder)
  const { status, stderr } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${BYTES},mode=700`, 'tmpfs', folder],
    {
      encoding: 'utf8',
    },
  )
  if (status === 0) return folder
  process.stdout.write(`faults: NOT RUN: disk full: mount ended with ${status}: ${stderr}\n`)
  return null
}

const disk = smallDisk()

afterAll(() => {
  if (disk !== null) spawnSync('umount', [disk])
  workshop.close()
})

const nameOf = (i: number): string => `app${i}.example.com`
const namesIn = async ({ call }: TestHouse): Promise<string[]> => {
  const { body } = await call('GET', '/api/domains?limit=1000')
  return (body as unknown as { domain: string }[]).map(({ domain }) => domain).sort()
}

/** Takes all the space there is, down to the last byte. */
function fill(path: string): void {
  for (const size of [65_536, 1024, 1])
    for (let left = BYTES; left > 0; left -= size)
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
    { timeout: MOST_MS },
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
      for (let i = 1; i < MOST_CALLS && refused < 3; i++) {
        const fields = {
          service_type: 'http',
          environment: 'production',
          backend_host: '10.0.0.5',
          backend_port: 80,
        }
        const answer = await at.call('POST', '/api/domains', { body: { ...fields, domain: nameOf(i) } })
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
