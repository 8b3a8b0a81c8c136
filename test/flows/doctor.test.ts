/** Everything that `plumbline doctor` says, in its order: on nothing, on a whole installation, and on one that is broken. */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openBackend, type OpenBackend } from '../fakes/open-backend.ts'
import { type SmtpSink, smtpSink } from '../fakes/mail/smtp-sink.ts'
import { checkCommand } from '../fakes/sso/check-command.ts'
import { type FakeAuthelia, startAuthelia } from '../fakes/sso/authelia.ts'
import { run, runProcess, start } from './command.ts'
import { A_HASH } from './people-world.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let authelia: FakeAuthelia
let mail: SmtpSink
let backend: OpenBackend
let whole: Readonly<Record<string, string>>
const at = (...path: readonly string[]) => join(directory, ...path)
const empty = () => ({ PLUMBLINE_DATA_DIR: at('data'), PLUMBLINE_DNS_PROVIDER: 'none' })

beforeEach(async () => {
  directory = newFolder('doctor')
  mkdirSync(at('ssh'), { mode: 0o700 })
  writeFileSync(at('users.yml'), `users:\n  ana:\n    displayname: Ana\n    password: '${A_HASH}'\n`)
  authelia = await startAuthelia(at('rules', 'access-control.yml'))
  mail = await smtpSink()
  backend = await openBackend()
  whole = {
    PLUMBLINE_DATA_DIR: at('data'),
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_IP: '203.0.113.10',
    PLUMBLINE_SSO_RULES_FILE: at('rules', 'access-control.yml'),
    PLUMBLINE_SSO_USERS_FILE: at('users.yml'),
    PLUMBLINE_SSO_URL: authelia.url,
    PLUMBLINE_SSO_RESTART: authelia.restart_setting,
    PLUMBLINE_SSO_RESTART_GAP: '0',
    PLUMBLINE_AUTHELIA: checkCommand(directory),
    PLUMBLINE_AUTHORIZED_KEYS: at('ssh', 'authorized_keys'),
    PLUMBLINE_MAIL_PROVIDER: 'smtp',
    PLUMBLINE_MAIL_FROM: 'plumbline@example.com',
    PLUMBLINE_SMTP_SERVER: `127.0.0.1:${mail.port}`,
    PLUMBLINE_SMTP_TLS: 'none',
  }
})
afterEach(async () => {
  await authelia.stop()
  await mail.close()
  await backend[Symbol.asyncDispose]()
})

async function withEstate(): Promise<void> {
  writeFileSync(
    at('estate.yaml'),
    `plumbline: 1\ndomains:\n  - { domain: app.example.com, service_type: http, environment: production, backend_host: 127.0.0.1, backend_port: ${backend.port}, status: active }\n`,
  )
  const ran = await run(['import', at('estate.yaml')], whole)
  expect(ran, ran.err).toMatchObject({ code: 0 })
}

/** Every line that it says. What is another in each run has a name in capitals. */
async function said(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { out, err } = await run(['doctor'], env)
  expect(err).toBe('')
  const named = out
    .replaceAll(directory, 'DIR')
    .replaceAll(authelia.url, 'AUTHELIA')
    .replaceAll(`127.0.0.1:${mail.port}`, 'MAIL')
    .replaceAll(process.execPath, 'PROGRAM')
    .replace(process.version, 'VERSION')
    .replace(/process \d+ at http:\S+ since \S+/, 'process PID at ADDRESS since THEN')
    .replace(/health: (?:all \d+|\d+ of \d+)/, 'health: SOME')
    .replace(/all \d+ invariants/, 'all invariants')
    .replace(/dns_integrity: .*\n.*\n/, 'dns_integrity\n')
  return named.trimEnd().split('\n')
}

const FOUND_ON_DISK = [
  'ok   node: VERSION',
  'ok   settings: valid',
  'ok   data directory: DIR/data',
  'ok   API key: DIR/data/api-key',
  'ok   routes folder: DIR/data/traefik',
  'ok   routes file: DIR/data/traefik/routes.yml',
]
const SSO_SURROUNDINGS = [
  'ok   SSO rules folder: DIR/rules',
  'ok   SSO rules file: DIR/rules/access-control.yml',
  'ok   SSO provider: AUTHELIA/api/health answers 200',
  'ok   SSO clock: its clock is ours',
  'ok   SSO rules check: DIR/authelia-check takes DIR/rules/access-control.yml',
  'ok   SSO users file: DIR/users.yml, 1 user',
  'ok   SSO restart: by PROGRAM',
]
const NO_DAEMON = [
  'warn daemon: does not run',
  '     → Nothing keeps the world true meanwhile. Start it with "plumbline serve", or "systemctl start plumbline".',
]
const TOLD_BY_API = [
  'ok   drift: none',
  'ok   health: SOME things are as they should be',
  'warn DNS account zonefile: 1 zone in files that no name server is known to load, so nobody is asked whether they have arrived',
  '     → Name the server that loads them in PLUMBLINE_DNS_AUTHORITATIVE (host:port).',
  'ok   SSO check: AUTHELIA/api/authz/forward-auth answers 302 to somebody who has not signed in at app.example.com, and sends to auth.example.com',
  'ok   SSO: protected as the records say: 1 domain',
  'ok   SSH gateway: DIR/ssh/authorized_keys is reached; 0 of 0 keys are ours',
  'ok   mail account (smtp): takes mail; 0 of 10 mails in a minute, 0 of 200 in a day',
]
const DATABASE = ['ok   database: all invariants hold']

it('settings that are wrong are told a line each, and nothing else is looked at', async () => {
  expect(await said({ ...empty(), PLUMBLINE_MODE: 'no', PLUMBLINE_MOED: 'x' })).toEqual([
    'ok   node: VERSION',
    'BAD  settings: PLUMBLINE_MOED is not a setting. Did you mean "PLUMBLINE_MODE" or "PLUMBLINE_LOCAL"?',
    '     → Correct the setting and try again.',
    'BAD  settings: PLUMBLINE_MODE "no" must be one of repair, observe.',
    '     → Correct the setting and try again.',
  ])
})

it('before the first start nothing is wrong, and nothing is made by looking', async () => {
  expect(await said(empty())).toEqual([
    'ok   node: VERSION',
    'ok   settings: valid',
    'warn data directory: DIR/data does not exist yet',
    '     → It is made at the first start.',
    'warn API key: DIR/data/api-key does not exist yet',
    '     → It is made at the first start.',
    'warn routes folder: DIR/data/traefik does not exist yet',
    '     → It is made at the first start.',
    'ok   routes file: DIR/data/traefik/routes.yml',
    ...NO_DAEMON,
  ])
  expect(existsSync(at('data'))).toBe(false)
})

itInDepth('a whole installation is told alike without a daemon and with one', async () => {
  await withEstate()
  const beside = [...FOUND_ON_DISK, ...SSO_SURROUNDINGS]
  expect(await said(whole)).toEqual([...beside, ...NO_DAEMON, ...TOLD_BY_API, ...DATABASE])
  const daemon = start(['serve'], whole)
  await daemon.saw('listening')
  const running = 'ok   daemon: process PID at ADDRESS since THEN'
  expect(await said(whole)).toEqual([...beside, running, ...TOLD_BY_API, ...DATABASE])
  expect((await daemon.stop()).code).toBe(0)
})

itInDepth(
  'a folder that a setting names and that does not exist is made by nobody, and nothing starts',
  async () => {
    await withEstate()
    rmSync(at('rules'), { recursive: true })
    const lines = await said(whole)
    const remedy = 'orrect the path, or make it: mkdir -p DIR/rules'
    expect(lines).toContain('BAD  SSO rules folder: DIR/rules does not exist')
    expect(lines).toContain(`     → C${remedy}`)
    const fault = `leads to the folder DIR/rules, which does not exist. C${remedy}`
    expect(lines).toContain(`BAD  database and API: PLUMBLINE_SSO_RULES_FILE ${fault}.`)
    const started = await runProcess(['serve'], whole)
    expect(started.code).toBe(78)
    expect(started.err.replaceAll(directory, 'DIR')).toContain(`PLUMBLINE_SSO_RULES_FILE ${fault}`)
    expect(existsSync(at('rules'))).toBe(false)
  },
)

itInDepth('of everything broken each part is told where it stands, with what helps', async () => {
  await withEstate()
  await authelia.stop()
  await mail.close()
  writeFileSync(at('users.yml'), 'users: 5')
  rmSync(at('rules', 'access-control.yml'))
  chmodSync(at('data'), 0o755)
  chmodSync(at('data', 'api-key'), 0o644)
  const broken = {
    PLUMBLINE_DNS_PROVIDER: 'powerdns',
    PLUMBLINE_POWERDNS_URL: 'http://127.0.0.1:1',
    PLUMBLINE_POWERDNS_API_KEY: 'key',
    PLUMBLINE_SSO_RESTART: 'none',
  }
  expect(await said({ ...whole, ...broken })).toEqual([
    ...FOUND_ON_DISK.slice(0, 2),
    'warn secrets: PLUMBLINE_POWERDNS_API_KEY is given by the environment, which stays in /proc/PID/environ',
    '     → Give files instead: PLUMBLINE_POWERDNS_API_KEY_FILE=PATH (chmod 600), or LoadCredential=PLUMBLINE_POWERDNS_API_KEY:PATH of systemd.',
    'warn data directory: DIR/data can be read by others',
    '     → chmod 700 DIR/data',
    'BAD  API key: DIR/data/api-key can be read by others',
    '     → chmod 600 DIR/data/api-key',
    ...FOUND_ON_DISK.slice(4),
    'ok   SSO rules folder: DIR/rules',
    'ok   SSO rules file: DIR/rules/access-control.yml',
    'BAD  SSO provider: AUTHELIA/api/health refused the connection.',
    '     → See that it runs, and that this host reaches it: PLUMBLINE_SSO_URL or PLUMBLINE_SSO_HEALTH_URL.',
    'warn SSO rules check: DIR/rules/access-control.yml does not exist yet',
    '     → It is written by the first deploy.',
    'BAD  SSO users file: DIR/users.yml has the key users, which is no mapping',
    '     → Authelia refuses such a file as a whole: mend it or put a copy back.',
    'warn SSO restart: nobody restarts the provider, so new rules are not loaded',
    '     → Set PLUMBLINE_SSO_RESTART.',
    ...NO_DAEMON,
    'BAD  dns:example.com: dns: whether an account has the zone example.com is not known while powerdns does not answer.',
    '     → Make readable what could not be read; it is looked at again by itself.',
    'BAD  people: DIR/users.yml has the key users, which is no mapping.',
    '     → Make readable what could not be read; it is looked at again by itself.',
    'warn sso: A look after the last pass found it other than it was released. DIR/rules/access-control.yml (lost)',
    '     → It is repaired by itself; plumbline drift shows what and why.',
    'warn dns_integrity',
    'warn health: SOME things are as they should be',
    '     → plumbline status shows all of them.',
    'BAD  DNS account powerdns: http://127.0.0.1:1/api/v1/servers/localhost/zones refused the connection.',
    '     → Correct its settings, or wait until it answers.',
    'warn DNS zones: whether any account has a zone for app.example.com is not known while powerdns does not answer',
    '     → Look again when it answers.',
    'warn SSO check: AUTHELIA/api/authz/forward-auth refused the connection.',
    '     → Where only the proxy reaches it, this is no fault; protected routes answer 500 while the proxy does not.',
    'warn SSO missing rule: app.example.com: The rules file does not let in whom the record and its policy let in.',
    '     → The next pass puts it right; while the mode is observe, ask for one with POST /api/reconcile or a deploy.',
    'ok   SSH gateway: DIR/ssh/authorized_keys is reached; 0 of 0 keys are ours',
    'BAD  mail account (smtp): smtp: MAIL failed: connect ECONNREFUSED MAIL',
    '     → Correct its settings, or wait until it answers.',
    ...DATABASE,
  ])
})

itInDepth('a database that cannot be opened hides nothing of what lies beside it', async () => {
  await withEstate()
  rmSync(at('data', 'installation.json'))
  expect(await said(whole)).toEqual([
    ...FOUND_ON_DISK,
    ...SSO_SURROUNDINGS,
    ...NO_DAEMON,
    'BAD  database and API: There is no installation in DIR/data. Start the daemon with "plumbline serve", or set PLUMBLINE_DATA_DIR.',
    '     → Read the message; the log says more.',
    ...DATABASE,
  ])
})
