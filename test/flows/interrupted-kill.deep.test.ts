/** An operation whose daemon is killed: the next one says what became of it, and goes on with what was committed. */
import { expect, it } from 'vitest'
import { childsEnd } from '../kit/child.ts'
import { programOf } from '../kit/programs.ts'
import type { InterruptedOrder } from './children/interrupted.ts'
import { APP, create, envIn, openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const CHILD = programOf(new URL('children/interrupted.ts', import.meta.url))

interface Aftermath {
  readonly at: TestHouse
  readonly id: number
  readonly location: string
  readonly newest_before: number
}

const newest = async ({ call }: TestHouse) =>
  ((await call('GET', '/api/releases')).body as unknown as readonly { number: number }[])[0]!.number

async function killed(
  dies: InterruptedOrder['dies'],
  check: (after: Aftermath) => Promise<void>,
): Promise<void> {
  const directory = newFolder('killed')
  const before = await openTestHouse({ directory })
  const id = await create(before.call)
  const newest_before = await newest(before)
  await before.house.close()
  const { signal, out, err } = await childsEnd(CHILD, { env: envIn(directory), domain_id: id, dies })
  expect(signal, err).toBe('SIGKILL')
  const at = await openTestHouse({ directory })
  try {
    await check({ at, id, location: out, newest_before })
  } finally {
    await at.house.close()
  }
}

it('before its commit: nothing was saved, it says so, and the call can be repeated', () =>
  killed('before', async ({ at, id, location, newest_before }) => {
    const { body } = await at.call('GET', location)
    expect(body).toMatchObject({
      state: 'interrupted',
      answer: null,
      progress: null,
      committed: { release: null, changes: 0 },
    })
    expect(body['hint']).toContain('Nothing of it was saved: repeat the call.')
    expect(await newest(at)).toBe(newest_before)
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ status: 'inactive' })
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
    expect(at.routes()).toContain(APP.domain)
  }))

it('after its commit: it names its release, which the reconciler goes on with', () =>
  killed('after', async ({ at, id, location, newest_before }) => {
    const { body } = await at.call('GET', location)
    const release = newest_before + 1
    expect(body).toMatchObject({
      state: 'interrupted',
      answer: null,
      committed: { release, changes: 1 },
    })
    expect(body['hint']).toContain(`Its release ${release} was committed`)
    expect(body['hint']).toContain(`GET /api/releases/${release}`)
    await expect.poll(() => at.routes()).toContain(APP.domain)
    const results = async () => (await at.call('GET', `/api/releases/${release}`)).body['results']
    await expect.poll(results).toMatchObject({ routes: 'repaired' })
    expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({ status: 'active' })
  }))
