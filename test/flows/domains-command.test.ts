/** Domains from a shell: listed, shown, added, changed, renamed, taken out and deleted, at a terminal and in a script. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../kit/ports.ts'
import { type Person, type Ran, run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { describeOneIn, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon

beforeAll(async () => {
  directory = newFolder('domains')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  const policies = join(directory, 'policies.yml')
  writeFileSync(policies, 'policies: [{ domain: paths.example.com, bypass: [/healthz, /public/] }]\n')
  daemon = await serve({
    ...env,
    PLUMBLINE_PUBLIC_IP: '203.0.113.7',
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
    PLUMBLINE_SSO_POLICIES_FILE: policies,
  })
})
afterAll(() => daemon.stop())

const routes = () => readFileSync(join(directory, 'traefik', 'routes.yml'), 'utf8')
const on = (...words: string[]) => run(words, env)
const asPerson = (answer: string, ...words: string[]) => run(words, env, { types: () => answer })
const names = async () => (await on('domains', '-q')).out.split('\n').filter(Boolean)

async function emptied(): Promise<void> {
  for (const name of await names()) expect(await on('rm', name, '--yes')).toMatchObject({ code: 0 })
}
beforeEach(emptied)

async function added(...words: string[]): Promise<void> {
  const ran = await on('add', ...words)
  expect(ran, ran.err).toMatchObject({ code: 0 })
}

// First: a daemon probes so many backends a minute, and no more.
itInDepth(
  'every verb that brings a domain out, and every one that says how it is, says that its backend refuses',
  async () => {
    const port = await freePort()
    const words = `its backend 127.0.0.1:${port} refuses connections from here`
    const times = ({ out, err }: Ran) => `${out}${err}`.split(words).length - 1
    expect(times(await asPerson('y', 'add', 'app.example.com', `127.0.0.1:${port}`))).toBe(1)
    const estate = join(directory, 'refusing.yaml')
    writeFileSync(
      estate,
      (await on('export')).out.replace('environment: production', 'environment: development'),
    )
    for (const ask of [
      ['set', 'app.example.com', 'health_check_path=/up', '--deploy'],
      ['off', 'app.example.com', '--yes'],
      ['on', 'app.example.com'],
      ['deploy', 'app.example.com'],
      ['deploy', '--all'],
      ['sync', estate, '--yes'],
      ['status'],
      ['doctor'],
      ['explain', 'app.example.com'],
    ]) {
      const ran = await on(...ask)
      expect(times(ran), `${ask.join(' ')}\n${ran.out}${ran.err}`).toBe(ask[0] === 'off' ? 0 : 1)
    }
    const { backend_unreached } = JSON.parse(
      (await on('explain', 'app.example.com', '--json')).out,
    ) as Record<string, unknown>
    expect(backend_unreached).toBe(words)
  },
)

describe('add', () => {
  it('deploys a domain with what was said of it', async () => {
    await added(
      'App.Example.com.',
      'https://10.0.0.5:8443',
      '--backend-tls',
      'insecure',
      '--tags',
      'web',
      '--no-auth-required',
    )
    const [record] = JSON.parse((await on('domains', '--json')).out) as object[]
    expect(record).toMatchObject({
      domain: 'app.example.com',
      backend_host: '10.0.0.5',
      backend_port: 8443,
      backend_scheme: 'https',
      backend_tls: { trust: 'insecure' },
      tags: ['web'],
      auth_required: false,
      status: 'active',
    })
    expect(routes()).toContain('app.example.com')
  })

  itInDepth('with --save saves and moves nothing', async () => {
    await added('app.example.com', '10.0.0.5:80', '--save')
    expect((await on('show', 'app.example.com')).out).toContain('app.example.com is inactive')
    expect((await on('history', 'app.example.com')).out).toBe(
      'app.example.com: nobody has looked at it in the last day, nor since the daemon started.\n',
    )
    expect(await on('on', 'app.example.com')).toMatchObject({ code: 0 })
    expect(routes()).toContain('app.example.com')
  })

  itInDepth('asks at a terminal, and a no changes nothing', async () => {
    const refused = await asPerson('n', 'add', 'app.example.com', '10.0.0.5:80')
    expect(refused.code).toBe(1)
    expect(refused.out).toMatch(/^1 domain\. Outside: [0-9]+ to add, [0-9]+ to change, 0 to remove\.$/m)
    expect(refused.err).toContain('Add and deploy app.example.com? [y/N]')
    expect(refused.err).toContain('Nothing was changed.')
    expect(await names()).toEqual([])
    const done = await asPerson('y', 'add', 'app.example.com', '10.0.0.5:80')
    expect(done).toMatchObject({ code: 0 })
    expect(await names()).toEqual(['app.example.com'])
    // What was read before the question is not read again after it.
    expect(done.err.match(/asks for a sign-in/g)).toHaveLength(1)
    expect((await on('deploy', 'app.example.com')).err.match(/asks for a sign-in/g)).toHaveLength(1)
  })

  itInDepth('says who gets in now and what is saved of it, and lists what is open by either', async () => {
    await added('paths.example.com', '10.0.0.5:80')
    await added('live.example.com', '10.0.0.6:80', '--no-auth-required')
    await added('saved.example.com', '10.0.0.7:80', '--no-auth-required', '--save')
    await added('shut.example.com', '10.0.0.8:80', '--save')
    await added('was.example.com', '10.0.0.9:80')
    for (const change of [
      ['live.example.com', 'auth_required=true'],
      ['was.example.com', 'auth_required=false'],
    ])
      expect(await on('set', ...change)).toMatchObject({ code: 0 })
    const said = [
      /^live\.example\.com .* http +anybody now; sign-in is saved {2}/m,
      /^paths\.example\.com .* http +signed in, but \/healthz, \/public\/: anybody {2}/m,
      /^saved\.example\.com .* http +nobody yet; open is saved {2}/m,
      /^was\.example\.com .* http +signed in now; open is saved {2}/m,
    ]
    const all = await on('domains')
    for (const line of [...said, /^shut\.example\.com .* http +nobody yet {2}/m])
      expect(all.out).toMatch(line)
    const open = await on('domains', '--open')
    for (const line of said) expect(open.out).toMatch(line)
    expect(open.out).not.toContain('shut.example.com')
    expect(open.err).toContain('A sign-in that is saved waits for a deploy')
    expect(await on('domains', '--open', '-q')).toMatchObject({
      code: 0,
      out: 'live.example.com\npaths.example.com\nsaved.example.com\nwas.example.com\n',
    })
    expect(await on('set', 'live.example.com', 'domain=new.example.com')).toMatchObject({ code: 0 })
    expect((await on('domains', '--open')).err).toContain(
      'live.example.com: anybody now. It is deployed under this name',
    )
  })

  itInDepth('says of what stands otherwise than it was deployed that who gets in is not known', async () => {
    await added('app.example.com', '10.0.0.5:80')
    const open = () => on('domains', '--open', '-q')
    expect(await open()).toMatchObject({ code: 0, out: '', err: expect.not.stringContaining('not known') })
    expect(await on('mode', 'set', 'observe', 'routes')).toMatchObject({ code: 0 })
    writeFileSync(
      join(directory, 'traefik', 'routes.yml'),
      routes().replace(/^ +middlewares:\n(?: +- .*\n)+/m, ''),
    )
    await expect
      .poll(async () => (await open()).err, { timeout: 60_000 })
      .toContain(
        'app.example.com: its route or its rules are not as they were deployed, or another router is asked first, so who gets in is not known.',
      )
    expect(await on('mode', 'set', 'suspend', 'routes', '--reason', 'x', '--for', '5m')).toMatchObject({
      code: 0,
    })
    await expect
      .poll(async () => (await open()).err, { timeout: 60_000 })
      .toContain('routes is suspended, so no pass looks')
    expect(await on('mode', 'set', 'repair', 'routes')).toMatchObject({ code: 0 })
    await expect.poll(() => routes(), { timeout: 60_000 }).toContain('middlewares:')
  })

  itInDepth('is brought back alone after it was deleted, by its name, as it was in a release', async () => {
    await added('app.example.com', '10.0.0.5:80')
    await added('other.example.com', '10.0.0.6:80')
    const [{ number }] = JSON.parse((await on('releases', '--json')).out) as [{ number: number }]
    expect(await on('rm', 'app.example.com', '--yes')).toMatchObject({ code: 0 })
    expect(await on('set', 'other.example.com', 'backend_port=81', '--deploy')).toMatchObject({ code: 0 })
    for (const back of [
      ['undo', 'app.example.com'],
      ['restore', String(number), '--only', 'App.Example.com'],
    ]) {
      const ran = await on('releases', ...back, '--yes')
      expect(ran, ran.err).toMatchObject({ code: 0 })
      const records = JSON.parse((await on('domains', '--json')).out) as object[]
      expect(records).toMatchObject([
        { domain: 'app.example.com', backend_port: 80, status: 'active' },
        { domain: 'other.example.com', backend_port: 81 },
      ])
      expect(routes()).toContain('app.example.com')
      expect(await on('rm', 'app.example.com', '--yes')).toMatchObject({ code: 0 })
    }
    const never = await on('releases', 'restore', String(number), '--only', 'never.example.com', '--yes')
    expect(never.code).toBe(1)
    expect(never.err).toContain('There is no domain "never.example.com".')
  })

  it('shows the plan of every component and writes it as a page', async () => {
    const page = join(directory, 'plan.md')
    const ran = await on('add', 'app.example.com', '10.0.0.5:80', '--dry-run', '--out', page)
    expect(ran.code).toBe(2)
    for (const part of ['dns: create', 'routes: ', 'to add']) expect(ran.out).toContain(part)
    expect(readFileSync(page, 'utf8')).toMatch(
      /^# Plan\n[^]*\*\*1 domain\. Outside: \d+ to add, [^]*```diff\n/,
    )
    expect(await names()).toEqual([])
  })

  itOneIn(4).each([
    ['10.0.0.1', 'The port of'],
    ['ftp://10.0.0.1:21', 'is no scheme of a backend'],
    ['http://10.0.0.1:80/path', 'A backend has no path'],
    ['a b', 'is no backend'],
  ])('tells what is wrong with the backend %s', async (backend, said) => {
    const ran = await on('add', 'app.example.com', backend)
    expect(ran.code).toBe(64)
    expect(ran.err).toMatch(/^plumbline add: /)
    expect(ran.err).toContain(said)
  })

  itInDepth('tells every fault of a record by its field', async () => {
    const ran = await on('add', 'app', '10.0.0.5:80', '--default-path', 'x')
    expect(ran.code).toBe(64)
    expect(ran.err).toContain('plumbline: NAME "app" must')
    expect(ran.err).toContain('plumbline: --default-path "x" must')
  })
})

itOneIn(7).each([
  'bücher',
  'Bü',
  'bu\u0308cher',
  'bücher.example.com.',
  'xn--bcher',
  'XN--BCHER-KVA.example.com.',
  '.com.',
])('domains finds a name as it is shown, and with a dot at its end: %s', async (text) => {
  await added('bücher.example.com', '10.0.0.5:80', '--save')
  await added('other.example.org', '10.0.0.5:80', '--save')
  expect((await on('domains', text, '-q')).out).toBe('xn--bcher-kva.example.com\n')
  expect((await on('domains', text)).out).not.toContain('other')
})

describe('domains', () => {
  beforeEach(async () => {
    await added('app.example.com', '10.0.0.5:80', '--tags', 'web')
    await added('wiki.home.example', '10.0.0.6:80', '--save')
  })

  itOneIn(7).each([
    [[], ['app.example.com', 'wiki.home.example']],
    [['--zone', 'Home.example.'], ['wiki.home.example']],
    [['--zone', 'example'], ['wiki.home.example']],
    [['--tag', 'web'], ['app.example.com']],
    [['--status', 'inactive'], ['wiki.home.example']],
    [['wik'], ['wiki.home.example']],
    [
      ['--sort', '-domain'],
      ['wiki.home.example', 'app.example.com'],
    ],
  ])('%j', async (words, expected) => {
    expect((await on('domains', '-q', ...words)).out.split('\n').filter(Boolean)).toEqual(expected)
  })

  itInDepth('says which are not as they should be', async () => {
    await expect.poll(async () => (await on('domains')).out).toContain('as it should be')
    expect((await on('domains', '--drift', '-q')).out).toBe('')
  })

  itInDepth('keeps to forty columns, where each row is a block of lines', async () => {
    const { out } = await run(['domains'], env, { width: 40 })
    const lines = out.trimEnd().split('\n')
    expect(lines.filter((line) => line.length > 40)).toEqual([])
    expect(lines).toContain('app.example.com')
    expect(lines.filter((line) => line.startsWith('  backend: 10.0.0.5:80'))).not.toEqual([])
  })
})

describe('names', () => {
  itOneIn(3).each(['APP.example.COM', 'app.example.com.', 'app.EXAMPLE.com.'])('reads %s', async (name) => {
    await added('app.example.com', '10.0.0.5:80', '--save')
    expect((await on('show', name)).out).toContain('app.example.com is inactive')
  })

  it('reads names outside of ASCII, and stars', async () => {
    await added('bücher.example.com', '10.0.0.5:80', '--save')
    await added('*.apps.example.com', '10.0.0.5:80', '--save')
    expect((await on('show', 'BÜCHER.example.com')).out).toContain(
      'bücher.example.com (xn--bcher-kva.example.com)',
    )
    expect((await on('show', '*.apps.example.com')).code).toBe(0)
    expect((await on('open', '*.apps.example.com', '--print')).err).toContain('stands for many names')
  })

  itOneIn(3).each([
    ['ap.example.com', 'Did you mean "app.example.com"?'],
    ['app', 'Did you mean "app.example.com"?'],
    ['nowhere.else', '"plumbline domains" lists them.'],
  ])('tells what is near %s', async (name, said) => {
    await added('app.example.com', '10.0.0.5:80', '--save')
    for (const verb of ['show', 'explain', 'deploy', 'on', 'detect', 'open', 'edit']) {
      const ran = await on(verb, name)
      expect(ran, verb).toMatchObject({ code: 1, out: '' })
      expect(ran.err, verb).toContain(`There is no domain "${name}". ${said}`)
    }
  })
})

describe('set', () => {
  beforeEach(() => added('app.example.com', '10.0.0.5:80', '--no-auth-required'))

  it('saves, and deploys where that is said', async () => {
    const hint = '"plumbline plan app.example.com" shows what a deploy would do'
    const inward = await on('set', 'app.example.com', 'note=moved')
    expect(inward).toMatchObject({ code: 0, out: 'Saved app.example.com.\n' })
    expect(inward.err).not.toContain(hint)
    const saved = await on('set', 'app.example.com', 'backend_port=81', 'note=moved away')
    expect(saved).toMatchObject({ code: 0, err: expect.stringContaining(hint) as string })
    expect(routes()).toContain('http://10.0.0.5:80"')
    expect((await on('domains')).out).toContain('waits for a deploy')
    expect(await on('set', 'app.example.com', 'backend_port=82', '--deploy')).toMatchObject({ code: 0 })
    expect(routes()).toContain('http://10.0.0.5:82"')
  })

  itInDepth('shows what it would change', async () => {
    const ran = await on('set', 'app.example.com', 'backend_port=81', '--dry-run')
    expect(ran).toMatchObject({ code: 2 })
    expect(ran.out).toMatch(/~ {2}backend_port {2}80 -> 81/)
    expect(ran.out).toContain('"plumbline deploy" would then do this:')
    expect(ran.out).toContain('+          - url: "http://10.0.0.5:81"')
    expect((await on('show', 'app.example.com')).out).toMatch(/backend_port +80/)
  })

  itOneIn(3).each([
    ['bakend_port=1', 'Did you mean "backend_port"'],
    ['port=1', 'Did you mean "backend_port"?'],
    ['backend_port', 'Say backend_port=…'],
  ])('%s is no field of a domain', async (word, said) => {
    const ran = await on('set', 'app.example.com', word)
    expect(ran.code).toBe(64)
    expect(ran.err).toContain(said)
  })

  itInDepth('asks once where nothing moves meanwhile', async () => {
    const questions: string[] = []
    const person: Person = { types: (question) => (questions.push(question), 'y') }
    const ran = await run(['set', 'app.example.com', 'backend_port=83', '--deploy'], env, person)
    expect(ran, ran.err).toMatchObject({ code: 0 })
    expect(questions).toHaveLength(1)
    expect(routes()).toContain('http://10.0.0.5:83"')
  })
})

it('a dry run of a discard is refused as the discard is, and so is whoever would be asked', async () => {
  await added('x.example.com', '10.0.0.5:80', '--static-ip', '203.0.113.7')
  await added('draft.example.com', '10.0.0.5:80', '--save')
  await on('set', 'x.example.com', 'domain=x2.example.com')
  const shown = await on('discard', 'x2.example.com', '--dry-run')
  expect(shown).toMatchObject({ code: 2 })
  expect(shown.out).toContain('domain  x2.example.com -> x.example.com')
  await on('set', 'draft.example.com', 'domain=x.example.com')
  for (const [name, words] of [
    ['x2.example.com', 'The name x.example.com is taken'],
    ['x.example.com', 'Nothing of x.example.com is released'],
  ] as const) {
    const done = await on('discard', name, '--yes')
    expect(done).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) as string })
    for (const ran of [await on('discard', name, '--dry-run'), await asPerson('y', 'discard', name)])
      expect(ran).toEqual(done)
  }
})

it('names that were swapped are discarded, and deployed, by the commands that the refusals name', async () => {
  const [a, b] = ['a.example.com', 'b.example.com']
  for (const name of [a, b]) await added(name, '10.0.0.5:80', '--static-ip', '203.0.113.7')
  const swap = async () => {
    for (const [from, to] of [
      [a, 'c.example.com'],
      [b, a],
      ['c.example.com', b],
    ] as const)
      expect(await on('set', from, `domain=${to}`)).toMatchObject({ code: 0 })
  }
  const commandIn = (text: string, verb: string) =>
    new RegExp(`"plumbline (${verb} [^"]+)"`).exec(text.replaceAll(/\s+/g, ' '))?.[1]?.split(' ') ?? []
  await swap()
  const words = commandIn((await on('discard', a, '--yes')).err, 'discard')
  const dry = await on(...words, '--dry-run')
  expect(dry).toMatchObject({ code: 2 })
  expect(dry.out).toMatch(new RegExp(`${a}:\n +~ +domain +${a} -> ${b}\n${b}:\n +~ +domain +${b} -> ${a}\n`))
  expect(await on(...words)).toMatchObject({ code: 64 })
  expect(await asPerson('n', ...words)).toMatchObject({ code: 1 })
  expect(await on(...words, '--yes')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Saved 2 of 2') as string,
  })
  expect((await on('domains')).out).not.toContain('waits for a deploy')
  await swap()
  const refused = (await on('deploy', a)).err
  expect(commandIn(refused, 'deploy')).toEqual(['deploy', '--all'])
  const plan = await on(...commandIn(refused, 'plan'))
  expect(plan, plan.err).toMatchObject({ code: 2 })
  const apply = /^plumbline (apply \S+)$/m.exec(plan.out)?.[1]?.split(' ') ?? []
  expect(await on(...apply, '--yes')).toMatchObject({ code: 0 })
  expect((await on('domains')).out).not.toContain('waits for a deploy')
})

it('a deploy of the routes alone that leaves a renamed domain does not say that all of it is deployed', async () => {
  await added('app.example.com', '10.0.0.5:80', '--static-ip', '203.0.113.7')
  const whole = await on('deploy', '--proxy')
  expect(whole.out).toContain('Nothing to do: all of it is deployed as it is saved.')
  await on('set', 'app.example.com', 'domain=app2.example.com')
  const left = await on('deploy', '--proxy')
  expect(left, left.err).toMatchObject({ code: 0 })
  expect(left.out).toContain('without app2.example.com, which would change DNS records')
  expect(left.out).toContain('still pending: app2.example.com')
  expect(left.out).not.toContain('Nothing to do')
})

itInDepth('rename deploys the new name and says which is served no more', async () => {
  await added('app.example.com', '10.0.0.5:80')
  const renames = [
    ['rename', 'app.example.com', 'tool.example.com'],
    ['set', 'app.example.com', 'domain=tool.example.com', '--deploy'],
  ] as const
  for (const words of renames) {
    const unasked = await on(...words)
    expect(unasked).toMatchObject({ code: 64, out: '' })
    expect(unasked.err).toContain('it takes something away: say --yes')
  }
  for (const words of renames) {
    const { out } = await on(...words, '--dry-run')
    expect(out).toContain('Deploying it would then do this:')
    expect(out).not.toContain('"plumbline deploy"')
  }
  expect((await on('show', 'app.example.com')).code).toBe(0)
  const nothing = await on('reconcile', '--dry-run')
  expect(nothing.err).toContain('Nothing was changed.')
  expect(nothing.err).not.toContain('--confirm')
  const ran = await asPerson('y', 'rename', 'app.example.com', 'tool.example.com')
  expect(ran, ran.err).toMatchObject({ code: 0 })
  expect(ran.out).toContain('app.example.com will no longer be served.')
  expect(ran.err).toContain('Saved tool.example.com.')
  expect(`${ran.out}${ran.err}`).not.toContain('pending')
  expect(routes()).not.toContain('app.example.com')
  expect(routes()).toContain('tool.example.com')
  expect((await on('releases', '--limit', '1')).out).toContain('rename app.example.com to tool.example.com')
  for (const ask of [
    ['show', 'app.example.com'],
    ['releases', 'undo', 'app.example.com', '--yes'],
  ])
    expect((await on(...ask)).err).toMatch(
      /There is no domain "app\.example\.com"\. It was renamed at .*, and is "tool\.example\.com" now\./,
    )
})

it('an error is JSON where JSON is asked for, and words for a person beside it', async () => {
  const refused = await on('add', 'app_.example.com', '10.0.0.5:80', '--json')
  expect(refused.code).toBe(64)
  expect(refused.err).toContain('plumbline: NAME "app_.example.com" must')
  expect(JSON.parse(refused.out)).toMatchObject({
    status: 422,
    code: 'validation_failed',
    errors: [{ loc: ['body', 'domain'] }],
  })
  const unknown = await on('show', 'nobody.example.com', '--json')
  expect(JSON.parse(unknown.out)).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('nobody'),
  })
  const misused = await on('add', '--json')
  expect(misused.code).toBe(64)
  expect(JSON.parse(misused.out)).toMatchObject({ code: 'usage', detail: 'NAME is missing.' })
  const meant = await on('set', 'app.example.com', '--backend-port')
  expect(meant.err).toContain('There is no option --backend-port. Say it without dashes: backend_port=PORT.')
})

it('where there are no domains nothing is said of a match', async () => {
  expect((await on('domains')).err).toBe('There are no domains. "plumbline add NAME HOST:PORT" makes one.\n')
  expect((await on('domains', '--drift')).err).toMatch(/^No domain differs, as of the last look at each\./)
  for (const words of [['nobody'], ['--zone', 'example.net'], ['--drift', '--zone', 'example.net']])
    expect((await on('domains', ...words)).err).toBe('No domain matches. "plumbline domains" lists all.\n')
})

describeOneIn(3).each(['off', 'disable', 'rm'])('%s', (verb) => {
  beforeEach(() => added('app.example.com', '10.0.0.5:80'))

  it('is not done by a script that does not say so', async () => {
    const ran = await on(verb, 'app.example.com')
    expect(ran).toMatchObject({ code: 64, out: '' })
    expect(ran.err).toContain('say --yes')
    expect(routes()).toContain('app.example.com')
  })

  itInDepth('names the host that vanishes, and asks at a terminal', async () => {
    const ran = await asPerson('', verb, 'app.example.com')
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('app.example.com will no longer be served.')
    expect(routes()).toContain('app.example.com')
    expect(await asPerson('yes', verb, 'app.example.com')).toMatchObject({ code: 0 })
    expect(routes()).not.toContain('app.example.com')
  })
})

itOneIn(2).each([
  ['rm', 'Its record is deleted'],
  ['disable', 'It cannot be activated again.'],
])('%s of a domain that was never deployed is asked about just as well', async (verb, loses) => {
  await added('draft.example.com', '10.0.0.7:80', '--save')
  const no = await asPerson('n', verb, 'draft.example.com')
  expect(no.code).toBe(1)
  expect(no.err).toContain('[y/N]')
  expect(no.out).toContain(loses)
  expect(no.out).not.toContain('Nothing to do')
  expect((await on('show', 'draft.example.com')).out).toContain('inactive')
  expect(await asPerson('y', verb, 'draft.example.com')).toMatchObject({ code: 0 })
  expect((await on('show', 'draft.example.com')).out).not.toContain('inactive')
})

it('what is disabled already is not asked about again', async () => {
  await added('draft.example.com', '10.0.0.7:80', '--save')
  expect(await on('disable', 'draft.example.com', '--yes')).toMatchObject({ code: 0 })
  expect((await asPerson('n', 'disable', 'draft.example.com')).err).not.toContain('[y/N]')
})

itInDepth('off says that record and DNS records are kept, and its plan deletes no record', async () => {
  await added('app.example.com', '10.0.0.5:80')
  const ran = await asPerson('n', 'off', 'app.example.com')
  expect(ran.err).toContain('and keep its record and its DNS records? [y/N]')
  expect(ran.out).toMatch(/^ {2}- {2}app\.example\.com +is no longer served$/m)
  expect(ran.out).not.toContain('goes live')
})

itInDepth(
  'the question of a rename is about the rename, and a plan does not tell somebody what they have not said',
  async () => {
    await added('app.example.com', '10.0.0.5:80')
    const renamed = await asPerson('n', 'rename', 'app.example.com', 'tool.example.com')
    expect(renamed.err).toContain('Rename app.example.com to tool.example.com, and deploy it? [y/N]')
    const added_one = await asPerson('n', 'add', 'new.example.com', '10.0.0.6:80')
    expect(added_one.err).toContain('A plan does not ask 10.0.0.6:80 whether')
    expect(added_one.err).not.toContain('dry_run')
  },
)

itInDepth(
  'a rename, and a field that is set and deployed, say what was saved before and goes live with it',
  async () => {
    await added('app.example.com', '10.0.0.5:80')
    expect(await on('set', 'app.example.com', 'backend_port=90', 'health_check_path=/up')).toMatchObject({
      code: 0,
    })
    const also = 'Saved before, this also goes live: backend_port 80 -> 90, health_check_path - -> /up.'
    const words = ['rename', 'app.example.com', 'tool.example.com'] as const
    expect((await on(...words, '--dry-run')).out).toContain(also)
    const asked = await asPerson('n', ...words)
    expect(asked.out).toContain(also)
    expect(asked.err).toContain(
      'Rename app.example.com to tool.example.com, and deploy it with what was saved before? [y/N]',
    )
    // What is said anew was not saved before.
    const one = await on('set', 'app.example.com', 'backend_port=91', '--deploy', '--dry-run')
    expect(one.out).toContain('Saved before, this also goes live: health_check_path - -> /up.')
    expect((await on('set', 'app.example.com', 'tags=a', '--dry-run')).out).not.toContain('goes live:')
    expect((await on(...words, '--yes')).err).toContain(also)
  },
)

itInDepth('a plan that has changed while somebody looked at it is shown and asked about again', async () => {
  await added('app.example.com', '10.0.0.5:80')
  const questions: string[] = []
  const types = async (question: string) => {
    questions.push(question)
    if (questions.length === 1)
      expect(await on('set', 'app.example.com', 'backend_port=90', '--deploy')).toMatchObject({ code: 0 })
    return 'y'
  }
  const ran = await run(['off', 'app.example.com'], env, { types })
  expect(ran, ran.err).toMatchObject({ code: 0 })
  expect(questions).toHaveLength(2)
  expect(ran.err).toContain('The plan has changed meanwhile.')
  expect(routes()).not.toContain('app.example.com')
})

itInDepth('the hand edit of one domain calls no other one drifting', async () => {
  await added('app.example.com', '10.0.0.5:80')
  await added('home.example.com', '10.0.0.6:80')
  expect(await on('mode', 'set', 'observe', '--reason', 'a hand works here')).toMatchObject({ code: 0 })
  try {
    writeFileSync(join(directory, 'traefik', 'routes.yml'), routes().replace('10.0.0.5:80', '10.0.0.5:81'))
    await expect
      .poll(async () => (await on('domains')).out, { timeout: 30_000 })
      .toMatch(/^app\.example\.com .*routes: drifting/m)
    expect((await on('domains')).out).toMatch(/^home\.example\.com .*as it should be/m)
    expect((await on('domains', '--drift', '-q')).out).toBe('app.example.com\n')
    expect((await on('show', 'home.example.com')).out).not.toContain('drifting')
  } finally {
    await on('mode', 'resume')
    await on('reconcile', '--yes')
  }
})

it('who gets in is not known where another router is asked first, and that one is as it should be no more', async () => {
  await added('app.example.com', '127.0.0.1:1')
  await expect
    .poll(async () => (await on('domains')).out)
    .toMatch(/app\.example\.com.* signed in +as it should be/)
  const other = join(directory, 'traefik', 'other.yml')
  writeFileSync(
    other,
    `http:
  routers: { foo: { rule: 'Host(\`app.example.com\`)', priority: 5000, service: foo } }
  services: { foo: { loadBalancer: { servers: [{ url: 'http://10.0.0.9' }] } } }
`,
  )
  await expect
    .poll(async () => (await on('domains')).out)
    .toMatch(/app\.example\.com.* not known +routes_folder: shadowed/)
  expect(await on('domains', '--drift')).toMatchObject({ code: 2 })
  rmSync(other)
  await expect.poll(async () => (await on('domains')).out).toMatch(/ signed in +as it should be/)
})
