/** The process itself, and its examination, as data. */
import { expect, it } from 'vitest'
import { createActive, openTestHouse } from './test-house.ts'

it('says what is repeated and when, and examines itself as doctor does', async () => {
  await using at = await openTestHouse()
  await createActive(at.call)
  const { status, body } = await at.call('GET', '/api/system')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    pid: process.pid,
    backups: { newest: null, restore_tested: null },
    event_loop: { delay_ms: expect.any(Number) },
  })
  const { loops } = body as unknown as { readonly loops: readonly Record<string, unknown>[] }
  expect(loops).toContainEqual(
    expect.objectContaining({ name: 'routes', kind: 'kept', failures: 0, last_run_at: expect.any(String) }),
  )
  expect(new Set(loops.map(({ name }) => name)).size).toBe(loops.length)
  const examined = await at.call('GET', '/api/system/doctor')
  expect(examined.status).toBe(200)
  const { findings } = examined.body as unknown as {
    readonly findings: readonly { readonly check: string }[]
  }
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['data directory', 'API key']))
  // Whoever looks at once shares it.
  expect((await at.call('GET', '/api/system/doctor')).body['at']).toBe(examined.body['at'])
})
