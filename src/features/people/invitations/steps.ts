/**
 * How far an invitation has come, as one table. Each state is the last step that is done, and stands in the row.
 *
 *   planned   the name is taken, nobody else gets it     next: hash a password that nobody will ever know
 *   hashed    the hash is in the database                 next: the users file
 *   written   the file holds the user, the hash is gone   next: the provider reads it
 *   loaded    the provider knows the user                 next: the mail
 *   done      the mail is out, or said why it is not      a person may ask for another mail
 *
 * Whom somebody revokes meanwhile needs none of what is left.
 */
import { createMachine } from 'xstate'
import { Failure } from '../../../kernel/failure.ts'
import { nextState } from '../../../kernel/state-machine.ts'
import type { InvitationStep } from '../records.ts'

export const INVITATION_EVENTS = [
  'password_hashed',
  'user_written',
  'provider_loaded',
  'mail_settled',
  'mail_wanted_again',
  'user_revoked',
] as const
export type InvitationEvent = (typeof INVITATION_EVENTS)[number]

export const invitationMachine = createMachine({
  id: 'invitation',
  initial: 'planned',
  states: {
    planned: { on: { password_hashed: 'hashed', user_revoked: 'done' } },
    hashed: { on: { user_written: 'written', user_revoked: 'done' } },
    written: { on: { provider_loaded: 'loaded', user_revoked: 'done' } },
    loaded: { on: { mail_settled: 'done', user_revoked: 'done' } },
    done: { on: { mail_wanted_again: 'loaded' } },
  },
} as const)

/** Throws `internal` for what cannot follow. Pure. */
export function stepAfter(step: InvitationStep, event: InvitationEvent): InvitationStep {
  const next = nextState(invitationMachine, step, event)
  if (next === null) throw new Failure('internal', `An invitation that is ${step} cannot take "${event}".`)
  return next
}
