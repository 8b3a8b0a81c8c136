/** `plumbline token` in a real process, with a daemon and without one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { beforeEach, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { surroundingsOf } from '../../src/surroundings.ts'
import { VERBS } from '../../src/verbs.ts'
import { run, start } from './command.ts'
import { serve } from './command-daemon.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import type { TokenAnswer, TokenView } from '../../src/features/ddns/views.ts'
import { newFolder } from '../kit/new-folder.ts'

const ESTATE = `plumbline: 1
domains:
  - domain: app.example.com
    service_type: http
    environment: production
    backend_host: 10.0.0.5
    backend_port: 8080
`

let directory: string
let env: Record<string, string>

beforeEach(async () => {
  directory = newFolder('token')
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_URL: 'https://ctl.example.org',
    PLUMBLINE_HUB_HOST: 'hub.example.net',
  }
  const path = join(directory, 'estate.yaml')
  writeFileSync(path, ESTATE)
  const ran = await run(['import', path], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
})

const json = async <T>(...words: string[]): Promise<T> => {
  const ran = await run(['token', ...words, '--json'], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return JSON.parse(ran.out) as T
}
const states = async () => (await json<TokenView[]>('list')).map(({ state }) => state)

async function wholeLife(): Promise<void> {
  const issued = await json<TokenAnswer>('issue', 'hub.example.net', '--label', 'router in the attic')
  expect(issued.token).toMatchObject({
    host: 'hub.example.net',
    label: 'router in the attic',
    state: 'valid',
  })
  expect(issued.lines.url).toBe(`https://ctl.example.org/api/ddns/update/hub.example.net?key=${issued.key}`)
  const next = await json<TokenAnswer>('rotate', issued.token.id)
  expect(next.key).not.toBe(issued.key)
  expect(await states()).toEqual(['ending', 'valid'])
  expect(await run(['token', 'revoke', issued.token.id, '--yes'], env)).toMatchObject({ code: 0 })
  expect(await states()).toEqual(['ended', 'valid'])
}

itInDepth('issues, rotates, lists and revokes through a running daemon', async () => {
  const daemon = start(['serve'], env)
  await daemon.saw('listening')
  await wholeLife()
  expect((await daemon.stop()).code).toBe(0)
})

itInDepth('does the same by itself where no daemon runs', wholeLife, 30_000)

it('prints the key and the lines as the answer, and everything about them beside it', async () => {
  const { code, out, err } = await run(['token', 'issue', 'hub.example.net'], env)
  expect(code).toBe(0)
  const [, key] = /^# key\n([A-Za-z0-9_-]{43})$/m.exec(out)!
  for (const title of [
    'URL, with the address of the connection',
    'UniFi, service "custom"',
    'inadyn.conf',
    'ddclient.conf',
  ])
    expect(out).toContain(`# ${title}\n`)
  expect(out).toMatch(/^# curl 7\.76 or newer .*\ncurl --fail-with-body -sS /m)
  expect(err).toContain('shown this once')
  expect(err).not.toContain(key)
  const list = await run(['token', 'list'], env)
  expect(list.out).toMatch(/hub\.example\.net {2}valid +20.*Z {2}never/)
  expect(list.out).not.toContain(key)
})

itInDepth(
  'says last why a key comes to nothing, with the command that helps, and that there is one already',
  async () => {
    const lines: string[] = []
    const told = (line: string) => void lines.push(line)
    const issue = () =>
      runCommand(
        ['token', 'issue', 'app.example.com'],
        VERBS,
        surroundingsOf({ PATH: process.env['PATH'], ...env }),
        {
          out: told,
          note: told,
        },
      )
    expect(await issue()).toBe(0)
    const refused =
      'warning: app.example.com has ddns_enabled false: reports are refused until "plumbline set app.example.com ddns_enabled=true".'
    expect(lines.at(-1)).toBe(refused)
    lines.length = 0
    expect(await issue()).toBe(0)
    expect(lines.slice(-2)).toEqual([
      'warning: app.example.com has a key without a label already, which goes on: "plumbline token rotate" replaces a key, "plumbline token revoke" ends one.',
      refused,
    ])
    // Another router's is no repetition.
    expect((await json<TokenAnswer>('issue', 'app.example.com', '--label', 'attic')).warnings).toHaveLength(1)
  },
)

itInDepth('lists a key whose name no domain has any more as one that opens nothing', async () => {
  expect(await run(['set', 'app.example.com', 'ddns_enabled=true'], env)).toMatchObject({ code: 0 })
  await json<TokenAnswer>('issue', 'app.example.com')
  expect((await run(['token', 'list'], env)).out).not.toContain('opens nothing')
  expect(await run(['rename', 'app.example.com', 'gate.example.com', '--yes'], env)).toMatchObject({
    code: 0,
  })
  const { out } = await run(['token', 'list'], env)
  expect(out).toContain('It opens nothing: no domain is called app.example.com any more.')
})

itInDepth(
  'says of a name what is to be published, whether it has arrived, and which report was refused',
  async () => {
    const path = join(directory, 'home.yaml')
    writeFileSync(path, `${ESTATE.replace('app.', 'home.')}    ddns_enabled: true\n    status: active\n`)
    const daemon = await serve(env)
    try {
      expect(await run(['import', path, '--yes'], env)).toMatchObject({ code: 0 })
      const { key } = await json<TokenAnswer>('issue', 'home.example.com')
      const { where } = (
        JSON.parse((await run(['version', '--json'], env)).out) as { daemon: { where: string } }
      ).daemon
      const refused = await request(`${where}/api/ddns/update/home.example.com?key=${key}&ip=10.0.0.1`)
      expect(refused.statusCode).toBe(422)
      await refused.body.dump()
      const hosts = await run(['token', 'hosts'], env)
      expect(hosts.out).toMatch(/^HOST +TO PUBLISH +REPORTS$/m)
      expect(hosts.out).toMatch(
        /^home\.example\.com .*none yet\n {2}The report of .* was refused: ip: .*public/m,
      )
      const status = await run(['ddns', 'status'], env)
      expect(status.code).toBe(2)
      expect(status.out).toMatch(/^home\.example\.com .*refused at 20.*public/m)
      expect(status.out).toMatch(/^hub\.example\.net \(hub\) +never reported +nothing$/m)
    } finally {
      await daemon.stop()
    }
  },
)

itOneIn(3).each([
  [['token', 'issue'], 64],
  [['token', 'list', 'all'], 64],
  [['token', 'mint', 'hub.example.net'], 64],
  [['token', 'issue', 'nobody.example.com'], 1],
  [['token', 'revoke', 'nonsense', '--yes'], 1],
  [['token', 'rotate', '00000000-0000-4000-8000-000000000000'], 1],
])('%j exits with %i and says why', async (words, code) => {
  const ran = await run(words, env)
  expect(ran, ran.err).toMatchObject({ code })
  expect(ran.err.length).toBeGreaterThan(20)
})
