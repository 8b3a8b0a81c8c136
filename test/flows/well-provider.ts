/**
 * An SSO provider that is well, for houses whose subject it is not: one for all of a worker, which ends with it. Records ask for
 * a sign-in unless they say otherwise, so whoever has none is told so with every save.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const NAMES = ['PLUMBLINE_SSO_URL', 'PLUMBLINE_SSO_HEALTH_URL']

let started: Promise<string> | null = null

async function start(): Promise<string> {
  const server = createServer((request, response) => {
    const is_health = request.url === '/api/health'
    response
      .writeHead(is_health ? 200 : 404, { 'content-type': 'application/json' })
      .end(is_health ? '{"status":"OK"}' : '{}')
  })
  server.on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/health`
}

/** Nothing where the environment says where the provider is; an empty text says that nobody did. */
export async function wellProvider(
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  if (NAMES.some((name) => name in env)) return {}
  started ??= start()
  return { PLUMBLINE_SSO_HEALTH_URL: await started }
}
