/** Each drift of single sign-on, made by hand: named with its domain, cause and cure, and repaired. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { createActive } from './test-house.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const LISTS = [
  'missing_rule',
  'extra_rule',
  'weaker_policy',
  'missing_middleware',
  'extra_middleware',
  'not_loaded',
  'open_route',
] as const

interface Report {
  readonly ok: boolean | null
  /** `list domain cause` */
  readonly found: readonly string[]
}

async function drift({ call }: SsoHouse): Promise<Report> {
  const { body, status } = await call('GET', '/api/sso/drift')
  expect(status, JSON.stringify(body)).toBe(200)
  const found = LISTS.flatMap((list) =>
    (body[list] as unknown as { domain: string; cause: string; cure: string }[]).map(
      ({ domain, cause, cure }) => {
        expect(cure).not.toBe('')
        return `${list} ${domain} ${cause}`
      },
    ),
  )
  return { ok: body['ok'] as unknown as boolean | null, found }
}

const rewrite = (path: string, change: (text: string) => string): void => {
  const before = readFileSync(path, 'utf8')
  const after = change(before)
  writeFileSync(path, after)
}

const RULE = '    - domain: "app.example.com"\n      policy: "one_factor"\n'

interface ByHand {
  readonly name: string
  readonly spoil: (at: SsoHouse) => void
  readonly found: readonly string[]
}

const CASES: readonly ByHand[] = [
  {
    name: 'a rule is taken out',
    spoil: ({ rules_path }) => rewrite(rules_path, (text) => text.replace(RULE, '')),
    found: ['missing_rule app.example.com lost'],
  },
  {
    name: 'a rule of nobody is put in',
    spoil: ({ rules_path }) =>
      rewrite(rules_path, (text) =>
        text.replace('  rules:\n', '  rules:\n    - { domain: [old.example.net], policy: one_factor }\n'),
      ),
    found: ['extra_rule old.example.net edited'],
  },
  {
    name: 'a policy is weakened by a rule for everything, in another form',
    spoil: ({ rules_path }) =>
      rewrite(rules_path, (text) =>
        text.replace('  rules:\n', "  rules:\n    - domain: '*.example.com'\n      policy: bypass\n"),
      ),
    found: ['extra_rule *.example.com edited', 'weaker_policy app.example.com edited'],
  },
  {
    name: 'the default opens what no rule is for',
    spoil: ({ rules_path }) =>
      rewrite(rules_path, (text) =>
        text
          .replace('default_policy: "deny"', 'default_policy: one_factor')
          .replace(/ {4}- domain_regex: .*\n {6}policy: "deny"\n$/, ''),
      ),
    found: ['extra_rule ^.*$ edited'],
  },
  {
    name: 'the middleware is taken off a route',
    spoil: ({ house }) =>
      rewrite(house.routes_path, (text) => text.replace('        - "plumbline-sso"\n', '')),
    found: ['missing_middleware app.example.com edited'],
  },
  {
    name: 'the middleware keeps its name and asks nobody',
    spoil: ({ house }) =>
      rewrite(house.routes_path, (text) =>
        text.replace(/address: "[^"]*forward-auth"/, 'address: "http://127.0.0.1:1/ok"'),
      ),
    found: ['missing_middleware app.example.com edited'],
  },
  {
    name: 'the middleware is put before an open route',
    spoil: ({ house }) =>
      rewrite(house.routes_path, (text) =>
        text.replace(
          /("plumbline-site_open[.]example[.]com":\n(?: {6}.*\n)*?)( {6}priority)/,
          '$1        - "plumbline-sso"\n$2',
        ),
      ),
    found: ['extra_middleware open.example.com edited'],
  },
  {
    name: 'the file is written anew with the same bytes after the provider started',
    spoil: ({ rules_path }) => rewrite(rules_path, (text) => text),
    found: ['not_loaded app.example.com not_loaded'],
  },
]

itOneIn(4).each(CASES)('$name', async ({ spoil, found }) => {
  await using at = await openSsoHouse({ opened: false })
  await createActive(at.call)
  await createActive(at.call, { domain: 'open.example.com', auth_required: false })
  expect(await drift(at)).toEqual({ ok: true, found: [] })
  spoil(at)
  const spoilt = await drift(at)
  expect(spoilt.ok).toBe(false)
  // A file that was written by hand is not loaded either.
  expect(spoilt.found.filter((line) => found.includes(line) || !line.startsWith('not_loaded'))).toEqual(found)
  const restarts = at.authelia.restarts
  const repaired = await at.call('POST', '/api/deploy-all')
  expect(repaired.status, JSON.stringify(repaired.body)).toBe(200)
  expect(await drift(at)).toEqual({ ok: true, found: [] })
  if (!found[0]!.includes('middleware')) expect(at.authelia.restarts).toBeGreaterThan(restarts)
})

it('the daemon repairs by itself what somebody did to the rules', async () => {
  await using at = await openSsoHouse()
  await createActive(at.call)
  rewrite(at.rules_path, (text) => text.replace(RULE, ''))
  await expect.poll(() => drift(at)).toEqual({ ok: true, found: [] })
  expect(at.rules()).toContain(RULE)
})

itInDepth('what is saved and not deployed is pending, and nothing is repaired towards it', async () => {
  await using at = await openSsoHouse({ opened: false })
  const id = await createActive(at.call, { auth_required: false })
  await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: true } })
  expect(await drift(at)).toEqual({
    ok: false,
    found: [
      'missing_rule app.example.com pending_deploy',
      'missing_middleware app.example.com pending_deploy',
    ],
  })
})

it('a file that holds no rules is named, and every protected domain misses its own', async () => {
  await using at = await openSsoHouse({ opened: false })
  await createActive(at.call)
  writeFileSync(at.rules_path, 'access_control: [\n')
  const { body } = await at.call('GET', '/api/sso/drift')
  expect(body).toMatchObject({
    ok: false,
    unknown: expect.arrayContaining([expect.objectContaining({ part: 'rules', cause: 'unreadable' })]),
  })
  expect((await drift(at)).found).toContain('missing_rule app.example.com edited')
})

it('without a rules file nothing is configured, nothing is claimed, and nothing counts against anybody', async () => {
  await using at = await openSsoHouse({ opened: false, env: { PLUMBLINE_SSO_RULES_FILE: '' } })
  await createActive(at.call)
  const { body } = await at.call('GET', '/api/sso/drift')
  expect(body).toMatchObject({
    ok: true,
    configured: false,
    drift: false,
    unknown: [],
    not_checked: [{ part: 'rules', cause: 'not_configured' }, { part: 'proxy' }, { part: 'proof' }],
  })
})

itInDepth('rules that are managed from now on wait for their first deploy', async () => {
  await using before = await openSsoHouse({ opened: false, env: { PLUMBLINE_SSO_RULES_FILE: '' } })
  await createActive(before.call)
  const { directory } = before
  await before.house.close()
  await using at = await openSsoHouse({ opened: false, directory })
  expect(await drift(at)).toMatchObject({
    ok: false,
    found: expect.arrayContaining(['missing_rule app.example.com renderer_changed']),
  })
  expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
  expect(await drift(at)).toEqual({ ok: true, found: [] })
})

itInDepth(
  'a proxy that lets everybody say what they ask for weakens whatever is protected there',
  async () => {
    const traefik = await startFakeTraefik({
      entrypoints: [
        { name: 'web', address: ':80' },
        { name: 'websecure', address: ':443', forwardedHeaders: { insecure: true } },
      ],
    })
    try {
      await using at = await openSsoHouse({ env: { PLUMBLINE_TRAEFIK_API: traefik.origin } })
      traefik.follow(at.house.routes_path)
      await createActive(at.call, { domain: 'app.example.com' })
      await createActive(at.call, { domain: 'open.example.com', auth_required: false })
      expect((await drift(at)).found).toEqual(['weaker_policy app.example.com believes_everybody'])
    } finally {
      await traefik.stop()
    }
  },
)
