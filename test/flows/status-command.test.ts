/** `plumbline status` and the proxy's part of `plumbline explain`, beside a proxy, with and without a daemon. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silent } from '../fakes/dns/faults.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { run } from './command.ts'
import { serve } from './command-daemon.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let traefik: FakeTraefik

beforeEach(async () => {
  directory = newFolder('status')
  traefik = await startFakeTraefik({ version: '3.6.2' })
  traefik.follow(join(directory, 'traefik', 'routes.yml'))
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_TRAEFIK_API: traefik.origin,
  }
  const estate = join(directory, 'estate.yaml')
  writeFileSync(
    estate,
    `plumbline: 1\ndomains:\n  - { domain: app.example.com, service_type: http, environment: production, backend_host: 127.0.0.1, backend_port: ${new URL(traefik.origin).port}, status: active }\n`,
  )
  expect(await run(['import', estate], env)).toMatchObject({ code: 0 })
})
afterEach(() => traefik.stop())

it('exits 0 when the proxy runs what was deployed, and explain says so', async () => {
  const alone = await run(['status'], env)
  expect(alone, alone.out).toMatchObject({ code: 3 })
  expect(alone.err).toContain('No daemon runs: this was looked at just now, and nothing keeps it so.')
  expect(alone.err).toContain('"plumbline serve"')
  expect(alone.out).toMatch(/^All \d+ things are as they should be just now, and no daemon keeps them so\.$/m)
  expect(await run(['doctor'], env)).toMatchObject({ code: 3 })
  const daemon = await serve(env)
  const told = await run(['status', '--probe'], env)
  await daemon.stop()
  expect(told, told.err).toMatchObject({ code: 0, err: '' })
  expect(told.out).toMatch(/^proxy +Traefik 3\.6\.2 since .*, 2 routers$/m)
  expect(told.out).toMatch(/^loaded +yes$/m)
  expect(told.out).toMatch(/^newest +release 2: .+, by .+ at 20/m)
  expect(told.out).toMatch(/^All \d+ things are as they should be\.$/m)
  expect(told.out).toMatch(/^ok +routes +in_sync/m)
  expect(told.out).toMatch(/^not set up: .*sso_provider/m)
  expect((await run(['explain', 'app.example.com'], env)).out).toContain('proxy: in sync')
  expect(JSON.parse((await run(['explain', 'app.example.com', '--json'], env)).out)).toMatchObject({
    proxy: { sync_status: 'in_sync' },
  })
})

itInDepth('exits 2 when it runs something else', async () => {
  traefik.refuse(() => true)
  traefik.restart(new Date())
  const told = await run(['status'], env)
  expect(told).toMatchObject({ code: 2 })
  expect(told.out).toContain('no: Written, not loaded')
  expect(told.out).toMatch(/^drift +proxy +not_loaded/m)
  expect((await run(['explain', 'app.example.com'], env)).out).toContain('proxy: not loaded')
  const examined = await run(['doctor'], env)
  expect(examined).toMatchObject({ code: 1 })
  expect(examined.out).toMatch(/^BAD {2}proxy: Written, not loaded/m)
})

itInDepth('a proxy that is older than the file is written for is found by doctor', async () => {
  const examined = await run(['doctor'], { ...env, PLUMBLINE_TRAEFIK_VERSION: '3.7.0' })
  expect(examined.out).toMatch(/^BAD {2}proxy: .*written for Traefik 3\.7\.0, and this is 3\.6\.2/m)
})

itInDepth(
  'a router in error and a missing entry point are told by deploy, status, plan and doctor',
  async () => {
    await traefik.stop()
    traefik = await startFakeTraefik({ version: '3.6.2', entrypoints: [{ name: 'web', address: ':80' }] })
    traefik.follow(join(directory, 'traefik', 'routes.yml'))
    env['PLUMBLINE_TRAEFIK_API'] = traefik.origin
    const lacks = 'The proxy has no entry point websecure (it has web)'
    expect((await run(['plan'], env)).err).toContain(`warning: ${lacks}`)
    const deployed = await run(['deploy', '--all'], env)
    expect(deployed).toMatchObject({ code: 1 })
    expect(deployed.out).toMatch(/^ +not served: app\.example\.com: .*entryPoint "websecure" doesn't exist/m)
    const told = await run(['status'], env)
    expect(told).toMatchObject({ code: 2 })
    expect(told.out).toContain(lacks)
    expect(told.out).toMatch(/^ +in error: plumbline-site_app\.example\.com@file: entryPoint "websecure"/m)
    const examined = await run(['doctor'], env)
    expect(examined).toMatchObject({ code: 1 })
    expect(examined.out).toMatch(/^BAD {2}proxy: The proxy has no entry point websecure/m)
  },
)

itInDepth('a file for which the proxy would refuse the folder is told before it restarts', async () => {
  const neighbour = join(directory, 'traefik', 'mine.toml')
  writeFileSync(neighbour, '[http.routers.a]\nservice = "s"\nrules = "x"\n')
  const words = 'The proxy refuses it at line 3: field not found, node: rules.'
  const told = await run(['status'], env)
  expect(told).toMatchObject({ code: 2 })
  expect(told.out).toContain(`${neighbour}: ${words}`)
  expect((await run(['plan'], env)).err).toContain(`warning: ${neighbour}: ${words}`)
  const examined = await run(['doctor'], env)
  expect(examined).toMatchObject({ code: 1 })
  expect(examined.out).toMatch(/^BAD {2}routes_folder: .*mine\.toml: The proxy refuses it at line 3/m)
})

itInDepth('exits 3 when that cannot be told, and without a daemon also where all is well', async () => {
  traefik.misbehave(silent, { times: Infinity })
  expect(await run(['status'], env)).toMatchObject({ code: 3 })
  const blind = await run(['status', '--json'], { ...env, PLUMBLINE_TRAEFIK_API: '' })
  expect(blind).toMatchObject({ code: 3, err: expect.stringContaining('No daemon runs') })
  expect(JSON.parse(blind.out)).toMatchObject({
    loaded: null,
    proxy: { configured: false },
    health: { ok: true, drift: false, probed: true },
  })
})
