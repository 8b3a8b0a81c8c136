/** `plumbline users` in a real process: inviting, listing, groups, the mail once more, and revoking, with a daemon and without one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UserChanged, InviteAnswer, UserView } from '../../src/features/people/view.ts'
import { run, start } from './command.ts'
import { type PeopleWorld, peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let world: PeopleWorld
let directory: string
let env: Record<string, string>
beforeEach(async () => {
  world = await peopleWorld()
  directory = newFolder('users')
  env = {
    ...world.env,
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
  }
  // The command works on an installation that there is.
  await (await openTestHouse({ env, directory, opened: false })).house.close()
})
afterEach(() => world[Symbol.asyncDispose]())

const said = async (...words: string[]) => {
  const ran = await run(['users', ...words], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return ran
}
const json = async <T>(...words: string[]): Promise<T> =>
  JSON.parse((await said(...words, '--json')).out) as T

async function wholeLife(): Promise<void> {
  const { out } = await said('invite', 'jo@example.net', 'José', 'Müller', '--groups', 'family,dev')
  expect(out).toBe('jose.muller was invited.\n')
  expect(world.user('jose.muller')).toMatchObject({ groups: ['dev', 'family'], disabled: false })
  const second = await json<InviteAnswer>('invite', 'al@example.net', 'Al Roe', '--username', 'al')
  expect(second).toMatchObject({ success: true, username: 'al', warnings: [], user: { in_file: true } })
  expect(JSON.stringify(second)).not.toContain('argon2')

  const list = (await said()).out
  expect(list).toMatch(/^al +active +- +al@example\.net +invited /m)
  expect(list).toMatch(/^jose\.muller +active +dev,family +jo@example\.net +invited /m)
  expect(list).toMatch(/^owner +active +admins +owner@example\.com +in the file$/m)

  expect((await said('groups', 'al', 'admins', 'dev')).out).toBe('al is in admins, dev.\n')
  expect(world.user('al')?.groups).toEqual(['admins', 'dev'])
  expect((await said('groups', 'al')).out).toBe('al is in no group.\n')
  expect(world.user('al')?.groups).toEqual([])

  expect((await said('resend', 'al')).out).toBe('The invitation of al was sent again.\n')
  expect(world.sink.mails.map(({ to }) => to[0])).toEqual([
    'jo@example.net',
    'al@example.net',
    'al@example.net',
  ])

  const ended = await json<UserChanged>('revoke', 'al', '--yes')
  expect(ended).toMatchObject({ username: 'al', user: { disabled: true } })
  expect(world.user('al')?.disabled).toBe(true)
  const known = await json<readonly UserView[]>('list')
  expect(known.map(({ username, disabled }) => [username, disabled])).toEqual([
    ['al', true],
    ['jose.muller', false],
    ['owner', false],
  ])
  expect((await said('list')).out).toMatch(/^al +revoked /m)
  const again = await run(['users', 'resend', 'al'], env)
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(again.err).toContain('al is revoked for good')
}

itInDepth('does all of it through a running daemon', async () => {
  const daemon = start(['serve'], env)
  await daemon.saw('listening')
  await wholeLife()
  expect((await daemon.stop()).code).toBe(0)
})

itInDepth('does the same by itself where no daemon runs', wholeLife)

it('passes the instructions on where no mail can be sent', async () => {
  env['PLUMBLINE_MAIL_PROVIDER'] = 'none'
  const { out, err } = await said('invite', 'jo@example.net', 'Jo')
  expect(out).toContain('User name: jo\n')
  expect(out).toContain('https://auth.example.com')
  expect(err).toContain('warning: Mail is not configured')
})

describe('what cannot be done is said, with its exit code', () => {
  itOneIn(9).each([
    [['invite'], 64],
    [['invite', 'jo@example.net'], 64],
    [['list', 'all'], 64],
    [['revoke'], 64],
    [['revoke', 'jo', 'al'], 64],
    [['groups'], 64],
    [['paint', 'jo'], 64],
    [['invite', 'nonsense', 'Jo'], 64],
    [['invite', 'owner@example.com', 'Jo'], 1],
    [['revoke', 'nobody'], 1],
    [['resend', 'owner'], 1],
    [['groups', 'owner', 'dev'], 1],
  ])('%j exits with %i', async (words, code) => {
    const before = world.text()
    const ran = await run(['users', ...words], env)
    expect(ran, ran.err).toMatchObject({ code, out: '' })
    expect(ran.err.length).toBeGreaterThan(20)
    expect(world.text()).toBe(before)
    expect(world.sink.mails).toEqual([])
  })

  itInDepth('nothing is managed without a users file', async () => {
    delete env['PLUMBLINE_SSO_USERS_FILE']
    const ran = await run(['users', 'invite', 'jo@example.net', 'Jo'], env)
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.err).toContain('set PLUMBLINE_SSO_USERS_FILE')
    expect((await said('list')).err).toContain('Users are not managed here: set PLUMBLINE_SSO_USERS_FILE')
    for (const words of [
      ['show', 'jo'],
      ['resend', 'jo'],
      ['groups', 'jo'],
      ['revoke', 'jo', '--yes'],
    ]) {
      const unmanaged = await run(['users', ...words], env)
      expect(unmanaged).toMatchObject({ code: 1, out: '' })
      expect(unmanaged.err).toContain('Users are not managed here: set PLUMBLINE_SSO_USERS_FILE')
    }
  })
})
