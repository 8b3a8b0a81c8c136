/** What is read of Authelia's configuration, in the forms that it has, and what is not: secrets, templates, broken files. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signInSettings } from '../../../../src/features/sso/authelia/sign-in-settings.ts'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const folder = newFolder('sign-in')

const path = join(folder, 'configuration.yml')
const { signal } = new AbortController()

const settings = (cookie_domains: readonly string[] = []) =>
  signInSettings({ path, portals: [], cookie_domains, documents: yamlDocuments })

async function readOf(text: string, cookie_domains: readonly string[] = []) {
  writeFileSync(path, text)
  return settings(cookie_domains).read(signal)
}

const COOKIES = `
session:
  secret: very-secret-indeed
  cookies:
    - { domain: Example.com, authelia_url: 'https://auth.example.com/' }
    - { domain: .example.net, authelia_url: 'https://auth.example.net:8443/authelia' }
`

it('cookie domains and sign-in pages, and nothing else of the file', async () => {
  const found = await readOf(COOKIES)
  expect(found).toEqual({
    portals: ['auth.example.com', 'auth.example.net'],
    cookie_domains: ['example.com', 'example.net'],
    has_second_factor: true,
    own_rules: null,
    sessions: { outlive_restarts: false, watches_users: null, refresh_interval: null },
    no_endpoint: null,
    place: path,
    fault: null,
  })
  expect(JSON.stringify(found)).not.toContain('secret-indeed')
})

it.each<[string, string, object]>([
  ['the form before 4.38', 'session: { domain: example.com }', { cookie_domains: ['example.com'] }],
  ['no session at all', 'theme: dark', { cookie_domains: null, portals: [] }],
  [
    'a domain that a template fills in',
    `session: { cookies: [{ domain: "{{ env 'DOMAIN' }}" }, { domain: example.com }] }`,
    { cookie_domains: null },
  ],
  [
    'rules of its own',
    'access_control: { default_policy: one_factor, rules: [{ domain: a.b, policy: bypass }] }',
    { own_rules: { default_policy: 'one_factor', rules: 1 } },
  ],
  [
    'every second factor off',
    'totp: { disable: true }\nwebauthn: { disable: true }',
    { has_second_factor: false },
  ],
  [
    'all off but Duo',
    'totp: { disable: true }\nwebauthn: { disable: true }\nduo_api: { hostname: api.example.org }',
    { has_second_factor: true },
  ],
  [
    'sessions in memory, of a users file that is not watched',
    'authentication_backend: { file: { path: /config/users.yml } }\nsession: { secret: x }',
    { sessions: { outlive_restarts: false, watches_users: false, refresh_interval: null } },
  ],
  [
    'sessions in redis, of a users file that is watched',
    'authentication_backend: { file: { watch: true }, refresh_interval: 1m }\nsession: { redis: { host: redis } }',
    { sessions: { outlive_restarts: true, watches_users: true, refresh_interval: '1m' } },
  ],
  [
    'an interval that a template fills in',
    `authentication_backend: { refresh_interval: "{{ env 'EVERY' }}" }`,
    { sessions: { outlive_restarts: false, watches_users: null, refresh_interval: null } },
  ],
])('%s', async (_, text, expected) => {
  expect(await readOf(text)).toMatchObject({ ...expected, fault: null })
})

it('what the settings say of cookie domains counts before the file', async () => {
  expect(await readOf(COOKIES, ['lab.example.org'])).toMatchObject({ cookie_domains: ['lab.example.org'] })
})

describe('a file that cannot be read', () => {
  it.each([
    ['no YAML, with a secret on the broken line', 'session: { secret: hush-hush, [', /no YAML .*line/],
    ['a list', '- a', /no mapping/],
    ['a giant', `x: ${'y'.repeat(600_000)}`, /more than/],
  ])('%s is a fault that quotes nothing', async (_, text, fault) => {
    const found = await readOf(text)
    expect(found).toMatchObject({ cookie_domains: null, own_rules: null, has_second_factor: null })
    expect(found.fault).toMatch(fault)
    expect(found.fault).not.toContain('hush')
  })

  it('is asked again once it is there', async () => {
    rmSync(path, { force: true })
    const one = settings()
    expect((await one.read(signal)).fault).toMatch(/ENOENT/)
    writeFileSync(path, COOKIES)
    expect(await one.read(signal)).toMatchObject({
      fault: null,
      cookie_domains: ['example.com', 'example.net'],
    })
  })
})

it('a pipe in its place holds nobody up: not those who ask, and no other work with files', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const one = signInSettings({ path: pipe, portals: [], cookie_domains: [], documents: yamlDocuments })
  // More than there are threads for file work.
  const all = Promise.all(Array.from({ length: 6 }, () => one.read(signal)))
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('held up'), 20_000))
  try {
    expect(await Promise.race([stat(folder).then(() => 'free'), late])).toBe('free')
    expect((await all).map(({ fault }) => fault)).toEqual(Array(6).fill('is no file'))
  } finally {
    // Lets go whoever was caught after all.
    for (let i = 0; i < 6; i++)
      try {
        closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
      } catch {
        // Nobody reads it.
      }
  }
})
