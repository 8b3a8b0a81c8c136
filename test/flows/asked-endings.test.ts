/** What ends something asks first at a terminal, with what is lost; a script says `--yes`; and nobody else is ever asked. */
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeOneIn, itInDepth, itOneIn } from '../kit/in-depth.ts'
import { ED25519 } from '../model/ssh/keys.ts'
import { ESTATE, type Person, run, type Running, start } from './command.ts'
import { type PeopleWorld, peopleWorld } from './people-world.ts'
import type { TokenAnswer } from '../../src/features/ddns/views.ts'
import { newFolder } from '../kit/new-folder.ts'

interface Listed {
  readonly id: string | number
  readonly fingerprint: string
}

let world: PeopleWorld
let directory: string
let env: Record<string, string>
let daemon: Running

const on = (words: readonly string[], person?: Person) => run(words, env, person)
async function good(...words: string[]): Promise<string> {
  const ran = await on(words)
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return ran.out
}
const listed = async (...words: string[]) => JSON.parse(await good(...words, '--json')) as Listed[]
const newest = async (...words: string[]) => String((await listed(...words)).at(-1)!.id)

beforeAll(async () => {
  world = await peopleWorld()
  directory = newFolder('endings')
  env = {
    ...world.env,
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_PUBLIC_URL: 'https://ctl.example.org',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_AUTHORIZED_KEYS: join(directory, 'authorized_keys'),
  }
  daemon = start(['serve'], env)
  await daemon.saw('listening')
  writeFileSync(join(directory, 'estate.yaml'), ESTATE)
  await good('import', join(directory, 'estate.yaml'))
})
afterAll(async () => {
  await daemon.stop()
  await world[Symbol.asyncDispose]()
})

/** How each comes into being, what ends it, what is then to be read before the question, and how all of its kind are listed. */
const ENDINGS: readonly {
  readonly name: string
  readonly make: () => Promise<string>
  readonly end: (id: string) => readonly string[]
  readonly loss: RegExp
  readonly list: readonly string[]
}[] = [
  {
    name: 'keys revoke',
    make: async () => {
      await good('keys', 'issue', 'ci')
      const all = JSON.parse(await good('keys', '--json')) as { id: string; name: string; state: string }[]
      return all.find(({ name, state }) => name === 'ci' && state === 'valid')!.id
    },
    end: (id) => ['keys', 'revoke', id],
    loss: /^The key ci \(since .*Z, not used since the start\) ends at once: whoever has it is refused\.$/m,
    list: ['keys'],
  },
  {
    name: 'users revoke',
    make: async () => {
      await good('users', 'invite', 'jo@example.net', 'Jo', 'Doe', '--username', 'jo', '--groups', 'family')
      return 'jo'
    },
    end: (id) => ['users', 'revoke', id],
    loss: /^jo \(Jo Doe, jo@example\.net, in family\) can sign in no more\. That is for good/m,
    list: ['users'],
  },
  {
    name: 'edges revoke',
    make: async () => {
      await good('edges', 'add', 'ams1')
      return 'ams1'
    },
    end: (id) => ['edges', 'revoke', id],
    loss: /^ams1 \(pending, never seen\) keeps the routes that it has and gets no more\.$/m,
    // Its state says nothing of its tokens.
    list: ['keys', 'all'],
  },
  {
    name: 'edges remove',
    make: async () => {
      await good('edges', 'add', 'fra1', '--hostname', 'fra1.example.com')
      return 'fra1'
    },
    end: (id) => ['edges', 'remove', id],
    loss: /^fra1 \(fra1\.example\.com, pending, never seen\) is forgotten, its tokens end/m,
    list: ['edges'],
  },
  {
    name: 'token revoke',
    make: async () => {
      await good('token', 'issue', 'app.example.com', '--label', 'attic')
      return newest('token', 'list')
    },
    end: (id) => ['token', 'revoke', id],
    loss: /^The token for app\.example\.com \(attic, never used\) ends at once/m,
    list: ['token', 'list'],
  },
  {
    name: 'ssh-clients remove',
    make: async () => {
      writeFileSync(join(directory, 'id.pub'), `${ED25519} a@b\n`)
      await good('ssh-clients', 'add', join(directory, 'id.pub'), '--name', 'laptop')
      const { clients } = JSON.parse(await good('ssh-clients', '--json')) as { clients: Listed[] }
      return clients[0]!.fingerprint
    },
    end: (id) => ['ssh-clients', 'remove', id],
    loss: /^laptop \(ssh-\S+, SHA256:\S+\) can log in to the gateway no more\.$/m,
    list: ['ssh-clients'],
  },
]

describeOneIn(3).each(ENDINGS)('$name', ({ make, end, loss, list }) => {
  let id: string
  beforeAll(async () => {
    id = await make()
  })
  const state = async () =>
    (await good(...list, '--json')).replaceAll(/"(?:observed|next_rotation|last_used)_at": ?"[^"]*"/g, '')

  it('is refused where nobody can be asked and nobody said that it is meant', async () => {
    const before = await state()
    const ran = await on(end(id))
    expect(ran).toMatchObject({ code: 64, out: '' })
    expect(ran.err).toContain('say --yes')
    expect((await on([...end(id), '--json'], { types: () => 'y' })).code).toBe(64)
    expect(await state()).toBe(before)
  })

  itInDepth('is rehearsed with what is lost', async () => {
    const before = await state()
    const ran = await on([...end(id), '--dry-run'])
    expect(ran, ran.err).toMatchObject({ code: 2 })
    expect(ran.out).toMatch(loss)
    expect(ran.err).toContain('Nothing was changed')
    expect(await state()).toBe(before)
  })

  it('tells what is lost, asks, and does it for a yes alone', async () => {
    const before = await state()
    const questions: string[] = []
    const no = await on(end(id), { types: (question) => (questions.push(question), 'n') })
    expect(no, no.err).toMatchObject({ code: 1 })
    expect(no.out).toMatch(loss)
    expect(no.err).toContain('Nothing was changed.')
    expect(await state()).toBe(before)
    const yes = await on(end(id), { types: (question) => (questions.push(question), 'y') })
    expect(yes, yes.err).toMatchObject({ code: 0 })
    expect(await state()).not.toBe(before)
    expect(questions).toHaveLength(2)
    expect(questions[0]).toMatch(/^(?:Revoke|Remove) .*\? \[y\/N\] $/)
  })
})

itOneIn(3).each(ENDINGS.map(({ name, end }) => [name, end('nobody-at-all')] as const))(
  '%s tells an unknown one before it asks',
  async (_name, words) => {
    const ran = await on(words, { types: () => expect.unreachable() })
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err.length).toBeGreaterThan(20)
    const away = await on([...words, '--url', 'http://127.0.0.1:9'], { types: () => expect.unreachable() })
    expect(away.err).toContain('No answer from http://127.0.0.1:9')
  },
)

itInDepth('tells what is near, and the id of what bears that name', async () => {
  await good('keys', 'issue', 'backup')
  await good('edges', 'add', 'lon1')
  await good('users', 'invite', 'al@example.net', 'Al', 'Roe', '--username', 'al.roe')
  await good('keys', 'rotate', 'backup')
  expect((await on(['keys', 'revoke', 'backup'])).err).toMatch(
    /There are 2 of the name "backup"\. Say which by its id: "[0-9a-f]{16}" \(made 20\S+ \S+Z, ending\) or "[0-9a-f]{16}" \(made /,
  )
  await good('keys', 'issue', 'once', '--read-only')
  expect(await good('keys')).toMatch(/once +valid +only looks/)
  expect(await good('keys', 'revoke', 'once', '--yes')).toContain('The key once has ended.')
  expect((await on(['keys', 'revoke', 'backpu'])).err).toContain('Did you mean "backup"?')
  expect((await on(['edges', 'remove', 'lon2'])).err).toContain('Did you mean "lon1"?')
  await good('heartbeats', 'add', 'backups')
  const { token } = JSON.parse(await good('token', 'issue', 'app.example.com', '--json')) as TokenAnswer
  const { id } = token
  const near = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
  for (const [meant, ...words] of [
    ['al.roe', 'users', 'revoke', 'al.ro'],
    ['al.roe', 'users', 'show', 'al.ro'],
    ['al.roe', 'users', 'resend', 'al.ro'],
    ['al.roe', 'users', 'groups', 'al.ro', 'family'],
    ['backup', 'keys', 'rotate', 'backpu'],
    [id, 'token', 'rotate', near],
    ['backups', 'heartbeats', 'rotate', 'bakups'],
    ['backups', 'heartbeats', 'revoke', 'bakups'],
    ['backups', 'heartbeats', 'remove', 'bakups'],
    ['app.example.com', 'access', 'lift', 'ap.example.com'],
  ] as const) {
    const ran = await on(words, { types: () => 'n' })
    expect(ran, words.join(' ')).toMatchObject({ code: 1, out: '' })
    expect(ran.err, words.join(' ')).toContain(`Did you mean "${meant}"`)
  }
})

describe('access lift', () => {
  let server: Server
  let calls: string[]
  let url: string

  beforeAll(async () => {
    const out = {
      domain: 'wiki.example.com',
      since: '2030-01-31T12:00:00.000Z',
      evidence: 'it answered 200.',
    }
    const plan = { hash: 'abc', complete: true, rows: [], actions: [], guards: [], refused: [], warnings: [] }
    server = createServer((request, response) => {
      calls.push(`${request.method} ${request.url}`)
      response.writeHead(200, { 'content-type': 'application/json' })
      const answer =
        request.method === 'GET'
          ? { quarantine: [out] }
          : request.url!.includes('dry_run')
            ? { dry_run: true, plan: { ...plan, inputs: [], unified_diff: null } }
            : { success: true, message: 'It is back.' }
      response.end(JSON.stringify(answer))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => (calls = []))
  afterAll(() => server.close())

  const WORDS = ['access', 'lift', 'wiki.example.com']
  const LIFT = 'POST /api/sso/quarantine/wiki.example.com/lift'

  it('says why it was taken out, and opens it for a yes alone', async () => {
    const no = await on([...WORDS, '--url', url], { types: () => '' })
    expect(no, no.err).toMatchObject({ code: 1 })
    expect(no.out).toContain('wiki.example.com was taken out 2030-01-31 12:00:00Z: it answered 200.')
    expect(calls).toEqual(['GET /api/sso/drift', `${LIFT}?dry_run=true`])
    const yes = await on([...WORDS, '--url', url], { types: () => 'yes' })
    expect(yes).toMatchObject({ code: 0 })
    expect(calls.at(-1)).toBe(`${LIFT}?confirm=abc`)
  })

  it('is not done by a script that does not say so', async () => {
    const ran = await on([...WORDS, '--url', url])
    expect(ran.code).toBe(64)
    expect(ran.err).toContain('it opens something: say --yes')
    expect(calls).toEqual(['GET /api/sso/drift'])
    expect(await on([...WORDS, '--yes', '--url', url])).toMatchObject({ code: 0, out: 'It is back.\n' })
    expect(calls.at(-1)).toBe(LIFT)
  })
})
