/** Who gets at a file is judged by its mode: a daemon that runs as root reads everything. */
import { expect, test } from 'vitest'
import { accessFault, mendedMode, WRITTEN_BY_OWNER } from '../../src/model/file-access.ts'

const KEY = { needs: 0o400, forbids: 0o027, ours: 0o600 }
const PUBLIC = WRITTEN_BY_OWNER

test.each([
  [0o600, KEY, null],
  [0o100640, KEY, null],
  [0o400, KEY, null],
  [0o000, KEY, ['cannot be read by its owner (mode 0000)', 0o600]],
  [0o644, KEY, ['may be read by others (mode 0644)', 0o640]],
  [0o606, KEY, ['may be written by everybody (mode 0606)', 0o600]],
  [0o644, PUBLIC, null],
  [0o640, PUBLIC, null],
  [0o600, PUBLIC, null],
  [0o000, PUBLIC, ['cannot be read by its owner (mode 0000)', 0o600]],
  [0o660, PUBLIC, ['may be written by its group (mode 0660)', 0o640]],
  [0o664, PUBLIC, ['may be written by its group (mode 0664)', 0o644]],
  [0o666, PUBLIC, ['may be written by everybody (mode 0666)', 0o644]],
  [0o755, PUBLIC, null],
] as const)('%o', (mode, rule, expected) => {
  const fault = accessFault({ mode }, rule)
  expect(fault && [fault.what, fault.mode]).toEqual(expected)
})

test('a file that was closed to its owner gets the mode back that it had, and nobody reads it who could not before', () => {
  expect(mendedMode({ mode: 0o000 }, WRITTEN_BY_OWNER, 0o640)).toBe(0o640)
  expect(mendedMode({ mode: 0o044 }, WRITTEN_BY_OWNER)).toBe(0o644)
  expect(mendedMode({ mode: 0o666 }, WRITTEN_BY_OWNER, 0o600)).toBe(0o644)
})
