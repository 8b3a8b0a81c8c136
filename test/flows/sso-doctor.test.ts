/** `plumbline doctor` on single sign-on: well, and with each thing broken by hand. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Finding } from '../../src/cli/verb.ts'
import { checkCommand } from '../fakes/sso/check-command.ts'
import { type FakeAuthelia, startAuthelia } from '../fakes/sso/authelia.ts'
import { A_HASH } from './people-world.ts'
import { ESTATE, run } from './command.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let authelia: FakeAuthelia
let env: Record<string, string>
const rules = () => join(directory, 'rules', 'access-control.yml')
const users = () => join(directory, 'users.yml')

beforeEach(async () => {
  directory = newFolder('doctor')
  authelia = await startAuthelia(rules())
  writeFileSync(users(), `users:\n  ana:\n    displayname: Ana\n    password: '${A_HASH}'\n`)
  env = {
    PLUMBLINE_DATA_DIR: join(directory, 'data'),
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_SSO_RULES_FILE: rules(),
    PLUMBLINE_SSO_USERS_FILE: users(),
    PLUMBLINE_SSO_URL: authelia.url,
    PLUMBLINE_SSO_RESTART: authelia.restart_setting,
    PLUMBLINE_SSO_RESTART_GAP: '0',
    PLUMBLINE_AUTHELIA: checkCommand(directory),
  }
  const estate = join(directory, 'estate.yaml')
  writeFileSync(
    estate,
    'plumbline: 1\ndomains:\n  - { domain: app.example.com, service_type: http, environment: production, backend_host: 10.0.0.5, backend_port: 80, status: active }\n',
  )
  const ran = await run(['import', estate], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
})
afterEach(() => authelia.stop())

async function doctor(over: Readonly<Record<string, string>> = {}): Promise<ReadonlyMap<string, Finding>> {
  const ran = await run(['doctor', '--json'], { ...env, ...over })
  expect(ran.out, ran.err).not.toContain('hush')
  const found = (JSON.parse(ran.out) as Finding[]).filter(({ check }) => check.startsWith('SSO'))
  return new Map(found.map((finding) => [finding.check, finding]))
}

it('says of each part that it is well', async () => {
  const found = await doctor()
  expect([...found.values()].filter(({ state }) => state !== 'good')).toEqual([])
  expect([...found.keys()].toSorted()).toEqual([
    'SSO',
    'SSO check',
    'SSO clock',
    'SSO provider',
    'SSO restart',
    'SSO rules check',
    'SSO rules file',
    'SSO rules folder',
    'SSO users file',
  ])
})

it('names what the policies file names and no record has', async () => {
  const path = join(directory, 'policies.yml')
  const policies = async (...domains: string[]) => {
    writeFileSync(
      path,
      `policies:\n${domains.map((one) => `  - { domain: ${one}, policy: deny }\n`).join('')}`,
    )
    return (await doctor({ PLUMBLINE_SSO_POLICIES_FILE: path })).get('SSO policies')
  }
  expect(await policies('app.example.com')).toMatchObject({ state: 'good' })
  expect(await policies('apq.example.com')).toMatchObject({
    state: 'warning',
    detail:
      'PLUMBLINE_SSO_POLICIES_FILE names apq.example.com, which no record has. Did you mean "app.example.com"?',
  })
})

itInDepth('names each part that is broken, and what would help', async () => {
  writeFileSync(users(), 'users: [')
  const found = await doctor({
    PLUMBLINE_AUTHELIA: 'test -d {file}',
    PLUMBLINE_SSO_RESTART: 'command:/no/such/program restart authelia',
    PLUMBLINE_SSO_COOKIE_DOMAINS: 'example.org',
  })
  for (const check of ['SSO rules check', 'SSO users file', 'SSO restart', 'SSO shut out'])
    expect(found.get(check), check).toMatchObject({
      state: 'bad',
      remedy: expect.stringMatching(/\w/) as string,
    })
})

itInDepth('a check that takes everything is told as none', async () => {
  const script = join(directory, 'takes-all')
  writeFileSync(script, 'echo "Configuration parsed and loaded successfully without errors."')
  const found = await doctor({ PLUMBLINE_AUTHELIA: `sh ${script} {file}` })
  expect(found.get('SSO rules check')).toMatchObject({
    state: 'bad',
    detail: 'sh also takes rules that the provider refuses, so it checks nothing',
  })
})

itInDepth('a check that takes nothing is told apart from one that refuses these rules', async () => {
  const detail = async (refuses: string) => {
    checkCommand(directory, refuses)
    return (await doctor()).get('SSO rules check')?.detail
  }
  expect(await detail(`grep -q app.example.com "$1" && exit 3`)).toBe('the command ended with code 3')
  expect(await detail('exit 3')).toBe(
    'the command ended with code 3, and does not take rules either that every provider takes',
  )
})

itInDepth('a provider that is down, or at another address', async () => {
  authelia.cookie_domains = ['example.org']
  expect((await doctor()).get('SSO check')).toMatchObject({
    state: 'bad',
    detail: expect.stringContaining('answers 400') as string,
  })
  await authelia.stop()
  const found = await doctor()
  expect(found.get('SSO provider')).toMatchObject({ state: 'bad' })
  expect(found.get('SSO check')).toMatchObject({ state: 'warning' })
})

itInDepth('says nothing where single sign-on is not set up', async () => {
  const ran = await run(['doctor', '--json'], {
    PLUMBLINE_DATA_DIR: join(directory, 'other'),
    PLUMBLINE_DNS_PROVIDER: 'none',
  })
  expect(ran.out).not.toContain('SSO')
})

itInDepth(
  'where nothing of it is set up, protected domains that nobody lets anybody into are named',
  async () => {
    const env = { PLUMBLINE_DATA_DIR: join(directory, 'other'), PLUMBLINE_DNS_PROVIDER: 'none' }
    const estate = join(directory, 'estate.yaml')
    writeFileSync(estate, ESTATE)
    expect(await run(['import', estate], env)).toMatchObject({ code: 0 })
    const guessed = await run(['doctor'], env)
    expect(guessed.out).toMatch(/^warn SSO provider: no provider answers at http:.*: app\.example\.com$/m)
    const said = await run(['doctor'], { ...env, PLUMBLINE_SSO_URL: 'http://127.0.0.1:9' })
    expect(said.out).toMatch(
      /^BAD {2}SSO provider: no provider answers at http:\/\/127.*: app\.example\.com$/m,
    )
    expect(said.out).toContain('set PLUMBLINE_SSO_URL')
    const answering = await run(['doctor'], { ...env, PLUMBLINE_SSO_URL: authelia.url })
    expect(answering.out).not.toContain('SSO provider')
  },
)
