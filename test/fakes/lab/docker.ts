/**
 * A Docker Engine API as far as it is read: strict about version and path as the daemon is, over a unix socket or TCP, and
 * able to misbehave.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as tlsServer } from 'node:https'

export interface DockerApi {
  readonly asked: readonly string[]
  /** What `/containers/json` answers; a text goes out as it is. */
  containers: unknown
  /** Replaces every answer, for hosts that are none. Null: none. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null
  /** Tells everybody who listens for events. */
  tell(): void
  readonly listeners: () => number
  readonly port: number
  close(): Promise<void>
}

export interface DockerApiOptions {
  readonly socket_path?: string
  readonly most?: string
  readonly least?: string
  /** Over TLS, as the daemon does with --tlsverify: whoever shows no certificate of that authority is turned away. */
  readonly tls?: { readonly ca: string; readonly cert: string; readonly key: string }
}

const numberOf = (version: string): number => Number(version.split('.')[1])

export async function dockerApi({
  socket_path,
  most = '1.47',
  least = '1.24',
  tls,
}: DockerApiOptions = {}): Promise<DockerApi> {
  const asked: string[] = []
  const streams = new Set<ServerResponse>()
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    if (api.answer !== null) return api.answer(request, response)
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json', 'api-version': most })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    const url = new URL(request.url ?? '', 'http://docker')
    if (request.method !== 'GET') return json(405, { message: 'method not allowed' })
    if (url.pathname === '/_ping') {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'api-version': most })
      return response.end('OK')
    }
    const [, version, path] = /^\/v(\d+\.\d+)(\/.*)$/.exec(url.pathname) ?? []
    if (version === undefined) return json(404, { message: 'page not found' })
    if (numberOf(version) > numberOf(most))
      return json(400, {
        message: `client version ${version} is too new. Maximum supported API version is ${most}`,
      })
    if (numberOf(version) < numberOf(least))
      return json(400, {
        message: `client version ${version} is too old. Minimum supported API version is ${least}, please upgrade your client to a newer version`,
      })
    if (path === '/containers/json' && url.searchParams.get('all') === '1') return json(200, api.containers)
    if (path === '/events' && JSON.parse(url.searchParams.get('filters') ?? '{}').type?.[0] === 'container') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.flushHeaders()
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return undefined
    }
    return json(404, { message: 'page not found' })
  }
  const server =
    tls === undefined
      ? createServer(handle)
      : tlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, handle)
  await new Promise<void>((resolve) =>
    socket_path === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(socket_path, resolve),
  )
  const address = server.address()
  const api: DockerApi = {
    asked,
    containers: [],
    answer: null,
    tell() {
      for (const stream of streams) stream.write('{"Type":"container","Action":"start"}\n')
    },
    listeners: () => streams.size,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return api
}

/** An entry of the list, as the daemon gives it. */
export const aContainer = (name: string, over: Readonly<Record<string, unknown>> = {}) => ({
  Id: `${Buffer.from(name).toString('hex')}${'0'.repeat(64)}`.slice(0, 64),
  Names: [`/${name}`],
  Image: `${name}:1`,
  ImageID: 'sha256:0',
  Command: `/${name}`,
  Created: 1767323045,
  Ports: [{ PrivatePort: 8080, Type: 'tcp' }],
  Labels: {},
  State: 'running',
  Status: 'Up 2 hours',
  HostConfig: { NetworkMode: 'proxy' },
  NetworkSettings: {
    Networks: {
      proxy: { IPAddress: '172.20.0.5', GlobalIPv6Address: '', Aliases: null, DNSNames: [name] },
    },
  },
  Mounts: [],
  ...over,
})
