/** A Docker host, over its socket and over TCP: what it says is read as it is meant, and what it does wrong is named. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventLine, type EventLine } from '../../../../src/features/discovery/docker/events.ts'
import { dockerHost } from '../../../../src/features/discovery/docker/host.ts'
import { connectorOf } from '../../../../src/io/http-client/connect-options.ts'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import type { HttpClient } from '../../../../src/ports/http-client.ts'
import type { ContainerHost } from '../../../../src/features/discovery/model/lab-port.ts'
import { aContainer, type DockerApi, dockerApi, type DockerApiOptions } from '../../../fakes/lab/docker.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const opened: { close(): Promise<void> }[] = []
let directory: string
beforeEach(() => {
  directory = newFolder('docker')
})
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one)
  return one
}

/** @param socket_path null for TCP */
function hostAt(socket_path: string | null, port = 0): ContainerHost {
  const http: HttpClient = keep(
    createHttpClient({ clock: systemClock, ...(socket_path !== null && { socket_path }) }),
  )
  const events: EventLine = keep(eventLine(connectorOf(socket_path === null ? {} : { socket_path })))
  const base = socket_path === null ? `http://127.0.0.1:${port}` : 'http://docker'
  const place = { address: '192.168.1.10', is_local: socket_path !== null }
  return dockerHost({ name: 'hub', place, base, http, events, clock: systemClock })
}

async function pair(options: DockerApiOptions = {}): Promise<[DockerApi, ContainerHost]> {
  const api = keep(await dockerApi(options))
  return [api, hostAt(null, api.port)]
}

const signal = () => AbortSignal.timeout(60_000)

describe('the version that is spoken', () => {
  it.each([
    ['1.56', '1.40', '/v1.52/'],
    ['1.47', '1.24', '/v1.47/'],
    ['1.24', '1.12', '/v1.24/'],
  ])('a host of %s (at least %s) is asked for %s', async (most, least, path) => {
    const [api, host] = await pair({ most, least })
    expect(await host.look(signal())).toMatchObject({ known: true, state: { containers: [], unreadable: 0 } })
    expect(api.asked.at(-1)).toContain(path)
  })

  it('a host that is too old says so', async () => {
    const [, host] = await pair({ most: '1.23', least: '1.12' })
    expect(await host.look(signal())).toMatchObject({ known: false, reason: 'refused' })
  })
})

describe('what a host tells', () => {
  it('is read over its unix socket as over TCP', async () => {
    const socket_path = join(directory, 'docker.sock')
    const api = keep(await dockerApi({ socket_path }))
    api.containers = [aContainer('app')]
    const look = await hostAt(socket_path).look(signal())
    expect(look).toMatchObject({ known: true, state: { containers: [{ name: 'app', state: 'running' }] } })
  })

  it.each<[what: string, entry: Readonly<Record<string, unknown>>, read: object]>([
    [
      'health in a field of its own',
      { Health: { Status: 'unhealthy', FailingStreak: 3 } },
      { health: 'unhealthy' },
    ],
    ['health in the words alone', { Status: 'Up 2 hours (health: starting)' }, { health: 'starting' }],
    ['words that only look like health', { Status: 'Up 2 hours (Paused)' }, { health: null }],
    [
      'a port that is published for both families',
      {
        Ports: [
          { IP: '0.0.0.0', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' },
          { IP: '::', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' },
        ],
      },
      { ports: [{ protocol: 'tcp', private_port: 80, public_port: 8080, address: null }] },
    ],
    [
      'a port on the loopback alone',
      { Ports: [{ IP: '127.0.0.1', PrivatePort: 80, PublicPort: 8080, Type: 'tcp' }] },
      {
        ports: [{ protocol: 'tcp', private_port: 80, public_port: 8080, address: '127.0.0.1' }],
      },
    ],
    [
      'ports that are none',
      { Ports: [{ PrivatePort: 0 }, { PrivatePort: '80', Type: 'tcp' }, null] },
      {
        ports: [{ protocol: 'tcp', private_port: 80, public_port: null, address: null }],
      },
    ],
    [
      'the host network',
      {
        HostConfig: { NetworkMode: 'host' },
        Ports: [],
        NetworkSettings: { Networks: { host: { IPAddress: '' } } },
      },
      {
        is_on_host_network: true,
        ports: [],
        networks: [{ name: 'host', addresses: [], fixed: [], aliases: [] }],
      },
    ],
    [
      'lists that are null',
      { Ports: null, Labels: null, NetworkSettings: null, Names: null },
      { ports: [], labels: {}, networks: [] },
    ],
    ['a state that nobody knows', { State: 'levitating' }, { state: 'unknown' }],
    ['a name with a line break', { Names: ['/a\nb'] }, { name: 'a b' }],
  ])('%s', async (_what, entry, read) => {
    const [api, host] = await pair()
    api.containers = [aContainer('app', entry)]
    const look = await host.look(signal())
    expect(look.known && look.state.containers).toEqual([expect.objectContaining(read)])
  })

  it('an entry that cannot be read is counted, not dropped in silence', async () => {
    const [api, host] = await pair()
    api.containers = [aContainer('app'), 'nonsense', { Names: ['/without-id'] }]
    expect(await host.look(signal())).toMatchObject({
      state: { containers: [{ name: 'app' }], unreadable: 2 },
    })
  })
})

describe('a host that misbehaves is unknown, and never empty', () => {
  const MISBEHAVIOURS: [string, (api: DockerApi) => void, string, RegExp][] = [
    ['HTML with 200', (api) => (api.containers = '<html>'), 'unreadable', /not what Docker promises/],
    ['an object', (api) => (api.containers = { message: 'ok' }), 'unreadable', /not what Docker promises/],
    ['null', (api) => (api.containers = null), 'unreadable', /not what Docker promises/],
    [
      'a list that is cut',
      (api) => (api.containers = '[{"Id":"a"},'),
      'unreadable',
      /not what Docker promises/,
    ],
    [
      'something else on the port',
      (api) => (api.answer = (_, response) => void response.end('hello')),
      'unreadable',
      /not a Docker API/,
    ],
    [
      'a proxy that forbids',
      (api) => (api.answer = (_, response) => void response.writeHead(403).end('{"message":"no\\nway"}')),
      'refused',
      /no way \(403\)/,
    ],
    [
      'a broken connection',
      (api) => (api.answer = (request) => request.socket.destroy()),
      'unreachable',
      /broke/,
    ],
    [
      'a redirect',
      (api) =>
        (api.answer = (_, response) =>
          void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
      'unreadable',
      /302/,
    ],
  ]
  it.each(MISBEHAVIOURS)('%s', async (_what, misbehave, reason, detail) => {
    const [api, host] = await pair()
    misbehave(api)
    const look = await host.look(signal())
    expect(look).toMatchObject({ known: false, reason })
    expect(look.known ? '' : look.detail).toMatch(detail)
    expect(look.known ? '' : look.detail).toMatch(/^hub: .*PLUMBLINE_DOCKER_HOSTS\.$/)
  })

  it('a socket that is not there', async () => {
    const look = await hostAt(join(directory, 'nowhere.sock')).look(signal())
    expect(look).toMatchObject({ known: false, reason: 'unreachable' })
  })

  it('an answer that never ends, ends with the signal', async () => {
    const [api, host] = await pair()
    api.answer = (_, response) => void response.write('[')
    const stop = new AbortController()
    const look = host.look(stop.signal)
    await expect.poll(() => api.asked.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(look).rejects.toThrow('enough')
  })
})

describe('the event stream', () => {
  it('wakes at an event and at its end, and never throws', async () => {
    const [api, host] = await pair()
    const first = host.changed(signal())
    await expect.poll(() => api.listeners()).toBe(1)
    api.tell()
    expect(await first).toBe(true)
    const stop = new AbortController()
    const second = host.changed(stop.signal)
    await expect.poll(() => api.listeners()).toBe(1)
    stop.abort()
    expect(await second).toBe(false)
    expect(await hostAt(join(directory, 'nowhere.sock')).changed(signal())).toBe(false)
  })
})
