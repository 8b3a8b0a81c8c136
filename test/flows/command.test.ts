/** The command as people and CI use it: verbs, exit codes, and start-up refusals of a real process. */
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { ESTATE, run, start } from './command.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
const routes = () => join(directory, 'traefik', 'routes.yml')

beforeEach(() => {
  directory = newFolder('command')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
})

async function withEstate(): Promise<string> {
  const path = join(directory, 'estate.yaml')
  writeFileSync(path, ESTATE)
  const ran = await run(['import', path], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return path
}

itInDepth('import asks whoever sits at a terminal, and a no changes nothing', async () => {
  const path = join(directory, 'estate.yaml')
  writeFileSync(path, ESTATE)
  const refused = await run(['import', path], env, { types: () => 'n' })
  expect(refused.out).toContain('app.example.com')
  expect(refused.err).toContain('Do it?')
  expect((await run(['export'], env)).out).not.toContain('app.example.com')
  expect(await run(['import', path], env, { types: () => 'y' })).toMatchObject({ code: 0 })
  expect((await run(['export'], env)).out).toContain('app.example.com')
})

describeInDepth('drift exits', () => {
  it('0 when clean, 2 on drift, 3 when unknown, with and without a daemon', async () => {
    expect(await run(['drift'], env)).toMatchObject({ code: 3 })
    await withEstate()
    expect(await run(['drift'], env)).toMatchObject({ code: 0 })
    appendFileSync(routes(), '# stranger\n')
    const dirty = await run(['drift'], env)
    expect(dirty.code).toBe(2)
    expect(dirty.out).toContain('edited')
    expect(dirty.out).toContain('-# stranger')
    const json = await run(['drift', '--json'], env)
    expect(JSON.parse(json.out)).toMatchObject({
      drift: true,
      components: expect.arrayContaining([
        expect.objectContaining({
          component: 'routes',
          differences: [expect.objectContaining({ cause: 'edited' })],
        }),
      ]) as unknown,
    })
    const daemon = start(['serve'], env)
    await daemon.saw('listening')
    await expect.poll(async () => (await run(['drift'], env)).code).toBe(0)
    expect((await daemon.stop()).code).toBe(0)
  })
})

describe('export and import', () => {
  itInDepth('carry an estate to another installation, where it renders the same bytes', async () => {
    await withEstate()
    const out = join(directory, 'out.yaml')
    expect(await run(['export', '--out', out], env)).toMatchObject({ code: 0 })
    const other = newFolder('other')
    const there = { ...env, PLUMBLINE_DATA_DIR: other }
    expect(await run(['import', out], there)).toMatchObject({ code: 0 })
    expect(readFileSync(join(other, 'traefik', 'routes.yml'))).toEqual(readFileSync(routes()))
    expect((await run(['export'], there)).out.trim()).toBe(readFileSync(out, 'utf8').trim())
  })

  it('import is all or nothing and names the entry and the field', async () => {
    const path = join(directory, 'bad.yaml')
    writeFileSync(
      path,
      `${ESTATE}  - domain: b.example.com\n    service_type: htp\n    environment: production\n`,
    )
    const ran = await run(['import', path], env)
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('b.example.com')
    expect(ran.err).toContain('service_type')
    expect(existsSync(routes())).toBe(false)
  })

  itInDepth('import traefik reports, saves on --apply and deploys on --activate', async () => {
    const file = join(directory, 'hand.yml')
    writeFileSync(
      file,
      `http:
  routers:
    blog: { rule: "Host(\`blog.example.com\`)", service: blog, entryPoints: [websecure], tls: {} }
    odd: { rule: "Host(\`odd.example.com\`) && PathPrefix(\`/api\`)", service: blog }
  services:
    blog: { loadBalancer: { servers: [{ url: "http://10.0.0.8:2368" }] } }
`,
    )
    const report = await run(['import', 'traefik', file], env)
    expect(report, report.err).toMatchObject({ code: 0 })
    expect(report.out).toContain('blog.example.com')
    expect(report.out).toContain('http.routers.odd')
    expect(report.out).toContain('+    "plumbline-site_blog.example.com":')
    expect((await run(['export'], env)).out).not.toContain('blog.example.com')
    expect(await run(['import', 'traefik', file, '--apply'], env)).toMatchObject({ code: 0 })
    expect((await run(['export'], env)).out).toContain('status: inactive')
    expect(await run(['import', 'traefik', file, '--activate'], env)).toMatchObject({ code: 0 })
    expect(readFileSync(routes(), 'utf8')).toContain('plumbline-site_blog.example.com')
  })
})

describe('plan and deploy', () => {
  it('plan says what would happen and exits 2, deploy does it, plan then exits 0', async () => {
    const path = await withEstate()
    writeFileSync(path, ESTATE.replace('8080', '9090'))
    const plan = await run(['import', path, '--dry-run'], env)
    expect(plan.out).toContain('9090')
    expect(await run(['plan'], env)).toMatchObject({ code: 0 })
    expect(await run(['deploy'], env)).toMatchObject({ code: 64 })
    expect(await run(['deploy', '--all'], env)).toMatchObject({ code: 0 })
    expect((await run(['render'], env)).out.trim()).toBe(readFileSync(routes(), 'utf8').trim())
  })
})

describeInDepth('start-up', () => {
  it('says every fault of the settings at once, a line each, and exits 78', async () => {
    const ran = await run(['serve'], {
      ...env,
      PLUMBLINE_LISTEN: 'nowhere',
      PLUMBLINE_MOED: 'repair',
      PLUMBLINE_MODE: 'heal',
    })
    expect(ran.code).toBe(78)
    const lines = ran.err.trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(ran.err).toContain('PLUMBLINE_MODE')
    expect(ran.err).toMatch(/PLUMBLINE_MOED.*Did you mean "PLUMBLINE_MODE"/)
  })

  it('with the port taken exits 78 with one line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    try {
      const ran = await run(['serve'], { ...env, PLUMBLINE_LISTEN: `127.0.0.1:${port}` })
      expect(ran.code).toBe(78)
      expect(ran.err.trim().split('\n')).toHaveLength(1)
      expect(ran.err).toContain('taken')
    } finally {
      server.close()
    }
  })

  it('a second daemon on the same data directory exits at once and names the holder', async () => {
    const first = start(['serve'], env)
    await first.saw('listening')
    const second = await run(['serve'], env)
    expect(second.code).toBe(75)
    expect(second.err).toMatch(/in use by process \d+/)
    expect((await first.stop('SIGKILL')).code).toBeNull()
    const third = start(['serve'], env)
    await third.saw('listening')
    expect((await third.stop()).code).toBe(0)
  })

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path, 0)],
  ])('with a %s database beside an installation exits 66 and renders nothing', async (_name, damage) => {
    await withEstate()
    const bytes = readFileSync(routes())
    damage(join(directory, 'plumbline.db'))
    for (const rest of ['-wal', '-shm']) rmSync(join(directory, `plumbline.db${rest}`), { force: true })
    const ran = await run(['serve'], env)
    expect(ran.code).toBe(66)
    expect(readFileSync(routes())).toEqual(bytes)
  })

  it('stops within its patience on SIGTERM, under load, with exit code 0', async () => {
    const daemon = start(['serve'], env)
    await daemon.saw('listening')
    const key = readFileSync(join(directory, 'api-key'), 'utf8').trim()
    const holder = JSON.parse(readFileSync(join(directory, 'holder.json'), 'utf8')) as { listen: string }
    const calls = Array.from({ length: 4 }, () =>
      run(['deploy', '--all', '--url', holder.listen], { ...env, API_KEY: key }),
    )
    expect((await daemon.stop()).code).toBe(0)
    // 3: the answer was lost, so what became of the change is not known to whoever asked.
    for (const { code } of await Promise.all(calls)) expect([0, 1, 3]).toContain(code)
  })
})

describe('the command line', () => {
  it('names the nearest verb, prints help, and refuses unknown options', async () => {
    const wrong = await run(['drfit'], env)
    expect(wrong).toMatchObject({ code: 64 })
    expect(wrong.err).toContain('"drift"')
    expect((await run(['--help'], env)).out).toContain('plumbline')
    expect(await run(['drift', '--jsno'], env)).toMatchObject({ code: 64 })
  })

  itInDepth('tells the error first, how the verb is used after it, and nothing else', async () => {
    expect((await run(['drfit'], env)).err.trimEnd().split('\n')).toHaveLength(3)
    expect((await run(['drift', '--jsno'], env)).err).toMatch(
      /^plumbline drift: There is no option --jsno\..*\nplumbline drift \[--json\] \[--url URL\]\nplumbline drift routes .*\n(?:plumbline drift [^\n]*\n){4}"plumbline drift --help" .*\n$/,
    )
    await withEstate()
    const unwritten = await run(['export', '--out', '/nowhere/estate.yaml'], env)
    expect(unwritten).toMatchObject({ code: 1 })
    expect(unwritten.err).toMatch(/^plumbline: There is no folder \/nowhere: [^\n]*\n$/)
  })

  it.each([
    [['audit', '--since', '1x'], '--since takes an age such as 24h'],
    [['audit', '--since', '2030-13-01T00:00:00Z'], '--since takes an age such as 24h'],
    [['audit', '--since', '2030-01-31'], '--since takes an age such as 24h'],
    [['status', '--url', 'ftp://127.0.0.1'], '--url takes an address such as http://127.0.0.1:8080'],
    [['drift', '--url', 'localhost:8080'], '--url takes an address such as http://127.0.0.1:8080'],
    [['plan', '--url', 'nothing'], '--url takes an address such as http://127.0.0.1:8080'],
  ])('a value that nothing can be done with is wrong usage: %j', async (words, said) => {
    const { code, out, err } = await run(words, env)
    expect({ code, out }).toEqual({ code: 64, out: '' })
    const [fault, ...usage] = err.trimEnd().split('\n')
    expect(fault).toContain(`plumbline ${words[0]}: ${said}`)
    expect(usage.pop()).toBe(`"plumbline ${words[0]} --help" says more, with examples.`)
    expect(usage.length).toBeGreaterThan(0)
    for (const form of usage) expect(form).toMatch(new RegExp(`^plumbline ${words[0]} `))
  })

  itInDepth(
    'says of a file that is named and is not as it must be what is in the way, and what would help',
    async () => {
      const missing = join(directory, 'missing.yml')
      const said = {
        missing: `There is no file ${missing}: name one that is there.`,
        folder: `${directory} is a folder: name the files in it, one by one.`,
      }
      const one = await run(['import', missing], env)
      expect(one).toMatchObject({ code: 1, err: `plumbline: ${said.missing}\n` })
      const traefik = await run(['import', 'traefik', missing, directory], env)
      expect(traefik.code).toBe(1)
      for (const line of Object.values(said)) expect(traefik.out).toContain(line)
      const fixed = await run(['import', 'traefik', missing, '--static', missing], env)
      expect(fixed).toMatchObject({ code: 1, err: expect.stringContaining(said.missing) as unknown })
      await withEstate()
      for (const [out, line] of [
        [join(directory, 'no/where.yaml'), `There is no folder ${join(directory, 'no')}: make it first`],
        [directory, `${directory} is a folder: name a file in it.`],
      ] as const)
        expect(await run(['export', '--out', out], env)).toMatchObject({
          code: 1,
          err: expect.stringContaining(line) as unknown,
        })
      for (const { out, err } of [one, traefik, fixed]) expect(`${out}${err}`).not.toMatch(/ENOENT|EISDIR/)
    },
  )

  itInDepth('says which version it is, and whether a daemon is alive', async () => {
    expect((await run(['--version'], env)).out).toMatch(/^plumbline \d+\.\d+\.\d+\n$/)
    const gone = await run(['health'], env)
    expect(gone).toMatchObject({ code: 1, out: '' })
    expect(gone.err).toContain('No daemon holds')
    const daemon = start(['serve'], env)
    await daemon.saw('listening')
    expect(await run(['health'], env)).toMatchObject({ code: 0, out: 'alive\n' })
    await daemon.stop()
  })

  itInDepth('prints the unit of these settings, and writes it where it is told to', async () => {
    const shown = await run(['install-unit', '--print'], env)
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.out).toContain(`Environment="PLUMBLINE_DATA_DIR=${env['PLUMBLINE_DATA_DIR']}"`)
    const folder = env['PLUMBLINE_DATA_DIR']!
    expect((await run(['install-unit', '--dir', folder], env)).out).toBe('Wrote plumbline.service.\n')
    expect((await run(['install-unit', '--dir', folder], env)).out).toBe('Nothing has changed.\n')
    expect((await run(['install-unit', '--user', 'a b'], env)).err).toContain('--user must be a name')
  })

  it('config shows one setting by any spelling of its name, with what it is for and its default', async () => {
    for (const word of ['PLUMBLINE_LISTEN', 'listen']) {
      const shown = await run(['config', word], env)
      expect(shown, shown.err).toMatchObject({ code: 0 })
      expect(shown.out).toMatch(/^PLUMBLINE_LISTEN\n {2}\S.+\n/)
      expect(shown.out).toMatch(/^ {2}default +\S+$/m)
    }
    expect(JSON.parse((await run(['config', 'PLUMBLINE_MODE', '--json'], env)).out)).toMatchObject({
      name: 'PLUMBLINE_MODE',
      source: 'default',
      default: 'repair',
    })
    const wrong = await run(['config', 'PLUMBLINE_LISTN'], env)
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain('Did you mean "PLUMBLINE_LISTEN"')
  })

  itInDepth('config hides secrets and doctor finds what is wrong', async () => {
    const secret = 'a-very-secret-key-of-thirty-two-chars'
    const shown = await run(['config'], { ...env, API_KEY: secret })
    expect(shown.out).toContain('PLUMBLINE_LISTEN')
    expect(shown.out + shown.err).not.toContain(secret)
    expect(await run(['doctor'], { ...env, PLUMBLINE_MODE: 'no' })).toMatchObject({ code: 1 })
    await withEstate()
    const doctor = await run(['doctor', '--json'], env)
    expect(doctor.code).toBe(3)
    expect(JSON.parse(doctor.out)).toContainEqual(expect.objectContaining({ check: 'drift', state: 'good' }))
    expect(JSON.parse(doctor.out)).toContainEqual(
      expect.objectContaining({ check: 'database', state: 'good' }),
    )
    const database = new Database(join(env['PLUMBLINE_DATA_DIR']!, 'plumbline.db'))
    database.exec('DELETE FROM audit WHERE id = 1')
    database.close()
    const found = await run(['doctor'], env)
    expect(found.code).toBe(1)
    expect(found.out).toMatch(/BAD {2}database: audit_gapless: audit ends at 0/)
  })
})
