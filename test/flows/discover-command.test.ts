/** `plumbline discover` in real processes: what people read, what programs read, and what the shell is told. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aContainer, type DockerApi, dockerApi } from '../fakes/lab/docker.ts'
import { run } from './command.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let docker: DockerApi
let env: Record<string, string>

beforeEach(async () => {
  directory = newFolder('discover')
  docker = await dockerApi()
  docker.containers = [
    aContainer('wiki', { Ports: [{ IP: '0.0.0.0', PrivatePort: 3000, PublicPort: 13000, Type: 'tcp' }] }),
    aContainer('db', { Ports: [{ PrivatePort: 5432, Type: 'tcp' }] }),
    aContainer('proxy', {
      Image: 'docker.io/library/traefik:v3.6',
      Ports: [{ IP: '0.0.0.0', PrivatePort: 80, PublicPort: 80, Type: 'tcp' }],
    }),
    aContainer('old', { State: 'exited', Ports: [], NetworkSettings: { Networks: {} } }),
  ]
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_DOCKER_HOSTS: `hub=tcp://127.0.0.1:${docker.port}@192.168.1.10`,
  }
})
afterEach(() => docker.close())

async function importing(backend_host: string): Promise<void> {
  const estate = join(directory, 'estate.yaml')
  writeFileSync(
    estate,
    `plumbline: 1\ndomains:\n  - { domain: app.example.com, service_type: http, environment: production, backend_host: ${backend_host}, backend_port: 80 }\n`,
  )
  const ran = await run(['import', estate], env)
  expect(ran, ran.err).toMatchObject({ code: 0 })
}

it('names what could be exposed and what points at nothing, and exits 2 for the latter', async () => {
  await importing('old')
  const told = await run(['discover'], env)
  expect(told, told.err).toMatchObject({ code: 2 })
  expect(told.out).toMatch(/app\.example\.com {2}old port 80 {2}does not run: old \(docker hub\)/)
  expect(told.out).toMatch(
    /wiki {2}docker hub {2}wiki\.example\.com\? -> 192\.168\.1\.10 port 13000  it publishes 13000 for its port 3000$/m,
  )
  expect(told.out).not.toMatch(/^ {2}(?:db|proxy) /m)
  expect(told.err).toContain('2 more')
  const all = await run(['discover', '--all'], env)
  expect(all.out).toMatch(/^ {2}proxy {2,}docker hub {2,}it looks like the proxy itself$/m)
})

itInDepth('exits 0 where all is there, and gives programs everything', async () => {
  await importing('203.0.113.9')
  const told = await run(['discover', '--json'], env)
  expect(told, told.err).toMatchObject({ code: 0 })
  expect(JSON.parse(told.out)).toMatchObject({ complete: true, points_at_nothing: [], not_judged: 1 })
  expect((await run(['discover'], env)).err).toContain('1 further')
})

itInDepth(
  'exits 3 where a source is unknown, 64 for words that mean nothing, and 0 without any source',
  async () => {
    await importing('old')
    docker.answer = (_request, response) => void response.writeHead(502).end('bad gateway')
    const told = await run(['discover'], env)
    expect(told).toMatchObject({ code: 3 })
    expect(told.err).toMatch(/unknown: hub: .*502/)
    expect(await run(['discover', 'everything'], env)).toMatchObject({ code: 64 })
    const blind = await run(['discover'], { ...env, PLUMBLINE_DOCKER_HOSTS: '' })
    expect(blind).toMatchObject({ code: 0 })
    expect(blind.err).toContain('No source is configured')
  },
)
