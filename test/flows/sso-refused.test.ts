/** Rules that the provider refuses are told, and not tried again with the same bytes until somebody asks: each try is an outage. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkCommand } from '../fakes/sso/check-command.ts'
import { hurriedClock } from './hurried-clock.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { create, createActive } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let folder: string
beforeEach(() => {
  folder = newFolder('refused')
})

const UNWELCOME = `grep -q new.example.com "$1" && { echo 'rule 2 is unwelcome' >&2; exit 1; }`
const DOWN_WORDS = 'The same rules are tried again within a day, or at once when somebody asks'
const UNWELCOME_WORDS = "the SSO provider's own check refuses them"
const asked = () => readFileSync(join(folder, 'asked.log'), 'utf8').trim().split('\n').length

/** Somebody deploys what has nothing to do with the rules: every part is worked through, the rules are not asked for. */
async function deployAnother(
  at: Pick<SsoHouse, 'call'>,
  domain: string,
  why = UNWELCOME_WORDS,
): Promise<void> {
  const id = await create(at.call, { domain, auth_required: false })
  const answer = await at.call('POST', `/api/domains/${id}/activate`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(JSON.stringify(answer.body['warnings'])).toContain(why)
}

/** The end of a reconcile that somebody asks for. */
async function reconciled({ call }: Pick<SsoHouse, 'call'>): Promise<unknown> {
  const { body } = await call('POST', '/api/reconcile')
  const look = async () => (await call('GET', `/api/operations/${body['id'] as unknown as string}`)).body
  await expect.poll(async () => (await look())['state'] as unknown).not.toBe('running')
  return look()
}

describe("what the provider's own check refuses", () => {
  itInDepth(
    'is asked about once, and again for everybody who asks for it; the answer is never a success',
    async () => {
      const env = { PLUMBLINE_AUTHELIA: checkCommand(folder, UNWELCOME) }
      // With a wrap, the client does not ask that everything be clean after each deploy.
      await using at = await openSsoHouse({ opened: false, env, wrap: {} })
      await createActive(at.call)
      const before = at.rules()
      const id = await create(at.call, { domain: 'new.example.com' })
      const refused = await at.call('POST', `/api/domains/${id}/activate`)
      expect(refused.status).toBe(502)
      expect(refused.body['detail']).toContain('ended with code 1 and said: rule 2 is unwelcome')
      const count = asked()
      await deployAnother(at, 'open.example.com')
      await deployAnother(at, 'open2.example.com')
      expect(asked()).toBe(count)
      expect(await reconciled(at)).toMatchObject({
        state: 'failed',
        answer: { body: { code: 'provider_refused' } },
      })
      const all = await at.call('POST', '/api/deploy-all')
      expect([all.status, all.body['success']]).toEqual([200, false])
      // Each asks about the rules, and after the refusal about a text that has to be taken.
      expect(asked()).toBe(count + 4)
      expect(at.rules()).toBe(before)
      expect(at.authelia.restarts).toBe(1)
      checkCommand(folder)
      expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
      expect(at.rules()).toContain('new.example.com')
    },
  )

  itOneIn(3).each<[string, (folder: string) => string, string]>([
    ['refuses everything', () => `echo 'no such container' >&2; exit 1`, 'no such container'],
    ['may not read the file', () => `echo 'permission denied' >&2; exit 126`, 'permission denied'],
    ['ends well and says nothing', () => 'exit 0', 'did not say'],
  ])('a check that %s refuses nothing: it is unknown, and asked again by itself', async (_, fails, why) => {
    const env = { PLUMBLINE_AUTHELIA: checkCommand(folder) }
    await using at = await openSsoHouse({ opened: false, env, wrap: {} })
    await createActive(at.call)
    const before = at.rules()
    checkCommand(folder, fails(folder))
    const id = await create(at.call, { domain: 'new.example.com' })
    const open = await at.call('POST', `/api/domains/${id}/activate`)
    expect(open.status).toBe(503)
    expect(open.body['detail']).toContain(why)
    expect(open.body['detail']).toContain('whether the SSO provider takes them is not known')
    expect(open.body['detail']).not.toContain('refuses them')
    expect(at.rules()).toBe(before)
    checkCommand(folder)
    // Nobody asks for these rules; they are written with the next pass over all.
    await at.house.engine.converge('close')
    expect(at.rules()).toContain('new.example.com')
  })

  itInDepth('a program that is missing refuses nothing either', async () => {
    const env = { PLUMBLINE_AUTHELIA: `${join(folder, 'absent')} {file}` }
    await using at = await openSsoHouse({ opened: false, env, wrap: {} })
    const id = await create(at.call, { domain: 'new.example.com' })
    const open = await at.call('POST', `/api/domains/${id}/activate`)
    expect(open.status).toBe(503)
    expect(open.body['detail']).toContain('whether the SSO provider takes them is not known')
    expect(open.body['detail']).toContain('PLUMBLINE_AUTHELIA')
  })

  itInDepth('an end without an error is no success where the provider does not say so', async () => {
    // As `validate-config` of 4.37 does.
    const lenient = `grep -q new.example.com "$1" && { echo 'Configuration parsed and loaded with errors:'; exit 0; }`
    await using at = await openSsoHouse({
      opened: false,
      env: { PLUMBLINE_AUTHELIA: checkCommand(folder, lenient) },
    })
    await createActive(at.call)
    const before = at.rules()
    const id = await create(at.call, { domain: 'new.example.com' })
    const refused = await at.call('POST', `/api/domains/${id}/activate`)
    expect(refused.status).toBe(502)
    expect(refused.body['detail']).toContain('did not say')
    expect(refused.body['detail']).toContain('loaded with errors:')
    expect(at.rules()).toBe(before)
  })
})

itInDepth(
  'rules with which the provider does not come up cost one restart, also after a restart of the daemon',
  async () => {
    await using at = await openSsoHouse({ opened: false, wrap: {}, clock: hurriedClock() })
    await createActive(at.call)
    const good = at.rules()
    const id = await create(at.call, { domain: 'new.example.com' })
    at.authelia.onRestart = () => {
      at.authelia.next = at.rules().includes('new.example.com') ? 'dead' : 'well'
    }
    const refused = await at.call('POST', `/api/domains/${id}/activate`)
    expect(refused.status).toBe(503)
    // With the new ones, and with those that were put back.
    expect(at.authelia.restarts).toBe(3)
    await deployAnother(at, 'open.example.com', DOWN_WORDS)
    const again = await at.reopen()
    await deployAnother(again, 'open2.example.com', DOWN_WORDS)
    expect(at.authelia.restarts).toBe(3)
    expect(at.rules()).toBe(good)
    expect((await again.call('GET', '/api/sso/drift')).body['ok']).toBe(false)

    expect(await reconciled(again)).toMatchObject({
      state: 'failed',
      answer: { body: { code: 'component_unavailable' } },
    })
    expect(at.authelia.restarts).toBe(5)
    at.authelia.onRestart = null
    at.authelia.next = 'well'
    expect((await again.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
    expect(at.rules()).toContain('new.example.com')
    await again.house.close()
  },
)

it('names with commas in the policies file are refused at the start, with their line', async () => {
  const policies =
    'policies:\n  - domain: app.example.com\n    access:\n      - policy: one_factor\n        users: [ana, "a,b"]\n      - policy: two_factor\n        groups:\n          - "staff,user:ana"\n'
  const error = await openSsoHouse({ opened: false, policies }).then(
    async (at) => {
      await at[Symbol.asyncDispose]()
      return null
    },
    (failure: unknown) => failure as Error,
  )
  expect(error?.message).toMatch(
    /policies\.yml: line 5 policies\.0\.access\.0\.users\.1 has "a,b", a name with a comma/,
  )
  expect(error?.message).toMatch(
    /policies\.yml: line 8 policies\.0\.access\.1\.groups\.0 has "staff,user:ana"/,
  )
})
