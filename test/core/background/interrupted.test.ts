/** What an operation that was cut short is said to have committed: all that its call can have done before it became one. */
import { expect, it } from 'vitest'
import { Background, MAX_WAIT_MS } from '../../../src/core/background/background.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { StoredOperation } from '../../../src/ports/records/trails.ts'

const BEGAN = 1_000_000

const STORED: StoredOperation = {
  id: '00000000-0000-4000-8000-000000000001',
  actor: 'ci',
  request_id: 'one',
  method: 'POST',
  path: '/api/deploy-all',
  // Its caller waited as long as one may.
  created_at: BEGAN + MAX_WAIT_MS,
  state: 'interrupted',
  ended_at: BEGAN + MAX_WAIT_MS + 5000,
  status: null,
  body: null,
}

it('what it committed while its caller waited is found, however long that was', async () => {
  const store = {
    operation: () => Promise.resolve(STORED),
    committedBy: ({ since, until }: { readonly since: number; readonly until: number }) =>
      Promise.resolve(since <= BEGAN && BEGAN <= until ? { release: 41, changes: 1 } : null),
  }
  const parts = { store, clock: systemClock, log: silentLog, events: {} } as unknown
  const background = new Background(parts as ConstructorParameters<typeof Background>[0])
  expect(await background.read(STORED.id)).toMatchObject({ committed: { release: 41, changes: 1 } })
})
