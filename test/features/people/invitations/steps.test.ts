/** The steps of an invitation: every (step, event) pair as the table draws it, and every path through it. */
import { describe, expect, it } from 'vitest'
import { getSimplePaths } from 'xstate/graph'
import {
  INVITATION_EVENTS,
  invitationMachine,
  type InvitationEvent,
  stepAfter,
} from '../../../../src/features/people/invitations/steps.ts'
import { INVITATION_STEPS, type InvitationStep } from '../../../../src/features/people/records.ts'

const TABLE: Record<InvitationStep, Partial<Record<InvitationEvent, InvitationStep>>> = {
  planned: { password_hashed: 'hashed', user_revoked: 'done' },
  hashed: { user_written: 'written', user_revoked: 'done' },
  written: { provider_loaded: 'loaded', user_revoked: 'done' },
  loaded: { mail_settled: 'done', user_revoked: 'done' },
  done: { mail_wanted_again: 'loaded' },
}

describe('an invitation', () => {
  const pairs = INVITATION_STEPS.flatMap((step) =>
    INVITATION_EVENTS.map((event) => [step, event, TABLE[step][event] ?? null] as const),
  )

  it.each(pairs)('that is %s and takes %s becomes %s', (step, event, next) => {
    if (next === null) expect(() => stepAfter(step, event)).toThrow(`An invitation that is ${step}`)
    else expect(stepAfter(step, event)).toBe(next)
  })

  it('is at each step a row can hold', () => {
    expect(Object.keys(invitationMachine.states)).toEqual([...INVITATION_STEPS])
  })

  it('goes through every step in order on every path, or is done at once where the user is revoked', () => {
    const paths = getSimplePaths(invitationMachine, { events: INVITATION_EVENTS.map((type) => ({ type })) })
    const walks = paths.map(({ steps }) => steps.map(({ event }) => event.type).slice(1))
    const ends = walks.filter((_walk, index) => paths[index]!.state.value === 'done')
    const whole = ['password_hashed', 'user_written', 'provider_loaded', 'mail_settled']
    expect(ends.toSorted((a, b) => a.length - b.length || a.join().localeCompare(b.join()))).toEqual(
      [
        ['user_revoked'],
        ...[1, 2, 3].map((count) => [...whole.slice(0, count), 'user_revoked']),
        whole,
      ].toSorted((a, b) => a.length - b.length || a.join().localeCompare(b.join())),
    )
    for (const walk of walks) {
      let step: InvitationStep = 'planned'
      for (const event of walk) step = stepAfter(step, event as InvitationEvent)
    }
  })
})
