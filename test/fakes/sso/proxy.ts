/**
 * A stand-in for the proxy on a real TLS socket: it has the routes that the routes file names, asks the SSO provider where
 * a route lists the middleware, and else answers with content. `clash` makes it forget the check of a host, as a second
 * middleware of the same name would.
 */
import { readFileSync } from 'node:fs'
import { request as ask } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificateAuthority } from '../certificate-authority.ts'

export interface FakeProxy {
  /** `127.0.0.1:1234` */
  readonly address: string
  readonly asked: readonly { readonly host: string; readonly sni: string | false; readonly path: string }[]
  readonly clash: Set<string>
  /** What an open route answers. */
  backend: { readonly status: number; readonly location?: string }
  /** Answers nothing at all. */
  silent: boolean
  stop(): Promise<void>
}

export async function startProxy(options: {
  readonly routes: () => string
  readonly authelia: string
}): Promise<FakeProxy> {
  const authority = certificateAuthority()
  const { cert, key } = authority.issue({ names: ['*.example.com'] })
  authority.close()
  const asked: { host: string; sni: string | false; path: string }[] = []
  const fake = {
    address: '',
    asked,
    clash: new Set<string>(),
    backend: { status: 200 } as FakeProxy['backend'],
    silent: false,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer({ cert, key }, (request, response) => {
    const host = request.headers.host ?? ''
    const path = request.url ?? '/'
    asked.push({ host, sni: (request.socket as { servername?: string }).servername ?? false, path })
    if (fake.silent) return
    const route = routeOf(textOf(options.routes()), host)
    if (route === null) return void response.writeHead(404).end('404 page not found')
    if (!route.includes('"plumbline-sso"') || fake.clash.has(host)) {
      const { status, location } = fake.backend
      return void response
        .writeHead(status, location === undefined ? {} : { location })
        .end('secret'.repeat(1000))
    }
    const headers = { 'x-forwarded-host': host, 'x-forwarded-uri': path, 'x-forwarded-method': 'GET' }
    const question = ask(`${options.authelia}/api/authz/forward-auth`, {
      headers: { ...headers, 'x-forwarded-proto': 'https' },
    })
    question.on('error', () => response.writeHead(500).end())
    question.on('response', (answer) => {
      answer.resume()
      if (answer.statusCode === 200) return void response.writeHead(fake.backend.status).end('secret')
      const { location } = answer.headers
      response.writeHead(answer.statusCode!, location === undefined ? {} : { location }).end()
    })
    question.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The router of a host as text: exact, or of a star one label above. */
function routeOf(text: string, host: string): string | null {
  const routers = text.slice(text.indexOf('\n  routers:\n'))
  for (const name of [host, host.replace(/^[^.]+/, '*')]) {
    const start = routers.indexOf(`    "plumbline-site_${name}":\n`)
    if (start !== -1) return routers.slice(start).split(/\n(?= {4}\S)/)[0]!
  }
  return null
}
