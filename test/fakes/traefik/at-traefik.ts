/** A stand-in beside a folder of its own and a backend that says what reached it, for the tests of the stand-in. */
import { createServer, type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { type FakeTraefik, type FakeTraefikOptions, startFakeTraefik } from './traefik.ts'

export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** Common name of the certificate on the wire; null without TLS. */
  readonly certificate: string | null
  /** What the backend got; null where it answered nothing. */
  readonly seen: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | null
}

export interface Wish {
  readonly entrypoint?: string
  readonly host?: string
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it is asked over TLS; left out: on what is called `websecure` or `https`. */
  readonly tls?: boolean
}

export interface AtTraefik {
  readonly traefik: FakeTraefik
  readonly folder: string
  /** `http://127.0.0.1:1234` */
  readonly backend: string
  write(name: string, text: string): string
  get(wish?: Wish): Promise<Got>
  [Symbol.asyncDispose](): Promise<void>
}

export async function atTraefik(options: FakeTraefikOptions = {}): Promise<AtTraefik> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-traefik-'))
  const server = createServer((request, response) => {
    response.setHeader('x-backend', 'yes')
    response.end(JSON.stringify({ url: request.url, headers: request.headers }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const traefik = await startFakeTraefik(options)
  return {
    traefik,
    folder,
    backend: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    write(name, text) {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    },
    get: (wish = {}) => got(traefik, wish),
    async [Symbol.asyncDispose]() {
      await traefik.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function got(traefik: FakeTraefik, wish: Wish): Promise<Got> {
  const { entrypoint = 'web', host = 'a.example', path = '/', method = 'GET', headers = {} } = wish
  const [name, port] = traefik.address(entrypoint).split(':')
  const is_secure = wish.tls ?? ['websecure', 'https'].includes(entrypoint)
  let certificate: string | null = null
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: name, port, path, method, headers: { ...headers, host }, agent: false as const }
    const asked = is_secure
      ? secure({ ...options, rejectUnauthorized: false, servername: host })
      : plain(options)
    asked.on('response', (found) => {
      if (is_secure) certificate = (found.socket as TLSSocket).getPeerCertificate().subject.CN as string
      resolve(found)
    })
    asked.on('error', reject).end()
  })
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk)
  const seen = answer.headers['x-backend'] === 'yes' ? (JSON.parse(text) as Got['seen']) : null
  return { status: answer.statusCode!, headers: answer.headers, text, certificate, seen }
}

/** A file with one router to the backend; what is said of it is put beside. */
export const routed = (
  backend: string,
  more: { readonly router?: object; readonly http?: object; readonly root?: object } = {},
): string =>
  JSON.stringify({
    ...more.root,
    http: {
      routers: { a: { rule: 'Host(`a.example`)', service: 's', entryPoints: ['web'], ...more.router } },
      services: { s: { loadBalancer: { servers: [{ url: backend }] } } },
      ...more.http,
    },
  })

/** Follows a file of one router with these middlewares, in this order. */
export function serve(
  at: AtTraefik,
  middlewares: Readonly<Record<string, object>>,
  router: object = {},
): void {
  const more = { router: { middlewares: Object.keys(middlewares), ...router } }
  at.traefik.follow(
    at.write(
      'routes.yml',
      routed(at.backend, Object.keys(middlewares).length === 0 ? more : { ...more, http: { middlewares } }),
    ),
  )
}
