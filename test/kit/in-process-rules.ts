/** The rules of the database, looked at in this process: a test's database is small, and a process for each look is not. */
import type { InvariantsOptions } from '../../src/store/invariants.ts'
import { INVARIANT_RULES } from '../../src/store/invariants/list.ts'
import { lookInto } from '../../src/store/invariants/look.ts'
import type { CheckInvariants } from '../../src/ports/invariants.ts'

export function inProcessRules({ directory, clock }: InvariantsOptions): CheckInvariants {
  return async (signal) => {
    signal.throwIfAborted()
    const now = clock.now()
    const promises = new Map(INVARIANT_RULES.map(({ name, promise }) => [name, promise]))
    return lookInto(directory, { now, without: [] }).map((looked) => ({
      ...looked,
      promise: promises.get(looked.name)!,
      checked_at: now,
    }))
  }
}
