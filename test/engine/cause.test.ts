/** The cause of a difference, for every way in which three sides can agree. */
import { describe, expect, it } from 'vitest'
import { causeOf } from '../../src/engine/cause.ts'

describe('cause of a difference', () => {
  it.each([
    ['R = A = O', 'a', 'a', 'a', null],
    ['R ≠ A, A = O', 'b', 'a', 'a', 'pending_deploy'],
    ['R = A ≠ O', 'a', 'a', 'x', 'edited'],
    ['R = A, O absent', 'a', 'a', null, 'lost'],
    ['R = O ≠ A', 'b', 'a', 'b', 'applied_unrecorded'],
    ['all differ', 'b', 'a', 'x', 'edited_and_pending'],
    ['new and not deployed', 'b', null, null, 'pending_deploy'],
    ['removed and not deployed', null, 'a', 'a', 'pending_deploy'],
    ['a stranger added it', null, null, 'x', 'edited'],
    ['edited, and lost meanwhile', 'b', 'a', null, 'edited_and_pending'],
    ['removed, and edited by hand', null, 'a', 'x', 'edited_and_pending'],
    ['nowhere', null, null, null, null],
  ] as const)('%s', (_name, working, released, observed, cause) => {
    expect(causeOf({ working, released, observed }, true)).toBe(cause)
  })

  it('is the renderer when no row moved', () => {
    expect(causeOf({ working: 'b', released: 'a', observed: 'a' }, false)).toBe('renderer_changed')
  })
})
