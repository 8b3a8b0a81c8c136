/** Changes after which nobody could sign in are told before they are made, when they are, and in the report. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { create, createActive } from './test-house.ts'
import { openSsoHouse, type SsoHouse, type SsoHouseOptions } from './sso-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const CONFIG = `
session: { cookies: [{ domain: example.com, authelia_url: 'https://auth.example.com' }] }
`

async function openKnown(config: string, { env, ...options }: SsoHouseOptions = {}) {
  const folder = newFolder('authelia')
  const path = join(folder, 'configuration.yml')
  writeFileSync(path, config)
  const at = await openSsoHouse({ opened: false, ...options, env: { PLUMBLINE_SSO_CONFIG: path, ...env } })
  return {
    at,
    path,
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const report = async ({ call }: SsoHouse) => (await call('GET', '/api/sso/drift')).body

itInDepth(
  'the sign-in page that would ask to sign in itself: the plan warns, the deploy warns, the report names the cure',
  async () => {
    await using known = await openKnown(CONFIG)
    const { at } = known
    const id = await create(at.call, { domain: 'auth.example.com' })
    const planned = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
    expect(JSON.stringify(planned.body)).toContain('a loop, and nobody can sign in anywhere')
    const done = await at.call('POST', `/api/domains/${id}/activate`)
    expect(JSON.stringify(done.body['warnings'])).toContain('Set its auth_required to false')
    expect(await report(at)).toMatchObject({
      ok: false,
      shut_out: [
        {
          domain: 'auth.example.com',
          cause: 'portal_protected',
          cure: 'Set its auth_required to false.',
        },
      ],
    })
    await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: false } })
    const mended = await at.call('POST', '/api/plans', { body: {} })
    expect(JSON.stringify(mended.body)).not.toContain('a loop')
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect(await report(at)).toMatchObject({ ok: true, shut_out: [] })
  },
)

const PORTAL_SETTINGS: readonly (readonly [string, Readonly<Record<string, string>>, string | null])[] = [
  ['PLUMBLINE_SSO_PORTAL_URL', { PLUMBLINE_SSO_PORTAL_URL: 'https://auth.example.com' }, null],
  ['PLUMBLINE_SSO_CONFIG', {}, CONFIG],
]

itOneIn(2).each(PORTAL_SETTINGS)(
  'the sign-in page that only %s names is guarded, and warned of behind itself',
  async (_, env, config) => {
    await using known = await openKnown(config ?? '{}', { env })
    const { call } = known.at
    const id = await create(call, { domain: 'auth.example.com' })
    const locked = await call('POST', `/api/domains/${id}/activate?dry_run=true`)
    expect(JSON.stringify(locked.body)).toContain('a loop, and nobody can sign in anywhere')
    await call('PUT', `/api/domains/${id}`, { body: { auth_required: false } })
    await call('POST', `/api/domains/${id}/activate`)
    for (const [method, path] of [
      ['POST', `/api/domains/${id}/deactivate`],
      ['POST', `/api/domains/${id}/disable`],
      ['DELETE', `/api/domains/${id}`],
    ] as const) {
      const refused = await call(method, path)
      expect(refused.body, path).toMatchObject({
        code: 'refused_by_guard',
        guards: [{ rule: 'protected_name', message: 'auth.example.com is the sign-in page.' }],
      })
    }
  },
)

itInDepth(
  'taking away the record of the sign-in page leaves it to a protected star: the plan of that says so',
  async () => {
    await using known = await openKnown(CONFIG)
    const { at } = known
    const portal = await createActive(at.call, { domain: 'auth.example.com', auth_required: false })
    await createActive(at.call, { domain: '*.example.com' })
    expect(await report(at)).toMatchObject({ ok: true })
    const planned = await at.call('POST', `/api/domains/${portal}/deactivate?dry_run=true`)
    expect(JSON.stringify(planned.body)).toContain('*.example.com stands for auth.example.com as well')
  },
)

itInDepth(
  'a star over a sign-in page elsewhere is unknown while nobody can ask the proxy which router wins',
  async () => {
    await using known = await openKnown(CONFIG)
    const { at } = known
    await createActive(at.call, { domain: '*.example.com' })
    const body = await report(at)
    expect(body).toMatchObject({ ok: false, drift: null, shut_out: [] })
    expect(JSON.stringify(body['unknown'])).toContain('Unless a router elsewhere ranks higher')
  },
)

itInDepth(
  'a domain outside the cookie domains: told at plan time with the domains that there are',
  async () => {
    await using known = await openKnown(CONFIG)
    const { at } = known
    const id = await create(at.call, { domain: 'app.example.org' })
    const planned = await at.call('POST', '/api/plans', { body: { domain: 'app.example.org' } })
    expect(planned.status).toBe(409)
    const activation = await at.call('POST', `/api/domains/${id}/activate?dry_run=true`)
    expect(JSON.stringify(activation.body)).toContain(
      "none of the SSO provider's cookie domains (example.com)",
    )
    await at.call('POST', `/api/domains/${id}/activate`)
    expect(await report(at)).toMatchObject({
      ok: false,
      shut_out: [{ domain: 'app.example.org', cause: 'outside_cookie_domains' }],
    })
  },
)

it('two factors without a second, and rules in the provider’s own configuration', async () => {
  const config = `${CONFIG}totp: { disable: true }\nwebauthn: { disable: true }\naccess_control: { default_policy: one_factor }\n`
  await using known = await openKnown(config, { env: { PLUMBLINE_SSO_POLICY: 'two_factor' } })
  const { at } = known
  await createActive(at.call)
  const body = await report(at)
  expect(body).toMatchObject({
    ok: false,
    shut_out: [{ domain: 'app.example.com', cause: 'no_second_factor' }],
  })
  expect(JSON.stringify(body['unknown'])).toContain('default_policy one_factor')
})

itInDepth('a weaker policy says in words what the file lets in and what was meant', async () => {
  await using at = await openSsoHouse({ opened: false, env: { PLUMBLINE_SSO_POLICY: 'two_factor' } })
  await createActive(at.call)
  const text = at.rules()
  writeFileSync(at.rules_path, text.replace('"two_factor"', '"one_factor"'))
  expect(JSON.stringify((await report(at))['weaker_policy'])).toContain(
    'By the rules file whoever signs in gets in (one_factor); by the record and its policy whoever signs in with a second factor gets in (two_factor).',
  )
  writeFileSync(
    at.rules_path,
    text
      .replace('default_policy: "deny"', 'default_policy: one_factor')
      .replace(/ {4}- domain_regex: .*\n {6}policy: "deny"\n$/, ''),
  )
  expect(JSON.stringify((await report(at))['extra_rule'])).toContain(
    'The default_policy of the rules file is one_factor: for every name without a rule, whoever signs in gets in',
  )
})
