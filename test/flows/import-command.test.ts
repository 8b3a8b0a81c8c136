/** `plumbline import traefik` beside a proxy: what it reports, what it would publish, and whom its records would outrank. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EntrypointPlan } from '../fakes/traefik/static.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { run } from './command.ts'
import { serve } from './command-daemon.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'
import { byTier } from '../kit/tier.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let traefik: FakeTraefik

beforeEach(async () => {
  directory = newFolder('import')
  traefik = await startFakeTraefik()
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_TRAEFIK_API: traefik.origin,
  }
})
afterEach(() => traefik.stop())

/** A file by hand, as JSON, which is YAML. */
function byHand(name: string, configuration: object): string {
  const path = join(directory, name)
  writeFileSync(path, JSON.stringify(configuration))
  return path
}

const blog = (name: string, more: object = {}) => ({
  http: {
    routers: {
      [name]: {
        rule: 'Host(`blog.example.com`)',
        service: 'blog',
        entryPoints: ['websecure'],
        tls: {},
        ...more,
      },
    },
    services: { blog: { loadBalancer: { servers: [{ url: 'http://10.0.0.8:2368' }] } } },
    middlewares: { authelia: { forwardAuth: { address: 'http://authelia:9091/api/verify?rd=x' } } },
  },
})
const ADMIN = blog('admin', {
  middlewares: ['authelia'],
  rule: 'Host(`blog.example.com`) && PathPrefix(`/admin`)',
})

describe('routers that the records would outrank', () => {
  itInDepth('are those of others, and not those that the records are made of', async () => {
    const file = byHand('hand.yml', blog('blog', { middlewares: ['authelia'] }))
    traefik.follow(file)
    const alone = await run(['import', 'traefik', file], env)
    expect(alone, alone.err).toMatchObject({ code: 0 })
    expect(alone.out).not.toContain('Not known')
    expect(alone.err).not.toContain('guard')
    traefik.provide('docker', ADMIN)
    const refused = await run(['import', 'traefik', file, '--activate'], env)
    expect(refused.code).not.toBe(0)
    expect(refused.err).toMatch(/admin@docker .*authelia@docker \(forwardAuth\) would not be asked/)
    expect(refused.err).not.toContain('blog@file')
  })

  it('are not known without the proxy’s API, and the report says so', async () => {
    const { PLUMBLINE_TRAEFIK_API: _, ...blind } = env
    const report = await run(['import', 'traefik', byHand('hand.yml', blog('blog'))], blind)
    expect(report.out).toMatch(/\nNot known\n {2}Routers of other providers .*PLUMBLINE_TRAEFIK_API/)
  })
})

describe('a daemon that runs', () => {
  it.each(byTier<readonly string[]>([''], ['', '--activate']))(
    'is asked with the key of the environment, though the settings were read before: %s',
    async (word) => {
      const keyed = { ...env, PLUMBLINE_TRAEFIK_API: '', API_KEY: 'k'.repeat(48) }
      const daemon = await serve(keyed)
      try {
        const file = byHand('hand.yml', blog('blog'))
        const ran = await run(['import', 'traefik', file, ...(word === '' ? [] : [word])], keyed)
        expect(ran.err).not.toContain('X-API-Key')
        expect(ran.code, ran.err).toBe(0)
      } finally {
        await daemon.stop()
      }
    },
  )
})

describe('a file', () => {
  it('that cannot be read is a failure, and the others are read', async () => {
    const broken = join(directory, 'broken.yml')
    writeFileSync(broken, 'http: [')
    const files = [broken, join(directory, 'gone.yml'), byHand('hand.yml', blog('blog'))]
    const ran = await run(['import', 'traefik', ...files], env)
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('1 record can be made')
    expect(ran.out).toMatch(/gone\.yml\n +There is no file \/[^\n]*gone\.yml: name one that is there\./)
  })

  it('of the static configuration says where a router listens; one that says nothing ends the command', async () => {
    const file = byHand('hand.yml', blog('blog', { entryPoints: undefined, tls: undefined }))
    const { PLUMBLINE_TRAEFIK_API: _, ...unseen } = env
    expect((await run(['import', 'traefik', file], unseen)).out).toMatch(/^0 records .*--static FILE/s)
    const setup = {
      entryPoints: { web: { address: ':80' }, websecure: { address: ':443', http: { tls: {} } } },
    }
    const given = await run(['import', 'traefik', file, '--static', byHand('traefik.yml', setup)], env)
    expect(given.out).toMatch(/^1 record .*TLS, no SSO/s)
    const none = await run(['import', 'traefik', file, '--static', file], env)
    expect(none).toMatchObject({ code: 1, out: '' })
    expect(none.err).toContain('no static configuration')
  })

  it('that the proxy refuses whole is said with its line', async () => {
    const file = byHand('hand.yml', { ...blog('blog'), tcp: { nonsense: {} } })
    const ran = await run(['import', 'traefik', file], env)
    expect(ran.out).toMatch(/Traefik refuses .*hand\.yml whole \(line 1: .*nonsense/)
  })
})

describe('a record that is there', () => {
  // No proxy is asked here.
  const on = (...words: string[]) => run(words, { ...env, PLUMBLINE_TRAEFIK_API: '' })
  const field = async (name: string) =>
    (JSON.parse((await on('show', 'blog.example.com', '--json')).out) as Record<string, unknown>)[name]

  it('and was changed since stays as it is, whatever the file says', async () => {
    const file = byHand('hand.yml', blog('blog'))
    expect(await on('import', 'traefik', file, '--apply')).toMatchObject({ code: 0 })
    expect(await on('set', 'blog.example.com', 'auth_required=true', 'note=mine')).toMatchObject({ code: 0 })
    for (const how of [['--apply'], ['--activate']]) {
      const ran = await on('import', 'traefik', file, ...how)
      expect(ran.code, ran.err).toBe(0)
      expect(ran.out).toMatch(/have a record already.*\n.*= blog\.example\.com: .*auth_required/)
    }
    expect(await field('auth_required')).toBe(true)
    expect(await field('note')).toBe('mine')
  })

  it('and is disabled stays so, and its routers are still needed', async () => {
    const file = byHand('hand.yml', blog('blog'))
    await on('import', 'traefik', file, '--apply')
    expect(await on('disable', 'blog.example.com', '--yes')).toMatchObject({ code: 0 })
    const ran = await on('import', 'traefik', file, '--activate', '--json')
    expect(ran, ran.err).toMatchObject({ code: 0 })
    expect(JSON.parse(ran.out)).toMatchObject({
      counts: { records: 1, removable: 0 },
      removable: [],
      outcome: null,
      kept: [{ domain: 'blog.example.com', fields: { status: { before: 'disabled' } } }],
    })
    expect(await field('status')).toBe('disabled')
  })

  it('and was only saved is activated', async () => {
    const file = byHand('hand.yml', blog('blog'))
    await on('import', 'traefik', file, '--apply')
    expect(await field('status')).toBe('inactive')
    const ran = await on('import', 'traefik', file, '--activate')
    expect(ran, ran.err).toMatchObject({ code: 0 })
    expect(await field('status')).toBe('active')
  })
})

describeInDepth('what would be published', () => {
  const world = () => {
    const zones = join(directory, 'zones')
    mkdirSync(zones)
    writeFileSync(join(zones, 'example.com.zone'), ZONE)
    return { ...env, PLUMBLINE_PUBLIC_IP: '203.0.113.7' }
  }

  it('is shown by the rehearsal, by what is activated and by what is refused: records, actions, warnings, guards', async () => {
    const file = byHand('hand.yml', blog('blog'))
    const beside = world()
    const shown = /\+ {2}A blog\.example\.com +dns: create {2}203\.0\.113\.7/
    expect((await run(['import', 'traefik', file], beside)).out).toMatch(shown)
    traefik.provide('docker', ADMIN)
    const refused = await run(['import', 'traefik', file, '--activate'], beside)
    expect(refused.err).toMatch(shown)
    expect(refused.err).toMatch(/--confirm [0-9a-f]{64}/)
    traefik.provide('docker', null)
    const done = await run(['import', 'traefik', file, '--activate'], beside)
    // The stand-in reads no file of ours: what was activated is written and not loaded.
    expect(done, done.err).toMatchObject({ code: 1 })
    expect(done.err).toContain('Written, not loaded')
    expect(done.out).toMatch(shown)
    expect(done.out).toContain('+    "plumbline-site_blog.example.com":')
  })
})

const ZONE = `$ORIGIN example.com.
$TTL 300
@ IN SOA ns1 host 1 7200 3600 1209600 300
@ IN NS ns1
ns1 IN A 192.0.2.1
`

describe('what the entry points of the proxy do', () => {
  const bare = blog('blog')
  Object.assign(bare.http.routers['blog']!, { entryPoints: undefined, tls: undefined })
  const SETUP =
    'entryPoints:\n  web:\n    address: ":80"\n  websecure:\n    address: ":443"\n    asDefault: true\n    http:\n      tls:\n        certResolver: le\n'

  const beside = async <T>(
    entrypoints: readonly EntrypointPlan[],
    work: (env: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> => {
    const other = await startFakeTraefik({ entrypoints })
    try {
      return await work({ ...env, PLUMBLINE_TRAEFIK_API: other.origin })
    } finally {
      await other.stop()
    }
  }

  it('is read from its API', async () => {
    const file = byHand('hand.yml', bare)
    const entrypoints = [
      { name: 'web', address: ':80' },
      { name: 'websecure', address: ':443', asDefault: true, tls: { certResolver: 'le' } },
    ]
    const found = await beside(entrypoints, (its) => run(['import', 'traefik', file], its))
    expect(found.out, found.err).toContain('blog.example.com -> 10.0.0.8:2368  (http, TLS')
    expect(found.out).toContain('the certificate resolver `le` is dropped')
  })

  itInDepth('is read from the static file of the setting, and from that of --static before it', async () => {
    const file = byHand('hand.yml', bare)
    const setup = join(directory, 'traefik.yml')
    writeFileSync(setup, SETUP)
    const { PLUMBLINE_TRAEFIK_API: _, ...unseen } = env
    const none = await run(['import', 'traefik', file], unseen)
    expect(none.out, none.err).toContain('give it with --static FILE')
    const known = { ...unseen, PLUMBLINE_TRAEFIK_STATIC: setup }
    const found = await run(['import', 'traefik', file], known)
    expect(found.out, found.err).toContain('blog.example.com -> 10.0.0.8:2368  (http, TLS')
    const plain = join(directory, 'plain.yml')
    writeFileSync(plain, 'entryPoints:\n  web:\n    address: ":80"\n')
    const other = await run(['import', 'traefik', file, '--static', plain], known)
    expect(other.out, other.err).toContain('blog.example.com -> 10.0.0.8:2368  (http, no TLS')
  })

  it('says nothing of files that name what the proxy lacks: those are of another one', async () => {
    const entrypoints = [
      { name: 'web', address: ':80' },
      { name: 'websecure', address: ':443', tls: { options: 'mutual@file' } },
    ]
    const file = byHand('hand.yml', blog('blog', { entryPoints: ['https'], tls: undefined }))
    const found = await beside(entrypoints, (its) => run(['import', 'traefik', file], its))
    expect(found.out, found.err).toContain('blog.example.com -> 10.0.0.8:2368  (http, TLS')
    expect(found.out).toContain('it is on `https`, which this installation calls `websecure`')
    expect(found.out).not.toContain('mutual')
  })
})
