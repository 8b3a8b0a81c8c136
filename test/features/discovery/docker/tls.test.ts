/** A Docker host over TLS: both sides show a certificate of one authority, and nobody else is asked or believed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../src/settings-wiring.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { guestsInMemory } from '../../../fakes/proxmox/guest-memory.ts'
import type { Failure } from '../../../../src/kernel/failure.ts'
import { discoverySources } from '../../../../src/features/discovery/sources.ts'
import type { DiscoveryService } from '../../../../src/features/discovery/service.ts'
import { type CertificateAuthority, certificateAuthority } from '../../../fakes/certificate-authority.ts'
import { aContainer, type DockerApi, dockerApi } from '../../../fakes/lab/docker.ts'
import { newFolder } from '../../../kit/new-folder.ts'

interface Files {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

let authorities: CertificateAuthority[]
let server: Files
let client: Files
let stranger: Files

/** The authority's own certificate stands behind the leaf. */
function files(authority: CertificateAuthority, raw_san: string): Files {
  const { cert, key } = authority.issue({ names: [], raw_san })
  const [, ca = ''] = cert.split(/(?<=-----END CERTIFICATE-----\n)(?=-----BEGIN)/)
  return { ca, cert, key }
}

beforeAll(() => {
  const [own, other] = [certificateAuthority('Docker'), certificateAuthority('Stranger')]
  authorities = [own, other]
  server = files(own, 'IP:127.0.0.1')
  client = files(own, 'DNS:plumbline')
  stranger = files(other, 'DNS:plumbline')
})
afterAll(() => authorities.forEach((one) => one.close()))

let directory: string
let api: DockerApi
let opened: DiscoveryService | null

beforeEach(async () => {
  directory = newFolder('docker-tls')
  api = await dockerApi({ tls: server })
  api.containers = [aContainer('app')]
  opened = null
})
afterEach(async () => {
  await opened?.stop()
  await api.close()
})

function put({ ca, cert, key }: Partial<Files>): string {
  const folder = join(directory, 'nas')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ 'ca.pem': ca, 'cert.pem': cert, 'key.pem': key }))
    if (text !== undefined) writeFileSync(join(folder, name), text)
  return folder
}

const openedWith = (env: Readonly<Record<string, string>>): DiscoveryService =>
  discoverySources(loadConfig({ ...env }).settings, { clock: systemClock, memoryOf: guestsInMemory })

function look(folder: string) {
  opened ??= openedWith({
    PLUMBLINE_DOCKER_HOSTS: `nas=tcp://127.0.0.1:${api.port}`,
    PLUMBLINE_DOCKER_CERTIFICATES: `nas=${folder}`,
  })
  const { containers } = opened.hosts[0]!
  containers.changed()
  return containers.get()
}

describe('a host that asks for certificates', () => {
  it('is read with ours, and its events are heard', async () => {
    const folder = put(client)
    expect(await look(folder)).toMatchObject({ known: true, state: { containers: [{ name: 'app' }] } })
    opened!.start()
    await expect.poll(() => api.listeners()).toBe(1)
  })

  it.each<[string, () => Partial<Files>, RegExp]>([
    [
      'shows a certificate of another authority',
      () => ({ ...client, ca: stranger.ca }),
      /not trusted|SELF_SIGNED|UNABLE/,
    ],
    ['turns ours away', () => ({ ...stranger, ca: client.ca }), /broke the connection|failed|broke off/],
    [
      'has a file missing here',
      () => ({ ca: client.ca, cert: client.cert }),
      /nas\/key\.pem, which cannot be read \(ENOENT\)/,
    ],
    ['has a key that is none', () => ({ ...client, key: 'canary' }), /to be a certificate and its key/],
    ['has a key of another', () => ({ ...client, key: stranger.key }), /to be a certificate and its key/],
  ])('that %s is unknown, and nothing was asked', async (_what, given, words) => {
    const seen = await look(put(given()))
    expect(seen).toMatchObject({ known: false, reason: 'unreachable' })
    const detail = seen.known ? '' : seen.detail
    expect(detail).toMatch(words)
    expect(detail).not.toContain('canary')
    expect(api.asked).toEqual([])
  })

  it('certificates that were renewed are taken up', async () => {
    const folder = put(stranger)
    expect(await look(folder)).toMatchObject({ known: false })
    put(client)
    expect(await look(folder)).toMatchObject({ known: true })
  })
})

it('hosts of several kinds stand side by side, and one that is silent does not hide the others', async () => {
  const socket_path = join(directory, 'docker.sock')
  const local = await dockerApi({ socket_path })
  const plain = await dockerApi()
  local.containers = [aContainer('local')]
  plain.containers = [aContainer('plain')]
  opened = openedWith({
    PLUMBLINE_DOCKER_HOSTS: `a=unix:${socket_path},b=tcp://127.0.0.1:${plain.port},nas=tcp://127.0.0.1:${api.port},d=unix:${directory}/none.sock`,
    PLUMBLINE_DOCKER_CERTIFICATES: `nas=${put(client)}`,
  })
  const looks = await Promise.all(opened.hosts.map(({ containers }) => containers.get()))
  expect(looks.map((seen) => (seen.known ? seen.state.containers[0]!.name : null))).toEqual([
    'local',
    'plain',
    'app',
    null,
  ])
  await local.close()
  await plain.close()
})

it.each([
  ['nas=/certificates', /nas is not in PLUMBLINE_DOCKER_HOSTS/],
  ['hub=/certificates', /hub is reached over a socket/],
  ['nas=certificates', /absolute path/],
])('certificates %s are refused at the start', (certificates, words) => {
  const env = {
    PLUMBLINE_DOCKER_HOSTS: 'hub=unix:/run/docker.sock',
    PLUMBLINE_DOCKER_CERTIFICATES: certificates,
  }
  const made = (): unknown => openedWith(env)
  expect(made).toThrow(words)
  expect(made).toThrow(expect.objectContaining<Partial<Failure>>({ code: 'bad_configuration' }) as Failure)
})
