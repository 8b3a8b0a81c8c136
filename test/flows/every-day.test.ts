/** What a person meets every day: words that are wrong, names that do not exist, and what the exit code says of how it is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon

beforeAll(async () => {
  directory = newFolder('every-day')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_MODE: 'observe',
    PLUMBLINE_SSO_UNPROVEN: 'accept',
  }
  daemon = await serve(env)
  for (const [name, ip] of [
    ['app.example.com', '203.0.113.7'],
    ['www.example.com', '203.0.113.8'],
  ] as const) {
    const ran = await on('add', name, '10.0.0.5:80', '--static-ip', ip)
    expect(ran, ran.err).toMatchObject({ code: 0 })
  }
})
afterAll(() => daemon.stop())

const on = (...words: string[]) => run(words, env)
const POLICY = 'plumbline config PLUMBLINE_SSO_POLICIES_FILE"'
const routes = () => join(directory, 'traefik', 'routes.yml')

itOneIn(4).each([
  [['add', 'x.example.com'], 'BACKEND is missing'],
  [['add', 'x.example.com', '10.0.0.1:99999'], 'The port of "10.0.0.1:99999" is none'],
  [['add', 'x.example.com', '10.0.0.1:80', '--static-ip', 'foo'], '--static-ip "foo" must be'],
  [['set', 'app.example.com', 'backend_port=99999'], 'backend_port "99999" must be at most 65535'],
  [['plan', ''], 'DOMAIN is empty'],
  [['plan', '--component', 'nosuch'], '--component'],
  [
    ['apply', 'nosuch'],
    'PLAN "nosuch" must be the id of a plan: "plumbline plan" makes one, and prints its id',
  ],
  [['mode', 'set', 'observe', 'nosuch'], '"nosuch" is no component'],
  [['mode', 'set', 'observe', 'route'], 'Did you mean "routes"?'],
  [['releases', 'show', 'nosuch'], 'nosuch'],
  [['mode', 'set', 'observe', '--for', '1', 'hour'], 'A time is one word, such as --for 1h.'],
  [['export', 'estate.yaml'], 'Into a file: --out FILE.'],
  [['drift', 'dns'], 'Did you mean "plumbline plan --component dns"?'],
  [
    ['add', '192.168.1.20:8080', 'foo.example.com'],
    'NAME comes first: plumbline add foo.example.com 192.168.1.20:8080',
  ],
  [['add', 'x.example.com', '10.0.0.1:80', '--public-ip', '203.0.113.7'], 'Did you mean "--static-ip"?'],
  [['add', 'x.example.com', '10.0.0.1:80', '--service-type', 'web'], ', not "web".'],
  [
    ['reconcile', 'http.services.plumbline-site_app.example.com'],
    '"http.services.plumbline-site_app.example.com" is no component',
  ],
])('wrong words are wrong usage, whoever finds them: %j', async (words, said) => {
  const ran = await on(...words)
  expect(ran, ran.err).toMatchObject({ code: 64, out: '' })
  expect(ran.err).toContain(said)
  expect(ran.err).not.toMatch(/plan_id|scope/)
})

itOneIn(3).each([
  [['show', 'nosuch.example.com'], ''],
  [['plan', 'nosuch.example.com'], ''],
  [['apply', '5bd35b49-44f6-4fb3-ac8e-541fd371411e'], ''],
  [['audit', 'ap.example.com'], 'Did you mean "app.example.com"'],
  [['config', 'port'], 'Did you mean "PLUMBLINE_LISTEN"?'],
  [['keys', 'revoke', 'nokey', '--yes'], '"plumbline keys" lists all.'],
  [['add', 'app.example.com', '10.0.0.1:80', '--save'], '"plumbline show app.example.com" shows it'],
])('what does not exist, or does already, is no wrong usage: %j', async (words, said) => {
  const ran = await on(...words)
  expect(ran).toMatchObject({ code: 1 })
  expect(ran.err).toContain(said)
})

itOneIn(5).each([
  [['suspend'], 'Did you mean "mode set suspend"?'],
  [['lst'], 'Did you mean "domains"?'],
  [['--verison'], 'Did you mean "--version"?'],
  [['mode', 'pause'], 'Did you mean "plumbline mode set suspend"?'],
  [['mode', 'pause', '--timeout', '5m'], 'plumbline mode set suspend --reason TEXT --for 2h'],
  [
    ['add', 'x.example.com', '10.0.0.1:80', '--sso'],
    'Did you mean "--auth-required" or "--no-auth-required"?',
  ],
  [['add', 'x.example.com', '--port', '80'], 'It is a part of BACKEND: 10.0.0.5:8080.'],
  [['keys', 'create', 'ci'], 'Did you mean "plumbline keys issue"?'],
  [['fix'], 'Did you mean "reconcile"?'],
  [['releases', 'restore'], 'N is missing. It is the number of a release: "plumbline releases" lists them.'],
  [['completion'], 'Something is missing behind "completion".'],
  [['releases', 'restore', '--only', 'app.example.com'], 'N is missing.'],
  [['releases', 'undo'], 'NAME is missing. It is the domain whose last change is undone.'],
  [['releases', 'rollback'], 'Did you mean "plumbline releases restore N"?'],
  [['releases', 'undo', '7'], 'Did you mean "plumbline releases restore N"?'],
  [['domains', '--public'], '"plumbline domains --open"'],
  [['domains', '--who'], '"plumbline domains --open"'],
  [['wait', '--timeout', '5m'], 'plumbline wait --for 2m'],
  [['apply', 'a'.repeat(64)], `"plumbline deploy NAME --confirm ${'a'.repeat(64)}"`],
  [['add', 'x.example.com', '10.0.0.1:80', '--two-factor'], POLICY],
  [['add', 'x.example.com', '10.0.0.1:80', '--policy', 'two_factor'], POLICY],
  [['set', 'app.example.com', '--two-factor'], POLICY],
  [['set', 'app.example.com', 'policy=two_factor'], POLICY],
  [['access', '--policy'], POLICY],
  [['access', 'policy'], POLICY],
  [['exit-codes'], 'Did you mean "help exit-codes"?'],
])('wrong words are answered with the right ones: %j', async (words, said) => {
  const ran = await on(...words)
  expect(ran, ran.err).toMatchObject({ code: 64, out: '' })
  expect(ran.err).toContain(said)
})

itOneIn(2).each([
  [['explain', 'routes'], 'It is a component: "plumbline drift"'],
  [['access', '--host', 'nope'], 'There is no domain "nope".'],
  [['show', 'nope'], 'There is no domain "nope". "plumbline domains" lists them.'],
  [['releases', 'show', '99'], 'There is no release 99; the newest is '],
  // A name is judged before an address.
  [
    ['add', 'app.example.com', '10.0.0.9:80'],
    'The name app.example.com is taken by domain 1, which is active.',
  ],
])('what is not there, or is there already, is said so: %j', async (words, said) => {
  const ran = await on(...words)
  expect(ran, ran.err).toMatchObject({ code: 1 })
  expect(ran.err).toContain(said)
})

it('a group that is said alone shows what there is', async () => {
  for (const group of ['dns', 'token', 'proxy', 'ddns']) {
    const bare = await on(group)
    expect(bare, group).toMatchObject({ code: 0, err: '' })
    expect(bare.out).toBe((await on(group, '--help')).out)
  }
  expect(await on('dns', '--json')).toMatchObject({ code: 64 })
})

itInDepth('a rename’s rehearsal has a hash, and that hash does exactly the plan', async () => {
  const rehearsed = await on('rename', 'www.example.com', 'w.example.com', '--dry-run')
  const [, hash] = /say --confirm ([0-9a-f]{64})/.exec(rehearsed.err) ?? []
  expect(hash, rehearsed.err).toBeDefined()
  const other = 'f'.repeat(64)
  const refused = await on('rename', 'www.example.com', 'w.example.com', '--confirm', other)
  expect(refused, refused.err).toMatchObject({ code: 1 })
  expect(refused.err).toContain('Nothing was saved')
  expect((await on('domains', '-q')).out).toContain('www.example.com')
  const done = await on('rename', 'www.example.com', 'w.example.com', '--confirm', hash!)
  expect(done, done.err).toMatchObject({ code: 0 })
  expect((await on('rename', 'w.example.com', 'www.example.com', '--yes')).code).toBe(0)
})

itOneIn(4).each([
  ['set', 'app.example.com', 'note=y'],
  ['set', 'app.example.com', 'note=y', '--deploy'],
  ['add', 'draft.example.com', '10.0.0.5:80', '--save'],
  ['rename', 'www.example.com', 'w.example.com', '--save'],
])('a hash holds every value that is saved, also where nothing outside moves: %s %s %s', async (...words) => {
  const hashOf = async (said: readonly string[]) => {
    const ran = await on(...said, '--dry-run')
    return /--confirm ([0-9a-f]{64})/.exec(ran.err)?.[1] ?? ran.err
  }
  const hash = await hashOf(words)
  const other = words.with(
    2,
    { 'note=y': 'note=z', '10.0.0.5:80': '10.0.0.6:80' }[words[2] ?? ''] ?? 'x.example.com',
  )
  expect(await hashOf(other)).not.toBe(hash)
  for (const said of [
    [...other, '--confirm', hash],
    [...words, '--confirm', '0'.repeat(64)],
  ]) {
    const refused = await on(...said)
    expect(refused, refused.err).toMatchObject({ code: 1, out: '' })
  }
  expect((await on(...words, '--confirm', '0000')).code).not.toBe(0)
  const done = await on(...words, '--confirm', hash)
  expect(done, done.err).toMatchObject({ code: 0 })
  if (words[0] === 'rename') await on('discard', 'w.example.com', '--yes')
  if (words[0] === 'add') await on('rm', 'draft.example.com', '--yes')
  if (words[0] === 'set') await on('set', 'app.example.com', 'note=')
})

it('what nothing outside has is told as that, in the text and on the page', async () => {
  const page = join(directory, 'note.md')
  const told = await on('set', 'app.example.com', 'note=y', '--deploy', '--dry-run', '--out', page)
  expect(told).toMatchObject({ code: 2 })
  expect(told.out).toContain('Nothing outside has it, so a deploy would make no release.')
  expect(told.out).not.toContain('Nothing to do')
  const text = readFileSync(page, 'utf8')
  expect(text).toContain('Saved alone: outside nothing changes by it.')
  expect(text).toContain('## Saved\n\n- `note: ')
  await on('set', 'app.example.com', 'backend_port=84', '--deploy', '--dry-run', '--out', page)
  expect(readFileSync(page, 'utf8')).toContain('`backend_port`')
  expect(readFileSync(page, 'utf8')).not.toContain('## Saved')
})

it('a key that is rotated has its successor told apart from it, by their ids', async () => {
  await on('keys', 'issue', 'ci')
  const [old = ''] = /^\w+(?= +ci )/m.exec((await on('keys')).out) ?? []
  const { err } = await on('keys', 'rotate', 'ci')
  expect(err).toContain(`the old one (${old}) ends at `)
  const [, id] = /The id of the new one is (\w+)\./.exec(err) ?? []
  expect(id).not.toBe(old)
})

itInDepth('a restore after a discard warns of nothing that was saved and is lost', async () => {
  const lost = 'a saved change that was never deployed is replaced'
  await on('set', 'app.example.com', 'backend_port=87', '--deploy', '--yes')
  await on('set', 'app.example.com', 'backend_port=88')
  expect((await on('releases', 'restore', '3', '--dry-run')).err).toContain(lost)
  const [newest] = (await on('releases', '--json')).out.match(/(?<="number": ?)\d+/) ?? []
  const same = await on('releases', 'restore', newest!, '--dry-run')
  expect(same, 'which moves nothing outside').toMatchObject({ code: 2, err: expect.stringContaining(lost) })
  expect(same.out).toContain('Outside nothing changes by it.')
  expect(same.out).not.toContain('Nothing to do')
  expect(same.out).toContain('would be restored: app.example.com (backend_port)')
  await on('discard', 'app.example.com', '--yes')
  expect((await on('releases', 'restore', '3', '--dry-run')).err).not.toContain(lost)
})

itInDepth(
  'the last change of one domain is undone without its number, and what is no change has none',
  async () => {
    await on('set', 'app.example.com', 'backend_port=91', '--deploy', '--yes')
    const added = await on('add', 'later.example.com', '10.0.0.9:80', '--static-ip', '203.0.113.9')
    expect(added, added.err).toMatchObject({ code: 0 })
    const port = async () =>
      (JSON.parse((await on('show', 'app.example.com', '--json')).out) as { backend_port: number })
        .backend_port
    const rehearsed = await on('releases', 'undo', 'app.example.com', '--dry-run')
    expect(rehearsed, rehearsed.err).toMatchObject({ code: 2 })
    expect(rehearsed.out).toMatch(
      /Release \d+ was the last that changed app\.example\.com: back to release \d+\./,
    )
    expect(await port()).toBe(91)
    expect((await on('releases', 'undo', 'app.example.com', '--yes')).code).toBe(0)
    expect(await port()).not.toBe(91)
    // What came later is not the domain's.
    expect((await on('show', 'later.example.com')).out).toContain('is active')
    expect((await on('releases', 'undo', 'app.example.com', '--yes')).code).toBe(0)
    expect(await port()).toBe(91)
    await on('rm', 'later.example.com', '--yes')
    await on('add', 'draft.example.com', '10.0.0.7:80', '--save')
    const none = await on('releases', 'undo', 'draft.example.com', '--yes')
    expect(none).toMatchObject({ code: 1 })
    expect(none.err).toContain('so there is nothing to undo')
    await on('rm', 'draft.example.com', '--yes')
  },
)

itInDepth('whoever asks for a certificate that nobody obtains hears that', async () => {
  const shown = await on('certificates', 'show', 'app.example.com')
  expect(shown.err).toContain('None are obtained here: PLUMBLINE_ACME_DIRECTORY is not set.')
  expect((await on('certificates', 'show', 'app.example.com', '--json')).err).toBe('')
})

itInDepth('a note that is said to be deployed makes no release, and a discard leaves it alone', async () => {
  const told = await on('set', 'app.example.com', 'note=kept', '--deploy')
  const said = { out: 'Nothing outside has it, so no release was made.\n', err: 'Saved app.example.com.\n' }
  expect(told, told.err).toMatchObject({ code: 0, ...said })
  expect((await on('discard', 'app.example.com', '--dry-run')).out).toBe('It is saved as it is released.\n')
  await on('set', 'app.example.com', 'backend_port=84')
  expect((await on('discard', 'app.example.com', '--yes')).out).toMatch(/is discarded: backend_port\.$/m)
  expect((await on('show', 'app.example.com')).out).toContain('kept')
})

itInDepth('a deploy of nothing says one thing, at a terminal and in a script', async () => {
  const words = ['deploy', 'app.example.com']
  const said = /^Nothing to do: app\.example\.com is deployed as it is saved\. Release \d+\.$/m
  const asked = await run(words, env, { types: () => 'n' })
  for (const ran of [asked, await on(...words)]) {
    expect(ran, ran.err).toMatchObject({ code: 0 })
    expect(ran.out).toMatch(said)
    expect(ran.out.match(/Nothing to do|Deployed/g)).toHaveLength(1)
  }
  expect((await on('deploy', '--all')).out).toContain('Nothing to do: all of it is deployed as it is saved.')
})

itInDepth('a plan as a page says how it is applied, and until when', async () => {
  await on('set', 'app.example.com', 'backend_port=86')
  const page = join(directory, 'plan.md')
  const { out } = await on('plan', 'app.example.com', '--out', page)
  const [command] = /^plumbline apply \S+$/m.exec(out) ?? []
  const text = readFileSync(page, 'utf8')
  expect(text).toContain(`\`\`\`sh\n${command}\n\`\`\``)
  expect(text).toMatch(/does exactly this, once, until \d{4}-\d\d-\d\d [0-9:]+Z/)
  expect((await on('apply', '--help')).out).toContain('kept for a quarter of an hour')
  expect(text).toMatch(/^ {2}- `backend_port`: `\d+` → `86`$/m)
  expect(out).toMatch(/^ +backend_port: \d+ -> 86$/m)
  const later = /^plumbline deploy app\.example\.com --confirm [0-9a-f]{64}$/m.exec(text)?.[0]
  expect(out).toContain(later)
  // What nothing keeps is not applied by an id, and both pages name one hash: the one that works.
  await on('deploy', 'app.example.com', '--dry-run', '--out', page)
  const rehearsed = readFileSync(page, 'utf8')
  expect(rehearsed).not.toContain('plumbline apply')
  expect(rehearsed).toContain(`\`\`\`sh\n${later}\n\`\`\``)
  expect(rehearsed).toContain('`plumbline deploy app.example.com --dry-run --out ')
  const wrong = await on('deploy', 'app.example.com', '--confirm', '0'.repeat(64))
  expect(wrong).toMatchObject({ code: 1 })
  expect(wrong.err).toContain('or the hash is of another command')
  expect(await on(...later!.split(' ').slice(1))).toMatchObject({ code: 0 })
  await on('set', 'app.example.com', 'backend_port=80', '--deploy', '--yes')
})

itInDepth('a repair is shown as what was released, and what waits for its deploy apart from it', async () => {
  const before = readFileSync(routes(), 'utf8')
  await on('set', 'app.example.com', 'backend_port=85')
  writeFileSync(routes(), before.replaceAll('10.0.0.5:80', '10.0.0.66:80'))
  try {
    const repair = (await on('reconcile', '--dry-run')).out
    expect(repair).toMatch(/^\+\+\+ .*\treleased edition$/m)
    expect(repair).not.toContain(':85')
    const { out } = await on('drift')
    expect(out.match(/^(?:---|\+\+\+) .*\t(.*)$/gm)?.map((head) => head.replace(/ .*\t/, ' '))).toEqual([
      '--- on disk',
      '+++ released edition',
      '--- released edition',
      '+++ working edition',
    ])
    expect((await on('plan', 'app.example.com')).out).toMatch(/^\+\+\+ .*\twith this plan$/m)
  } finally {
    writeFileSync(routes(), before)
    await on('discard', 'app.example.com', '--yes')
  }
})

itInDepth('what differs ends with 2 wherever it is asked how it is', async () => {
  expect(await on('explain', 'app.example.com')).toMatchObject({ code: 0 })
  expect(await on('domains', '--drift')).toMatchObject({ code: 0, out: '' })
  const before = readFileSync(routes(), 'utf8')
  writeFileSync(routes(), before.replaceAll('10.0.0.5:80', '10.0.0.66:80'))
  try {
    expect(await on('drift')).toMatchObject({ code: 2 })
    expect(await on('explain', 'app.example.com')).toMatchObject({ code: 2 })
    expect(await on('domains', '--drift', '-q')).toMatchObject({ code: 2 })
  } finally {
    writeFileSync(routes(), before)
    await on('drift')
  }
})

itInDepth('what the last deploy-all warned of is told with its time', async () => {
  await on('deploy', '--all')
  const told = await on('status', '--probe')
  expect(told.out).toMatch(/^The deploy-all warned at 20\S+ \S+, which may be over by now:$/m)
  expect(told.err).not.toContain('warning: app.example.com asks for a sign-in')
  expect(told.out).toMatch(/^All 1\d things are as they should be\.$/m)
  expect(told.out).toMatch(/^sign-in +not asked: PLUMBLINE_SSO_URL is not set, and 2 domains ask for one; /m)
})

it('a zone that is made for a name is a line of its plan', async () => {
  const ran = await on('add', 'new.example.net', '10.0.0.5:80', '--static-ip', '203.0.113.7', '--dry-run')
  expect(ran.out).toMatch(/^ {2}\+ {2}zone example\.net +dns: create$/m)
  expect(ran.out).toContain('2 to add, 1 to change')
})

itInDepth(
  'a deploy of one domain names the hand edits of others that go with it, before and after',
  async () => {
    const before = readFileSync(routes(), 'utf8')
    const edited = before.replace(
      /(site_www\.example\.com":\n +loadBalancer:\n +servers:\n.*)10\.0\.0\.5:80/,
      '$110.0.0.66:80',
    )
    expect(edited).not.toBe(before)
    writeFileSync(routes(), edited)
    const quiet = await on('set', 'app.example.com', 'backend_port=81')
    expect(quiet).toMatchObject({ code: 0 })
    const named = 'what was edited by hand of www.example.com'
    expect((await on('plan', 'app.example.com')).err).toContain(`${named} is undone by it`)
    expect((await on('deploy', '--all', '--dry-run')).err).toContain(`${named} is undone by it`)
    const done = await on('deploy', 'app.example.com')
    expect(done.err).toContain(`${named} was undone by it`)
    expect(done.err).toContain('What stood there is kept as ')
    // Also where the deploy moves nothing of its own.
    writeFileSync(routes(), edited.replace('10.0.0.5:80"', '10.0.0.5:81"'))
    expect((await on('deploy', 'app.example.com', '--dry-run')).err).toContain(`${named} is undone by it`)
    expect(await on('deploy', 'app.example.com')).toMatchObject({ code: 0 })
    // An edit of its own is what the plan is about.
    writeFileSync(routes(), readFileSync(routes(), 'utf8').replace('10.0.0.5:81', '10.0.0.66:81'))
    await on('set', 'app.example.com', 'backend_port=82')
    expect((await on('plan', 'app.example.com')).err).not.toContain('edited by hand')
  },
)

itInDepth('a daemon whose port is taken leaves no data directory behind', async () => {
  const taken = createServer()
  await new Promise<void>((listening) => void taken.listen(0, '127.0.0.1', () => listening()))
  const { port } = taken.address() as AddressInfo
  const elsewhere = join(directory, 'never')
  const ran = await run(['serve'], { PLUMBLINE_DATA_DIR: elsewhere, PLUMBLINE_LISTEN: `127.0.0.1:${port}` })
  taken.close()
  expect(ran, ran.err).toMatchObject({ code: 78 })
  expect(ran.err).toContain('the port is taken by another process')
  expect(existsSync(elsewhere)).toBe(false)
})

it('the table of domains keeps to 80 columns, and says where backends are asked', async () => {
  const { out, err } = await run(['domains'], env, { width: 80 })
  expect(out).toMatch(/^DOMAIN +BACKEND +STATUS +OUTSIDE$/m)
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(err).toContain('Backends are not asked here: "plumbline status"')
  expect((await on('domains')).err).toBe('')
})

it('whoever looks for what is open, or for a zone, learns how that is said', async () => {
  const open = await on('domains', 'public')
  expect(open, open.err).toMatchObject({ code: 0, out: '' })
  expect(open.err).toContain('"plumbline domains --open"')
  const zone = await on('domains', '--zone', 'exmaple.com')
  expect(zone, zone.err).toMatchObject({ code: 0, out: '' })
  expect(zone.err).toContain('No zone "exmaple.com" is known')
  expect(zone.err).toContain('Did you mean "example.com"?')
  expect((await on('domains', '--zone', 'example.com', '--tag', 'none')).err).not.toContain('is known')
})

it('the setting that chooses a policy shows its format', async () => {
  const shown = await on('config', 'PLUMBLINE_SSO_POLICIES_FILE')
  const words = shown.out.replaceAll(/\s+/g, ' ')
  expect(words).toContain('policies: [{ domain: admin.example.com, policy: two_factor }')
  expect(words).toContain('restart the daemon')
})
