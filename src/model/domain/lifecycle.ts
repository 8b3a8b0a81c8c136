/**
 * The life of a domain record, as one table.
 *
 *            activate        deactivate      disable         refused     recovered
 * inactive   → active        stays           → disabled      stays       stays
 * active     stays (redeploy)→ inactive      → disabled      → error     stays
 * error      → active        → inactive      → disabled      stays       → active
 * disabled   refused (409)   refused (409)   stays           stays       stays
 *
 * The first three triggers are a caller's; `refused` and `recovered` are the reconciler's: a component would not take
 * an accepted activation, or takes it at last. Disabled is terminal: no trigger leaves it.
 */
import { createMachine } from 'xstate'
import { nextState } from '../../kernel/state-machine.ts'
import type { Status } from './record.ts'

export const TRIGGERS = ['activate', 'deactivate', 'disable', 'refused', 'recovered'] as const
export type Trigger = (typeof TRIGGERS)[number]

const machine = createMachine({
  id: 'domain',
  initial: 'inactive',
  states: {
    inactive: { on: { activate: 'active', deactivate: 'inactive', disable: 'disabled' } },
    active: { on: { activate: 'active', deactivate: 'inactive', disable: 'disabled', refused: 'error' } },
    error: {
      on: {
        activate: 'active',
        deactivate: 'inactive',
        disable: 'disabled',
        refused: 'error',
        recovered: 'active',
      },
    },
    disabled: { on: { disable: 'disabled' } },
  },
} as const)

const RECONCILER_TRIGGERS: readonly Trigger[] = ['refused', 'recovered']

/** The next status, or null where the trigger is not allowed. A reconciler's trigger is always allowed and may be idle. */
export function nextStatus(status: Status, trigger: Trigger): Status | null {
  return nextState(machine, status, trigger) ?? (RECONCILER_TRIGGERS.includes(trigger) ? status : null)
}
