/**
 * People whose daemon is killed at every write of its store and at every step at a file: each is there once, as was asked,
 * nobody gets a second mail, no stranger's entry is touched, and the schema accepts the file.
 */
import { describe, expect, it } from 'vitest'
import { type Aftermath, life, type Story } from './people-killed.ts'
import { A_HASH, OWNER } from './people-world.ts'
import { sample, TIER } from '../kit/tier.ts'

const GUEST = `  guest: {displayname: Guest, password: '${A_HASH}', groups: [dev]} # keep\n`
const FILE = `${OWNER}${GUEST}`

const JO = { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family'] }
const AL = { display_name: 'Al Roe', email: 'al@example.net', groups: ['family'] }
const inviting = (body: object) => ({ method: 'POST', path: '/api/users/invite', body })
const revoking = (name: string) => ({ method: 'POST', path: `/api/users/${name}/revoke` })
const ADMINS = { method: 'PUT', path: '/api/users/jo.doe/groups', body: { groups: ['admins'] } }
const RESEND = { method: 'POST', path: '/api/users/jo.doe/resend' }
const BOTH = [inviting(JO), inviting(AL)]

const times = (audit: readonly string[], action: string): number =>
  audit.filter((one) => one === action).length

/** Nobody can know of a mail that was on its way; nobody sends it again then, and it is said. */
function mailed({ world, mails_before, users }: Aftermath, most = 1): void {
  const mails = world.sink.mails.length - mails_before
  const detail = users.get('jo.doe')?.invitation?.detail ?? null
  expect(mails).toBeLessThanOrEqual(most)
  if (detail === null) expect(mails).toBe(most)
  else expect(detail).toContain('not known')
}

const revoked = ({ world, users, audit }: Aftermath, name: string): void => {
  expect(world.user(name)?.disabled ?? true).toBe(true)
  expect(users.get(name)).toMatchObject({ disabled: true, revoked_at: expect.any(String) })
  expect(times(audit, 'revoke_user')).toBe(1)
}

const STEPS = ['planned', 'hashed', 'written', 'loaded'] as const

const STORIES: readonly Story[] = [
  {
    name: 'invited',
    file: FILE,
    before: [],
    calls: [inviting(JO)],
    again: [{ ...inviting(JO), answers: [201, 409] }],
    every: 29,
    check(after) {
      const { world, text_before, audit } = after
      expect(world.text().startsWith(text_before)).toBe(true)
      expect([...world.users().keys()]).toEqual(['owner', 'guest', 'jo.doe'])
      expect(world.user('jo.doe')).toMatchObject({ disabled: false, groups: ['family'] })
      expect(times(audit, 'invite_user')).toBe(1)
      mailed(after)
    },
  },
  {
    name: 'revoked',
    file: FILE,
    before: BOTH,
    calls: [revoking('jo.doe')],
    again: [{ ...revoking('jo.doe'), answers: [200] }],
    every: 19,
    check(after) {
      revoked(after, 'jo.doe')
      const { world, text_before, mails_before } = after
      const [head, entry] = text_before.split('"jo.doe":') as [string, string]
      expect(world.text()).toBe(`${head}"jo.doe":${entry.replace('disabled: false', 'disabled: true')}`)
      expect(world.sink.mails).toHaveLength(mails_before)
    },
  },
  {
    name: 'revoked, somebody who was there before',
    file: FILE,
    before: BOTH,
    calls: [revoking('guest')],
    again: [{ ...revoking('guest'), answers: [200] }],
    every: 29,
    check(after) {
      revoked(after, 'guest')
      const { world, text_before, mails_before } = after
      expect(world.text()).toBe(text_before.replace('guest: {', 'guest: {disabled: true, '))
      expect(world.sink.mails).toHaveLength(mails_before)
    },
  },
  {
    name: 'put into other groups',
    file: FILE,
    before: BOTH,
    calls: [ADMINS],
    again: [{ ...ADMINS, answers: [200] }],
    every: 29,
    check({ world, text_before, mails_before, audit }) {
      const [head, entry] = text_before.split('"jo.doe":') as [string, string]
      expect(world.text()).toBe(`${head}"jo.doe":${entry.replace('["family"]', '["admins"]')}`)
      expect(times(audit, 'regroup_user')).toBe(1)
      expect(world.sink.mails).toHaveLength(mails_before)
    },
  },
  {
    name: 'sent the mail once more',
    file: FILE,
    before: BOTH,
    calls: [RESEND],
    // Nobody asks again: that would rightly be another mail.
    again: [],
    every: 17,
    check(after) {
      const { world, text_before, audit } = after
      expect(world.text()).toBe(text_before)
      mailed(after, times(audit, 'resend_invitation'))
    },
  },
  ...STEPS.map((step): Story => ({
    name: `revoked as soon as the invitation is ${step}`,
    file: FILE,
    before: [],
    calls: [inviting(JO), { ...revoking('jo.doe'), once: { username: 'jo.doe', step } }],
    again: [
      { ...inviting(JO), answers: [201, 409] },
      { ...revoking('jo.doe'), answers: [200] },
      { ...revoking('jo.doe2'), answers: [200, 404] },
    ],
    every: 71,
    check({ world, text_before, users }) {
      expect(world.text().startsWith(text_before)).toBe(true)
      for (const [name, { disabled, revoked_at, invitation }] of users)
        if (name.startsWith('jo.')) {
          expect(disabled, name).toBe(true)
          expect(revoked_at, name).not.toBeNull()
          expect(invitation?.step, name).toBe('done')
        }
      expect(users.get('jo.doe')).toBeDefined()
      // One for each name that was given.
      expect(world.sink.mails.length).toBeLessThanOrEqual(users.has('jo.doe2') ? 2 : 1)
    },
  })),
]

/** Every story has more points than that. */
const SURE_POINTS = 10

/** Where the daemon is killed in turn. The gate takes a point that is there without the life that counts them all. */
async function pointsOf(story: Story): Promise<readonly number[]> {
  if (TIER === 'gate') return [SURE_POINTS + 1]
  const whole = await life(story, null)
  if (whole === 'killed') throw new Error('nobody was to kill it')
  expect(Math.max(...whole.statuses)).toBeLessThan(300)
  expect(whole.points).toBeGreaterThan(SURE_POINTS)
  const every = TIER === 'nightly' ? 1 : story.every
  return Array.from({ length: whole.points }, (_, i) => i + 1).filter((_, i) => i % every === 0)
}

describe.each(sample(STORIES, 9))('somebody who is $name', (story) => {
  it('is so exactly once, wherever the daemon was killed', { timeout: 1_200_000 }, async () => {
    const trials = await pointsOf(story)
    let killed = 0
    for (const fatal of trials) {
      const said = await life(story, fatal).catch((error: unknown) => {
        throw new Error(`killed at point ${fatal}: ${(error as Error).message}`, { cause: error })
      })
      if (said === 'killed') killed++
    }
    // Of two calls at once the points vary a little, at the end of their number: of few trials the last may find none.
    const sure = story.calls.length === 1 ? trials.length : Math.floor(trials.length * 0.8)
    expect(killed).toBeGreaterThanOrEqual(sure)
  })
})
