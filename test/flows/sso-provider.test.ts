/** A provider that will not take its rules: what stands then, what is told, and what happens when it is well again. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkCommand } from '../fakes/sso/check-command.ts'
import { createActive, create } from './test-house.ts'
import { hurriedClock } from './hurried-clock.ts'
import { openSsoHouse } from './sso-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

itInDepth(
  'a provider that does not come up gets back the rules with which it last ran, and the new ones when it is well',
  async () => {
    await using at = await openSsoHouse({ opened: false, clock: hurriedClock() })
    await createActive(at.call)
    const good = at.rules()
    const id = await create(at.call, { domain: 'new.example.com' })
    at.authelia.next = 'dead'
    at.authelia.onRestart = () => {
      // With the earlier rules in the file it comes up again.
      if (at.rules() === good) at.authelia.next = 'well'
    }
    const refused = await at.call('POST', `/api/domains/${id}/activate`)
    expect(refused.status).toBe(503)
    expect(refused.body['detail']).toContain('the rules with which it last ran were put back')
    expect(at.rules()).toBe(good)
    expect(at.authelia.running?.rules[0]?.domain).toEqual(['app.example.com'])
    // The new route stands and is closed: no rule that runs lets anybody in.
    expect(at.routes()).toContain('plumbline-site_new.example.com')
    at.authelia.onRestart = null
    const taken = await at.call('POST', `/api/domains/${id}/activate`)
    expect(taken.status, JSON.stringify(taken.body)).toBe(200)
    expect(at.rules()).toContain('new.example.com')
  },
)

itInDepth(
  'a restart that fails leaves the file right and the provider as it was, and is named as not loaded',
  async () => {
    await using at = await openSsoHouse({ opened: false, clock: hurriedClock() })
    await createActive(at.call)
    const id = await create(at.call, { domain: 'new.example.com' })
    at.authelia.next = 'refused'
    const refused = await at.call('POST', `/api/domains/${id}/activate`)
    expect(refused.status).toBe(503)
    expect(refused.body['detail']).toContain('could not be restarted: the command ended with code 1')
    expect(at.rules()).toContain('new.example.com')
    const { body } = await at.call('GET', '/api/sso/drift')
    expect(body['ok']).toBe(false)
    expect((body['not_loaded'] as unknown as { domain: string }[]).map(({ domain }) => domain)).toEqual([
      'app.example.com',
      'new.example.com',
    ])
    at.authelia.next = 'well'
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
    expect((await at.call('GET', '/api/sso/drift')).body['ok']).toBe(true)
  },
)

itInDepth('a domain that has nothing to do with sign-in is deployed while the provider is not', async () => {
  // With a wrap, the client does not ask that everything be clean after each deploy.
  await using at = await openSsoHouse({ opened: false, clock: hurriedClock(), wrap: {} })
  await createActive(at.call)
  const id = await create(at.call, { domain: 'new.example.com' })
  at.authelia.next = 'refused'
  expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(503)
  const open = await create(at.call, { domain: 'open.example.com', auth_required: false })
  const answer = await at.call('POST', `/api/domains/${open}/activate`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(at.routes()).toContain('plumbline-site_open.example.com')
})

itInDepth('restarts keep their distance, also across a restart of the daemon', async () => {
  const clock = hurriedClock()
  await using at = await openSsoHouse({ opened: false, clock, env: { PLUMBLINE_SSO_RESTART_GAP: '30' } })
  await createActive(at.call)
  expect(clock.slept.filter((ms) => ms > 1_000)).toEqual([])
  const again = await at.reopen()
  await createActive(again.call, { domain: 'b.example.com' })
  const waits = clock.slept.filter((ms) => ms > 1_000)
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThan(10_000)
  expect(waits[0]).toBeLessThanOrEqual(30_000)
  await again.house.close()
})

it("what the provider's own check refuses is not written", async () => {
  const folder = newFolder('check')
  const refuses = 'grep -q new.example.com "$1" && { echo "rule 2 is unwelcome" >&2; exit 1; }'
  await using at = await openSsoHouse({
    opened: false,
    env: { PLUMBLINE_AUTHELIA: checkCommand(folder, refuses) },
  })
  await createActive(at.call)
  const before = at.rules()
  const id = await create(at.call, { domain: 'new.example.com' })
  const refused = await at.call('POST', `/api/domains/${id}/activate`)
  expect(refused.body['detail']).toContain('ended with code 1 and said: rule 2 is unwelcome')
  expect(at.rules()).toBe(before)
  expect(at.authelia.restarts).toBe(1)
})

it('with nobody to restart it, rules are written and whether they are loaded stays unknown', async () => {
  await using at = await openSsoHouse({ opened: false, env: { PLUMBLINE_SSO_RESTART: 'none' } })
  await createActive(at.call)
  expect(at.rules()).toContain('app.example.com')
  const { body } = await at.call('GET', '/api/sso/drift')
  expect(body['not_loaded']).toEqual([])
  const loaded = expect.objectContaining({ part: 'loaded', cause: 'not_configured' })
  expect(body['not_checked']).toContainEqual(loaded)
})

it("rules that somebody else's file holds are left alone until it is moved away", async () => {
  await using at = await openSsoHouse({ opened: false })
  writeFileSync(
    at.rules_path,
    'session: { secret: theirs }\naccess_control: { default_policy: two_factor }\n',
  )
  const id = await create(at.call)
  const refused = await at.call('POST', `/api/domains/${id}/activate`)
  expect(refused.body['code']).toBe('refused_by_guard')
  expect(at.rules()).toContain('theirs')
})
