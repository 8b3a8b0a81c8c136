/** Kept things on the health page: their status in the page's words. */
import { expect, it } from 'vitest'
import type { KeyStatus } from '../../../../src/engine/status/key-status.ts'
import { keptComponent, unlooked } from '../../../../src/features/health/rounds/kept-component.ts'

const STATUS: KeyStatus = {
  component: 'dns',
  key: 'dns:example.org',
  ok: false,
  drift: true,
  cause: 'edited',
  causes: { edited: 50 },
  differences: Array.from({ length: 50 }, () => ({ item: 'x', cause: 'edited', domains: [], detail: '' })),
  reason: 'drifting',
  message: 'as it is',
  is_of_some: false,
  waiting: null,
  mode: { scope: '*', mode: 'repair', reason: '', actor: '', expires_at: null },
  since: 7,
  seen_at: 100,
  stale_after: 200,
  next_attempt_at: 130,
  conditions: null,
  observed: null,
}
const NOW = 160

it('shows twenty differences and counts all', () => {
  const row = keptComponent(STATUS, NOW)
  expect(row.differences).toHaveLength(20)
  expect(row).toMatchObject({
    name: 'dns:example.org',
    component: 'dns',
    kind: 'kept',
    causes: { edited: 50 },
    observed_at: 100,
    stale_after: 200,
    stale: false,
    mode: 'repair',
    suspended_until: null,
  })
})

it('says where its message stands for some domains, which say more', () => {
  expect(keptComponent({ ...STATUS, is_of_some: true }, NOW)).toMatchObject({ of_some: true })
  expect(keptComponent(STATUS, NOW)).not.toHaveProperty('of_some')
})

it('is stale where the last look is too old to say', () => {
  expect(keptComponent({ ...STATUS, drift: null, reason: 'stale' }, NOW)).toMatchObject({ stale: true })
})

it.each([
  ['for now', 300, 300],
  ['and the time is over', 150, null],
  ['until it is taken back', null, null],
])('is suspended %s', (_, expires_at, until) => {
  const mode = { ...STATUS.mode, mode: 'suspend', expires_at } as const
  expect(keptComponent({ ...STATUS, mode }, NOW)).toMatchObject({ mode: 'suspend', suspended_until: until })
})

it('what could not be looked at for the answer is unknown as of now, whatever was known', () => {
  const late = { reason: 'timed_out', message: 'It could not be looked at.' } as const
  const { differences, ...row } = unlooked(STATUS, late, NOW)
  expect(differences).toEqual([])
  expect(row).toMatchObject({ ok: false, drift: null, cause: null, causes: {}, observed_at: NOW, ...late })
})
