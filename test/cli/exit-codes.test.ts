/** What a deployment answers to the shell: done is what the proxy runs, as far as anybody knows. */
import { expect, it } from 'vitest'
import { exitCodeAfter } from '../../src/cli/exit-codes.ts'

it.each([
  [{ success: true, loaded: true }, 0],
  // No API of the proxy is set: the warning says so, and nothing is known to be wrong.
  [{ success: true, loaded: null }, 0],
  [{ success: true, loaded: false }, 1],
  [{ success: false, loaded: true }, 1],
  [{ message: 'an answer about something else' }, 0],
])('%j ends with %d', (answer, code) => {
  expect(exitCodeAfter(answer)).toBe(code)
})
