/** `plumbline dns` and the one verdict of `plumbline drift`, over zone files, without and with a daemon. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { ESTATE, run } from './command.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Readonly<Record<string, string>>
const zone = () => join(directory, 'zones', 'example.com.zone')

function save(): string {
  const estate = join(directory, 'estate.yml')
  writeFileSync(estate, ESTATE)
  return estate
}

beforeEach(async () => {
  directory = newFolder('dns')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_PUBLIC_IP: '203.0.113.10',
    PLUMBLINE_LISTEN: '127.0.0.1:0',
  }
  const ran = await run(['import', save()], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
})

it('lists zones and records, and tells of an edit by hand', async () => {
  expect((await run(['dns', 'zones'], env)).out).toMatch(
    /^example\.com {2}zonefile {2}1 names {2}1 of ours$/m,
  )
  expect((await run(['dns', 'records'], env)).out).toMatch(
    /^owned {2}A {2}app\.example\.com {2}203\.0\.113\.10/m,
  )
  expect(await run(['drift'], env)).toMatchObject({ code: 0 })
  writeFileSync(zone(), readFileSync(zone(), 'utf8').replace('203.0.113.10', '203.0.113.99'))
  const drift = await run(['drift'], env)
  expect(drift.code).toBe(2)
  expect(drift.out).toContain('drift: dns:example.com differs from the database')
  expect(drift.out).toContain('clean: routes is what the database says')
  expect(await run(['plan'], env)).toMatchObject({ code: 2 })
  expect(await run(['deploy', '--all'], env)).toMatchObject({ code: 0 })
  expect(await run(['drift'], env)).toMatchObject({ code: 0 })
})

it('offers what can be done about a rename that waits by the name that the domain has now', async () => {
  expect(await run(['set', 'app.example.com', 'domain=new.example.com'], env)).toMatchObject({ code: 0 })
  const { code, out } = await run(['drift'], env)
  expect(code).toBe(2)
  const offered = out.match(/^ *plumbline (?:plan|discard) .*$/gm)?.map((line) => line.trim()) ?? []
  expect([...new Set(offered)].sort()).toEqual([
    'plumbline discard new.example.com',
    'plumbline plan new.example.com',
  ])
})

it('says "in the way" of others’ records only where no address can stand with them', async () => {
  const beside = 'app.example.com. 300 IN MX 10 mail.example.net.\n'
  const alias = 'later.example.com. 300 IN CNAME x.example.net.\n'
  writeFileSync(zone(), readFileSync(zone(), 'utf8') + beside + alias)
  const wish = ['add', 'later.example.com', 'http://10.0.0.6:80', '--save']
  const added = await run(wish, env)
  expect(added, added.err).toMatchObject({ code: 0 })
  const { out } = await run(['dns', 'records', '--others'], env)
  expect(out).toMatch(/^other +MX +app\.example\.com .* beside app\.example\.com$/m)
  expect(out).toMatch(/^other +CNAME +later\.example\.com .* in the way of later\.example\.com$/m)
  expect(out).not.toMatch(/^other +NS .*in the way/m)
})

itInDepth(
  'a world that was kept and that this shell does not name is unknown without a daemon, not clean',
  async () => {
    const PLUMBLINE_SSO_RULES_FILE = join(directory, 'rules.yml')
    const whole = { ...env, PLUMBLINE_SSO_RULES_FILE }
    const changed = await run(['set', 'app.example.com', 'auth_required=true'], whole)
    expect(changed, changed.err).toMatchObject({ code: 0 })
    const deployed = await run(['deploy', '--all', '--yes'], whole)
    expect(readFileSync(PLUMBLINE_SSO_RULES_FILE, 'utf8'), deployed.err).toContain('app.example.com')
    const names = 'sso was not looked at: PLUMBLINE_SSO_RULES_FILE is not set here.'
    expect((await run(['drift'], whole)).out).not.toContain(names)
    const drift = await run(['drift'], env)
    expect(drift.out.replaceAll(/\s+/g, ' ')).toContain(
      `unknown: No daemon runs, so the settings of this shell count. ${names}`,
    )
    for (const words of [['drift'], ['plan'], ['explain', 'app.example.com'], ['wait', '--for', '1s']]) {
      const { code, out, err } = await run(words, env)
      expect({ words, code }, `${out}${err}`).toEqual({ words, code: 3 })
      expect(`${out}${err}`.replaceAll(/\s+/g, ' ')).toContain(names)
    }
  },
)

itOneIn(2).each([
  ['from the first start on', false],
  ['after it had shown its zones', true],
])(
  'an account that does not answer is unknown, and no plan says that there is nothing to do: %s',
  async (_what, known) => {
    const dead = {
      ...env,
      PLUMBLINE_DNS_PROVIDER: 'powerdns',
      PLUMBLINE_POWERDNS_URL: 'http://127.0.0.1:9',
      PLUMBLINE_POWERDNS_API_KEY: 'key',
    }
    if (!known) {
      rmSync(directory, { recursive: true, force: true })
      mkdirSync(directory)
      const ran = await run(['import', save()], dead)
      expect(ran.err).toContain('whether the account powerdns has a zone for it is not known')
    }
    for (const words of [['plan'], ['plan', 'app.example.com'], ['plan', '--component', 'dns']]) {
      const plan = await run(words, dead)
      expect(plan.code, words.join(' ')).toBe(3)
      expect(plan.out).toMatch(/^Unknown: /)
      expect(plan.err).toContain('unknown: dns could not be read')
    }
    const drift = await run(['drift'], dead)
    expect(drift).toMatchObject({ code: 3, out: expect.stringContaining('unknown: dns') })
    const records = await run(['dns', 'records'], dead)
    expect(records).toMatchObject({ code: 3, err: expect.stringContaining('unknown: ') })
    // It is nobody's fault but its own.
    expect(await run(['plan', '--component', 'routes'], dead)).toMatchObject({ code: 0 })
  },
)

itInDepth('gives up and adopts', async () => {
  const given_up = await run(['dns', 'release', 'A', 'app.example.com'], env)
  expect(given_up, given_up.err).toMatchObject({ code: 0 })
  expect((await run(['dns', 'records', 'example.com', '--state', 'foreign'], env)).out).toContain('foreign')
  expect(await run(['drift'], env)).toMatchObject({ code: 2 })
  const adopted = await run(['dns', 'adopt', 'a', 'app.example.com'], env)
  expect(adopted, adopted.err).toMatchObject({ code: 0 })
  expect(adopted.out).toContain('is adopted')
  expect(await run(['drift'], env)).toMatchObject({ code: 0 })
})

it('a zone that cannot be read is unknown, and never clean', async () => {
  writeFileSync(zone(), 'this is no zone file')
  expect(await run(['drift'], env)).toMatchObject({ code: 3 })
  expect(await run(['dns', 'records'], env)).toMatchObject({ code: 3 })
  expect(readFileSync(zone(), 'utf8')).toBe('this is no zone file')
})

itInDepth('doctor names the accounts, and one that does not answer', async () => {
  expect((await run(['doctor'], env)).out).toContain('DNS account zonefile')
  const dead = {
    ...env,
    PLUMBLINE_DNS_PROVIDER: 'powerdns',
    PLUMBLINE_POWERDNS_URL: 'http://127.0.0.1:1',
    PLUMBLINE_POWERDNS_API_KEY: 'key',
  }
  const found = JSON.parse((await run(['doctor', '--json'], dead)).out) as readonly {
    check: string
    state: string
  }[]
  expect(found).toContainEqual(expect.objectContaining({ check: 'DNS account powerdns', state: 'bad' }))
})

itInDepth.each([[['dns', 'adopt', 'A']], [['dns', 'records', 'a', 'b']], [['dns', 'burn', 'A', 'x']]])(
  '%j is wrong usage',
  async (words) => {
    expect(await run(words, env)).toMatchObject({ code: 64 })
  },
)
