/** Every (state, trigger) pair of the lifecycle, as the table above the machine draws it. */
import { describe, expect, it } from 'vitest'
import { STATUSES, type Status } from '../../../src/model/domain/record.ts'
import { nextStatus, TRIGGERS, type Trigger } from '../../../src/model/domain/lifecycle.ts'

const TABLE: Record<Status, Record<Trigger, Status | null>> = {
  inactive: {
    activate: 'active',
    deactivate: 'inactive',
    disable: 'disabled',
    refused: 'inactive',
    recovered: 'inactive',
  },
  active: {
    activate: 'active',
    deactivate: 'inactive',
    disable: 'disabled',
    refused: 'error',
    recovered: 'active',
  },
  error: {
    activate: 'active',
    deactivate: 'inactive',
    disable: 'disabled',
    refused: 'error',
    recovered: 'active',
  },
  disabled: {
    activate: null,
    deactivate: null,
    disable: 'disabled',
    refused: 'disabled',
    recovered: 'disabled',
  },
}

describe('lifecycle', () => {
  const pairs = STATUSES.flatMap((status) =>
    TRIGGERS.map((trigger) => [status, trigger, TABLE[status][trigger]] as const),
  )

  it.each(pairs)('%s, asked to %s, becomes %s', (status, trigger, next) => {
    expect(nextStatus(status, trigger)).toBe(next)
  })

  it('never leaves disabled', () => {
    for (const trigger of TRIGGERS) expect([null, 'disabled']).toContain(nextStatus('disabled', trigger))
  })
})
