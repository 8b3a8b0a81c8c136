/** An estate that lives in a file: planned, brought in, and what the file does not name deleted only where that is said. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon
let estate: string
const on = (...words: string[]) => run(words, env)

beforeAll(async () => {
  directory = newFolder('sync')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_IP: '203.0.113.7',
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
  }
  estate = join(directory, 'estate.yaml')
  daemon = await serve(env)
})
afterAll(() => daemon.stop())

const entry = (name: string, port = 80, status = 'active') =>
  `  - { domain: ${name}, service_type: http, environment: production, backend_host: 10.0.0.5, backend_port: ${port}, status: ${status} }\n`
const document = (...entries: string[]) =>
  writeFileSync(estate, `plumbline: 1\ndomains:\n${entries.join('')}`)
const routes = () => readFileSync(join(directory, 'traefik', 'routes.yml'), 'utf8')
const names = async () => (await on('domains', '-q')).out.split('\n').filter(Boolean)
const [A, B, C] = ['a.example.com', 'b.example.com', 'c.example.com'] as const

beforeEach(async () => {
  document(entry(A), entry(B), entry(C, 80, 'inactive'))
  const ran = await on('sync', estate, '--prune', '--yes')
  expect(ran, ran.err).toMatchObject({ code: 0 })
})

itInDepth('what was exported is nothing to do', async () => {
  expect(await on('export', '--out', estate)).toMatchObject({ code: 0 })
  const ran = await on('sync', estate)
  expect(ran).toMatchObject({ code: 0, out: 'Nothing to do: all 3 domains are as the document says.\n' })
})

it('creates, changes and leaves alone what it does not name', async () => {
  document(entry(A, 81), entry('d.example.com'))
  const plan = await on('sync', estate, '--dry-run')
  for (const line of ['  + d.example.com', `  ~ ${A}`]) expect(plan.out).toContain(line)
  expect(await names()).toHaveLength(3)
  expect(await on('sync', estate)).toMatchObject({ code: 0 })
  expect(await names()).toEqual([A, B, C, 'd.example.com'])
  expect(routes()).toContain('http://10.0.0.5:81"')
})

itInDepth(
  'names the fields that move, also those that nothing outside has, in the plan and its page',
  async () => {
    document(entry(A, 81), entry(B).replace(' status', ' note: moved, status'))
    const page = join(directory, 'plan.md')
    const plan = await on('sync', estate, '--dry-run', '--out', page)
    expect(plan).toMatchObject({ code: 2 })
    for (const line of [/^ +note: - -> moved$/m, /^ +backend_port: 80 -> 81$/m])
      expect(plan.out.match(new RegExp(line, 'gm'))).toHaveLength(1)
    const text = readFileSync(page, 'utf8')
    expect(text).toContain(`- \`~ ${B}: note: - -> moved\``)
    expect(text).toMatch(/^plumbline sync \S+ --confirm [0-9a-f]{64}$/m)
    await on('sync', estate)
    expect(await on('sync', estate, '--dry-run')).toMatchObject({ code: 0 })
  },
)

itInDepth('a hash holds what nothing outside has: a document with another note is refused', async () => {
  const page = join(directory, 'note.md')
  document(entry(A).replace(' status', ' note: good, status'))
  const plan = await on('sync', estate, '--dry-run', '--out', page)
  expect(plan).toMatchObject({ code: 2 })
  const text = readFileSync(page, 'utf8')
  expect(text).toContain('Saved alone: outside nothing changes by it.')
  expect(text).toContain(`## Saved\n\n- \`~ ${A}: note: - -> good\``)
  const [, hash = ''] = /--confirm ([0-9a-f]{64})/.exec(plan.err) ?? []
  document(entry(A).replace(' status', ' note: evil, status'))
  expect(await on('sync', estate, '--confirm', hash)).toMatchObject({ code: 1 })
  expect((await on('show', A)).out).not.toContain('evil')
  document(entry(A).replace(' status', ' note: good, status'))
  expect(await on('sync', estate, '--confirm', hash)).toMatchObject({ code: 0 })
})

it('deletes what it does not name only with --prune, and a script says --yes', async () => {
  document(entry(A))
  const unsaid = await on('sync', estate, '--prune')
  expect(unsaid.code).toBe(64)
  expect(unsaid.err).toContain('say --yes')
  expect(await names()).toHaveLength(3)
  const done = await on('sync', estate, '--prune', '--yes')
  expect(done, done.err).toMatchObject({ code: 0 })
  expect(await names()).toEqual([A])
  expect(routes()).not.toContain(B)
})

it.each(['sync', 'import'])('a script says --yes for what %s takes out of service', async (verb) => {
  const D = 'd.example.com'
  const live = entry(D)
  document(live)
  expect(await on(verb, estate)).toMatchObject({ code: 0 })
  for (const without of [
    entry(D, 80, 'inactive'),
    entry(D, 80, 'disabled'),
    live.replace('service_type: http', 'service_type: manual'),
    live.replace('service_type: http', 'service_type: internal'),
  ]) {
    document(without)
    const unsaid = await on(verb, estate)
    expect(unsaid, without).toMatchObject({ code: 64 })
    expect(unsaid.err).toContain('it takes something away: say --yes')
    expect(routes()).toContain(D)
  }
  document(live.replace('service_type: http', 'service_type: manual'))
  expect(await on('set', D, 'service_type=manual')).toMatchObject({ code: 0 })
  expect(await on(verb, estate), 'of what is saved already').toMatchObject({ code: 64 })
  document(entry(D, 80, 'inactive'))
  expect(await on(verb, estate, '--yes')).toMatchObject({ code: 0 })
  expect(routes()).not.toContain(D)
  document(entry(D, 80, 'inactive').replace('service_type: http', 'service_type: manual'))
  expect(await on(verb, estate), 'of what is not served').toMatchObject({ code: 0 })
  document(entry(D, 80, 'disabled'))
  expect(await on(verb, estate), 'what is off line does not come back').toMatchObject({ code: 64 })
})

itInDepth('an import shows the records that it only saves, and whether there is anything to do', async () => {
  document(entry(A), entry('d.example.com', 80, 'inactive'))
  const plan = await on('import', estate, '--dry-run')
  expect(plan).toMatchObject({ code: 2 })
  expect(plan.out).toContain('  + d.example.com')
  document(entry(A), entry(C, 80, 'inactive'))
  const none = await on('import', estate, '--dry-run')
  expect(none).toMatchObject({ code: 0 })
  expect(none.err).not.toContain('--confirm')
})

itInDepth('names at a terminal what vanishes, and a no changes nothing', async () => {
  document(entry(A))
  const ran = await run(['sync', estate, '--prune'], env, { types: () => 'n' })
  expect(ran.code).toBe(1)
  expect(ran.out).toContain(`${B} will no longer be served.`)
  expect(ran.out).toContain(`- ${C}, to be deleted`)
  expect(ran.err).toContain('Do it, and delete 2 domains? [y/N]')
  expect(await names()).toHaveLength(3)
})

const releases = async () => (JSON.parse((await on('releases', '--json')).out) as unknown[]).length
const records = async () => (await on('dns', 'records', '--json')).out

itInDepth('the plan of a prune has every DNS record that goes, and it is one release', async () => {
  document(entry(A), entry(C, 80, 'inactive'))
  expect(await records()).toContain(B)
  const plan = await on('sync', estate, '--prune', '--dry-run')
  expect(plan, plan.err).toMatchObject({ code: 2 })
  expect(plan.out).toMatch(new RegExp(`- +A ${B} +dns: delete`))
  expect(plan.out).toContain('1 to remove.')
  const json = JSON.parse((await on('sync', estate, '--prune', '--dry-run', '--json')).out) as {
    readonly deleted: readonly string[]
    readonly plan: { readonly actions: readonly { readonly verb: string; readonly item: string }[] }
  }
  expect(json.deleted).toEqual([B])
  expect(json.plan.actions).toContainEqual(expect.objectContaining({ verb: 'delete', item: `A ${B}` }))
  const before = await releases()
  const done = await on('sync', estate, '--prune', '--yes')
  expect(done, done.err).toMatchObject({ code: 0 })
  expect(done.out).toContain('Applied 2 domains: 0 created, 0 updated, 2 unchanged, 1 deleted.')
  expect(done.out).toContain(`  - ${B}`)
  expect(done.out).not.toContain(`~ ${B}`)
  expect(await releases()).toBe(before + 1)
  expect(await records()).not.toContain(B)
  expect(routes()).not.toContain(B)
  expect((await on('audit', B, '--json')).out).toContain('"delete"')
})

itInDepth(
  'what was never deployed is deleted after a question that names it, and nobody is told that nothing is to do',
  async () => {
    document(entry(A), entry(B))
    const ran = await run(['sync', estate, '--prune'], env, { types: () => 'y' })
    expect(ran, ran.err).toMatchObject({ code: 0 })
    expect(ran.err).toContain(`Do it, and delete ${C}? [y/N]`)
    expect(ran.out).not.toContain('Nothing to do')
    expect(await names()).toEqual([A, B])
  },
)

itInDepth('the guards stand before a prune of many', async () => {
  const many = Array.from({ length: 12 }, (_, i) => `n${i}.example.com`)
  document(...many.map((name) => entry(name)))
  expect(await on('sync', estate)).toMatchObject({ code: 0 })
  document(entry(A))
  const ran = await on('sync', estate, '--prune', '--yes')
  expect(ran.code).toBe(1)
  expect(ran.err).toContain('Repeat the command with --confirm ')
  expect(await names()).toHaveLength(15)
  const [, hash = ''] = /--confirm ([0-9a-f]{64})/.exec(ran.err) ?? []
  expect(await on('sync', estate, '--prune', '--confirm', hash)).toMatchObject({ code: 0 })
  expect(await names()).toEqual([A])
})

it('a document that names nothing deletes nothing', async () => {
  writeFileSync(estate, 'plumbline: 1\ndomains: []\n')
  const ran = await on('sync', estate, '--prune', '--yes')
  expect(ran.code).toBe(1)
  expect(ran.err).toContain('names no domain')
  expect(await names()).toHaveLength(3)
})
