/** The backend's part of the probe lamp: nothing where nobody looks, unknown once a look is too old. */
import { expect, it } from 'vitest'
import { backendPart } from '../../../src/features/lamps/backend-part.ts'

const NOW = 1_000_000
const EVERY = 60_000
const look = (backend_reachable: boolean | null, at = NOW) =>
  ({ at, state: 'ok', message: 'As it was seen.', backend_reachable }) as const

it.each([
  [{ last: null, every_ms: EVERY }, undefined],
  [{ last: look(true), every_ms: null }, undefined],
  [{ last: look(null), every_ms: EVERY }, undefined],
  [{ last: look(true), every_ms: EVERY }, 'true'],
  [{ last: look(false), every_ms: EVERY }, 'wrong'],
  [{ last: look(true, NOW - 3 * EVERY), every_ms: EVERY }, 'true'],
  [{ last: look(true, NOW - 3 * EVERY - 1), every_ms: EVERY }, 'unknown'],
  [{ last: look(false, NOW - 4 * EVERY), every_ms: EVERY }, 'unknown'],
] as const)('%j is %s', (looks, state) => {
  expect(backendPart(looks, NOW)?.state).toBe(state)
})
