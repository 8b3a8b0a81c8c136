/** How far a change of the users file reaches, by the way in which the provider reads it and by its own settings. */
import { describe, expect, it } from 'vitest'
import { afterRevocation, type ReachFacts, reachOf } from '../../../src/features/people/reach.ts'

const UNKNOWN = { outlive_restarts: null, watches_users: null, refresh_interval: null }
const FACTS: ReachFacts = {
  username: 'ana',
  change: 'revoked',
  reading: 'watch',
  sessions: UNKNOWN,
  place: '/config/configuration.yml',
}
const told = (facts: Partial<ReachFacts>, sessions: Partial<ReachFacts['sessions']> = {}) =>
  reachOf({ ...FACTS, ...facts, sessions: { ...UNKNOWN, ...sessions } }).join(' ')

describe('a file that is watched', () => {
  it('is proven by nothing, and a session ends as soon as its user is looked up', () => {
    expect(told({})).toContain('Nothing proves that the SSO provider has read the file')
    expect(told({})).toContain('A session of ana ends at its next request in Authelia 4.39')
    expect(told({})).toContain('goes on until it expires in 4.37')
  })

  it('is not watched where the configuration does not say so', () => {
    expect(told({}, { watches_users: false })).toContain(
      '/config/configuration.yml does not set authentication_backend.file.watch',
    )
  })

  it.each([null, 'always', '5m', 'disable'])(
    'no session ends then before its next start (%s)',
    (refresh_interval) => {
      const words = told({}, { watches_users: false, refresh_interval })
      expect(words).toContain('Until that start every session of ana goes on')
      expect(words).not.toMatch(/session of ana ends/)
      expect(told({ change: 'regrouped' }, { watches_users: false, refresh_interval })).toContain(
        'every session of ana keeps the earlier ones',
      )
    },
  )

  it.each([
    ['always', 'ends at its next request in Authelia 4.39'],
    ['0', 'ends at its next request in Authelia 4.39'],
    ['0 s', 'ends at its next request in Authelia 4.39'],
    ['0h0m', 'ends at its next request in Authelia 4.39'],
    ['30', 'ends within 30 s (refresh_interval) in Authelia 4.39'],
    ['10s', 'ends within 10s (refresh_interval) in Authelia 4.39'],
    ['1m', 'ends within 1m (refresh_interval) in Authelia 4.39'],
    ['disable', 'A session of ana goes on until it expires (refresh_interval is disable).'],
  ])('refresh_interval %s', (refresh_interval, words) => {
    expect(told({}, { refresh_interval })).toContain(words)
  })
})

describe('a restart', () => {
  it('ends sessions in memory, and nothing of ana goes on', () => {
    const words = told({ reading: 'restart' }, { outlive_restarts: false })
    expect(words).toContain('ends every session that the SSO provider keeps in its memory')
    expect(words).not.toContain('A session of ana')
  })

  it('does not end those in redis', () => {
    const words = told({ reading: 'restart' }, { outlive_restarts: true })
    expect(words).not.toContain('ends every session')
    expect(words).toContain('A session of ana ends within 5m (refresh_interval) in Authelia 4.39')
  })

  it('says both where it is not known', () => {
    const words = told({ reading: 'restart' })
    expect(words).toContain('session.redis keeps them')
    expect(words).toContain('A session of ana ends within 5m')
  })

  it('comes again with every password change once somebody is revoked', () => {
    expect(afterRevocation({ ...FACTS, reading: 'restart' }).join()).toContain('restarts it once more')
    expect(afterRevocation(FACTS)).toEqual([])
  })
})

it('nobody has the file read', () => {
  expect(told({ reading: 'none' })).toContain('until somebody restarts it, ana signs in as before')
  expect(told({ reading: 'none' })).toContain('every session of ana goes on')
  expect(told({ reading: 'none', change: 'regrouped' })).toContain('keeps the earlier ones')
})

it('groups are no sign-in that ends', () => {
  expect(told({ change: 'regrouped' })).toContain(
    'A session of ana takes the new groups at its next request in Authelia 4.39, and keeps the earlier ones until it expires in 4.37',
  )
})
