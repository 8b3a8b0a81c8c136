/** `plumbline import traefik` beside a proxy: what it reports, what it would publish, and whom its records would outrank. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { run } from './command.ts'

let directory: string
let env: Record<string, string>
let traefik: FakeTraefik

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-import-'))
  traefik = await startFakeTraefik()
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_TRAEFIK_API: traefik.origin,
  }
})
afterEach(async () => {
  await traefik.stop()
  rmSync(directory, { recursive: true, force: true })
})

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
  it('are those of others, and not those that the records are made of', async () => {
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
