/**
 * The command that restarts the provider fails, hangs, is late or has no effect, for people and for rules, in whole flows:
 * what is written stays, who asked is told, and when the command is well again everything is loaded, each mail sent once.
 */
import { expect, it } from 'vitest'
import { activate, expectSettled, invite, JO, restartWorld, type RestartWorld } from './restart-world.ts'
import { inDepth } from '../kit/tier.ts'
import { itInDepth } from '../kit/in-depth.ts'

const TWO = ['app.example.com', 'new.example.com']

/** Seconds, in which everything is written even where the machine has much else to do. */
const GAP = '15'

const invited = (body: unknown) =>
  body as { warnings: readonly string[]; user: { invitation: { step: string } } }

/** Written, told, and nothing sent before the provider knows the user. */
function expectWaiting({ at, world }: RestartWorld, answer: Awaited<ReturnType<typeof invite>>, why: string) {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const { warnings, user } = invited(answer.body)
  expect(warnings.join()).toContain(why)
  expect(user.invitation.step).toBe('written')
  expect(world.user('jo.doe')).toMatchObject({ disabled: false, groups: ['family'] })
  expect(at.authelia.users ?? '').not.toContain('jo.doe')
  expect(world.sink.mails).toHaveLength(0)
}

itInDepth('one that fails: both are written and wait, and are loaded when it works again', async () => {
  await using whole = await restartWorld()
  const { at, world, restart } = whole
  restart.does('echo "no such unit" >&2; exit 5')
  const refused = await activate(at, 'new.example.com')
  expect(refused.status).toBe(503)
  expect(refused.body['detail']).toContain('could not be restarted: the command ended with code 5')
  expect(at.rules()).toContain('new.example.com')
  expectWaiting(whole, await invite(at), 'could not be restarted: the command ended with code 5')
  const revoked = await at.call('POST', '/api/users/owner/revoke')
  expect(revoked.status).toBe(503)
  expect(revoked.body['detail']).toContain('owner is revoked, but it is not in force yet')
  expect(world.user('owner')?.disabled).toBe(true)
  expect(at.authelia.restarts).toBe(1)

  restart.does('restart')
  await expectSettled(whole, TWO)
  await expect.poll(() => world.sink.mails.length, { timeout: 40_000 }).toBe(1)
  expect(world.sink.mails[0]!.to).toEqual([JO.email])
})

inDepth(() => {
  it(
    'one that hangs and ignores SIGTERM is killed after its time, both callers are told, and it is made good',
    { timeout: 240_000 },
    async () => {
      // Both come within the time that is left after the first, and so share one.
      await using whole = await restartWorld({ env: { PLUMBLINE_SSO_RESTART_GAP: GAP } })
      const { at, world, restart } = whole
      restart.does(`trap '' TERM; while :; do sleep 1; done`)
      const [answer, refused] = await Promise.all([invite(at), activate(at, 'new.example.com')])
      expectWaiting(whole, answer, 'took longer than 30 s')
      expect(refused.status).toBe(503)
      expect(refused.body['detail']).toContain('took longer than 30 s')
      const hung = restart.begun()[1]!
      restart.does('restart')
      // The engine may have begun the next one already, which hangs, too.
      await expectSettled(whole, TWO)
      await expect.poll(() => world.sink.mails.length, { timeout: 60_000 }).toBe(1)
      expect(restart.alive()).toEqual([])
      const begun = restart.begun()
      expect(begun[2]! - hung).toBeGreaterThan((Number(GAP) - 1) * 1000)
      expect(begun.length).toBeLessThanOrEqual(4)
    },
  )
})

it('a daemon that ends leaves no hanging command behind, and does not wait for it', async () => {
  await using whole = await restartWorld({ opened: false })
  const { at, restart } = whole
  restart.does(`trap '' TERM; while :; do sleep 1; done`)
  const answer = invite(at)
  await expect.poll(() => restart.begun().length).toBe(2)
  expect(restart.alive()).toHaveLength(1)
  const again = await at.reopen()
  await expect.poll(() => restart.alive()).toEqual([])
  await answer
  await again.house.close()
})

itInDepth('one that ends well and restarts it later, in the background, is not repeated', async () => {
  await using whole = await restartWorld()
  const { at, world, restart } = whole
  restart.does('(sleep 1; restart) & exit 0')
  expect((await activate(at, 'new.example.com')).status).toBe(200)
  await expectSettled(whole, TWO)
  expect((await invite(at)).status).toBe(201)
  await expectSettled(whole, TWO)
  expect(world.sink.mails).toHaveLength(1)
  expect(restart.begun()).toHaveLength(3)
  expect(at.authelia.restarts).toBe(3)
})

inDepth(() => {
  it('one that ends well, and the provider never comes up: users stay as they are', async () => {
    await using whole = await restartWorld()
    const { at, world, restart } = whole
    const rules = at.rules()
    at.authelia.next = 'dead'
    expectWaiting(whole, await invite(at), 'does not answer well after its restart')
    // What stood before would bring back who was revoked, and lose passwords; the rules have not changed, so they stay, too.
    expect(at.rules()).toBe(rules)
    expect(world.user('jo.doe')?.disabled).toBe(false)
    const begun = restart.begun().length
    // Somebody mends it. It has read the file at that start, and need not be restarted for it.
    at.authelia.next = 'well'
    at.authelia.restart()
    await expect.poll(() => world.sink.mails.length, { timeout: 60_000 }).toBe(1)
    expect(restart.begun()).toHaveLength(begun)
    await expectSettled(whole, ['app.example.com'])
  })
})

inDepth(() => {
  it('an invitation and a deploy within the time between two restart it once', async () => {
    await using whole = await restartWorld({ env: { PLUMBLINE_SSO_RESTART_GAP: GAP } })
    const { at, world, restart } = whole
    const answers = await Promise.all([
      invite(at),
      activate(at, 'new.example.com'),
      invite(at, { ...JO, email: 'al@example.net', username: 'al' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201])
    const [first, second, ...more] = restart.begun()
    expect(more).toEqual([])
    // Less the time that it takes to begin a process.
    expect(second! - first!).toBeGreaterThan((Number(GAP) - 1) * 1000)
    await expectSettled(whole, TWO)
    expect(world.sink.mails).toHaveLength(2)
  })
})
