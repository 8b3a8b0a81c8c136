/** A hub on loopback as the external check sees it: each probe can be made to fail. */
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import type { ExternalProbe } from '../../src/model/network/external-check.ts'
import { certificateAuthority, type CertificateWish } from '../fakes/certificate-authority.ts'
import { freePorts } from '../kit/ports.ts'
import { type Ran, run, type Running, start } from './command.ts'

/** One that resolves everywhere, and one that never does (RFC 6761). */
const NAME = 'localhost'
const DEAD_NAME = 'hub.invalid'

export interface ExternalWorld {
  readonly folder: string
  /** Its settings, to be changed by a test. */
  readonly env: Record<string, string>
  readonly result: () => Readonly<Record<string, unknown>>
  readonly state_path: string
  /** What fails from now on; everything else passes. */
  failing(...probes: readonly ExternalProbe[]): Promise<void>
  /** What Prometheus and Grafana answer; null for what is right. */
  answering(listener: RequestListener | null): void
  certified(wish: CertificateWish): Promise<void>
  /** In this process, as most of them are: a process of its own takes a second to begin. */
  run(...words: readonly string[]): Promise<Ran>
  runProcess(...words: readonly string[]): Promise<Ran>
  begin(): Running
  [Symbol.asyncDispose](): Promise<void>
}

export async function externalWorld(): Promise<ExternalWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-external-'))
  const authority = certificateAuthority('Outside Authority')
  const [tls_port, prometheus_port, grafana_port, control_port] = (await freePorts(4)) as [
    number,
    number,
    number,
    number,
  ]
  const state_path = join(folder, 'state.json')
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  let issued = authority.issue({ names: [NAME, DEAD_NAME] })
  writeFileSync(join(folder, 'ca.pem'), issued.cert.slice(issued.cert.lastIndexOf('-----BEGIN')))
  let listener: RequestListener | null = null
  const web: RequestListener = (request, response) => {
    if (listener !== null) return listener(request, response)
    if (request.url === '/-/healthy') return void response.end('Prometheus Server is Healthy.\n')
    if (request.url !== '/api/health') return void response.writeHead(404).end()
    response.setHeader('content-type', 'application/json').end('{"database": "ok", "version": "12.0.0"}')
  }
  const open = new Map<string, Server>()
  const listening = async (name: string, port: number, make: () => Server) => {
    if (open.has(name)) return
    const server = make()
    server.on('connection', (socket) => socket.on('error', () => undefined))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    open.set(name, server)
  }
  const closed = async (name: string) => {
    const server = open.get(name)
    open.delete(name)
    if (server === undefined) return
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const env: Record<string, string> = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    PLUMBLINE_PROMETHEUS_URL: `http://127.0.0.1:${prometheus_port}`,
    PLUMBLINE_GRAFANA_URL: `http://127.0.0.1:${grafana_port}`,
    PLUMBLINE_EXTERNAL_CA_FILE: join(folder, 'ca.pem'),
    PLUMBLINE_EXTERNAL_CONTROL: `127.0.0.1:${control_port}`,
    PLUMBLINE_EXTERNAL_STATE: state_path,
    PLUMBLINE_EXTERNAL_RESULT: join(folder, 'result.json'),
    PLUMBLINE_EXTERNAL_PAUSE: '10ms',
  }
  const secure = () => createTlsServer(issued, (socket) => void socket.on('error', () => undefined).end())
  const world: ExternalWorld = {
    folder,
    env,
    state_path,
    result: () =>
      JSON.parse(readFileSync(env['PLUMBLINE_EXTERNAL_RESULT']!, 'utf8')) as Readonly<
        Record<string, unknown>
      >,
    async failing(...probes) {
      const fails = (name: ExternalProbe) => probes.includes(name)
      // As a resolver that broke after it had worked: the address is known from before.
      const name = fails('dns') ? DEAD_NAME : NAME
      const hub = `${name}:${tls_port}`
      env['PLUMBLINE_EXTERNAL_HUB'] = hub
      const is_its_own = existsSync(state_path) && readFileSync(state_path, 'utf8').includes(`"${hub}"`)
      if (fails('dns') && !is_its_own) writeFileSync(state_path, memory(hub, name))
      writeFileSync(join(bin, 'ping'), `#!/bin/sh\nexit ${fails('ping') ? 1 : 0}\n`)
      chmodSync(join(bin, 'ping'), 0o755)
      await (fails('https') ? closed('https') : listening('https', tls_port, secure))
      await (fails('prometheus')
        ? closed('prometheus')
        : listening('prometheus', prometheus_port, () => createServer(web)))
      await (fails('grafana')
        ? closed('grafana')
        : listening('grafana', grafana_port, () => createServer(web)))
    },
    answering: (next) => (listener = next),
    async certified(wish) {
      issued = authority.issue(wish)
      await closed('https')
      await listening('https', tls_port, secure)
    },
    begin: () => start(['external-check'], env),
    runProcess: (...words) => start(['external-check', ...words], env).done,
    run: (...words) => withPath(env['PATH']!, () => run(['external-check', ...words], env)),
    async [Symbol.asyncDispose]() {
      for (const name of open.keys()) await closed(name)
      authority.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await listening('control', control_port, () => createTcpServer((socket) => socket.end()))
  await world.failing()
  return world
}

const memory = (hub: string, name: string): string =>
  JSON.stringify({
    version: 1,
    hub,
    addresses: { [name]: ['127.0.0.1'] },
    reachable_at: 1_795_000_000_000,
    outages: [],
    uncertain_mail: null,
  })

/** Commands are found by the PATH of this process. */
async function withPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['PATH']
  process.env['PATH'] = path
  try {
    return await work()
  } finally {
    process.env['PATH'] = before
  }
}
