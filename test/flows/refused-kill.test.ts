/** An activation that was accepted and that a component refuses, with a kill in between: the record is in error afterwards. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { childsEnd } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import { inDepth } from '../kit/tier.ts'
import type { RefusedOrder } from './children/refused.ts'
import { create, envIn, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const CHILD = programOf(new URL('children/refused.ts', import.meta.url))

interface Life {
  readonly killed: boolean
  readonly writes: number
}

async function live(order: RefusedOrder): Promise<Life> {
  const { code, signal, out, err } = await childsEnd(CHILD, order)
  if (signal === 'SIGKILL') return { killed: true, writes: 0 }
  expect(code, err).toBe(0)
  const { status, writes } = JSON.parse(out) as { status: number; writes: number }
  expect(status).toBeGreaterThanOrEqual(400)
  return { killed: false, writes }
}

const record = async ({ call }: TestHouse, id: number) => (await call('GET', `/api/domains/${id}`)).body

/** @param dies_at null to live */
async function trial(dies_at: number | null): Promise<Life> {
  const directory = newFolder('killed')
  // A folder in the place of the routes file is nobody's of ours while we have never written there, and stays.
  mkdirSync(join(directory, 'traefik', 'routes.yml'), { recursive: true })
  const before = await openTestHouse({ directory })
  const id = await create(before.call)
  const { routes_path } = before.house
  await before.house.close()
  const life = await live({ env: envIn(directory), domain_id: id, dies_at })
  const at = await openTestHouse({ directory })
  try {
    await expect
      .poll(() => record(at, id), { message: `dies at ${dies_at}` })
      .toMatchObject({ status: 'error', status_reason: expect.stringContaining(routes_path) as unknown })
    rmSync(routes_path, { recursive: true })
    await at.call('POST', '/api/reconcile')
    await expect
      .poll(() => record(at, id), { message: `mended after ${dies_at}` })
      .toMatchObject({ status: 'active', status_reason: null })
  } finally {
    await at.house.close()
  }
  return life
}

itInDepth('killed right after the acceptance', async () => {
  expect((await trial(1)).killed).toBe(true)
})

inDepth(() => {
  it('killed before each write between the acceptance and the verdict', { timeout: 600_000 }, async () => {
    const whole = await trial(null)
    expect(whole).toMatchObject({ killed: false })
    expect(whole.writes).toBeGreaterThan(1)
    let killed = 0
    for (let point = 1; point <= whole.writes; point++) if ((await trial(point)).killed) killed++
    // What is written in the background is not always in the same number of writes.
    expect(killed).toBeGreaterThanOrEqual(whole.writes - 2)
  })
})

it('an activation that was taken before the kill is not in error, whatever fails later', async () => {
  await using at = await openTestHouse()
  const id = await create(at.call)
  expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
  await at.house.close()
  rmSync(at.house.routes_path)
  mkdirSync(at.house.routes_path)
  await using again = await openTestHouse({ directory: at.directory })
  await expect.poll(async () => (await again.call('GET', '/api/domains/drift')).body['drift']).not.toBe(false)
  await expect.poll(async () => (await again.house.engine.reportsFor(id)).includes(null)).toBe(false)
  expect(await record(again, id)).toMatchObject({ status: 'active' })
})
