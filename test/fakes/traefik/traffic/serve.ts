/** From a request to the router that takes it: the highest priority whose rule holds, at this entry point, with or without TLS. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Runtime } from '../build/build.ts'
import { canonicalHost } from '../rules/host.ts'
import type { EntrypointPlan } from '../static.ts'
import { type Exchange, notFound, pathOf, queryOf, reply } from './exchange.ts'
import { receiver } from './receive.ts'

export interface Seen {
  readonly entrypoint: string
  readonly host: string
  readonly sni: string | false
  readonly path: string
  /** In lower case, as they came. */
  readonly headers: readonly string[]
}

export interface Serving {
  readonly runtime: () => Runtime
  readonly onSeen: (seen: Seen) => void
  readonly isSilent: () => boolean
  /** In place of that of the socket; null for that of the socket. */
  readonly clientAddress: () => string | null
}

export function server(plan: EntrypointPlan, { runtime, onSeen, isSilent, clientAddress }: Serving) {
  const receive = receiver(plan)
  return (request: IncomingMessage, response: ServerResponse, upgrade_head: Buffer | null): void => {
    onSeen(seenOf(plan, request))
    if (isSilent()) return
    const exchange = receive({ request, response, upgrade_head, address: clientAddress() })
    const handler = routeOf(exchange, runtime())?.handler ?? notFound
    void run(async () => handler(exchange), exchange)
  }
}

async function run(handle: () => Promise<void>, exchange: Exchange): Promise<void> {
  try {
    await handle()
  } catch {
    if (exchange.response.headersSent) exchange.response.destroy()
    else reply(exchange, { status: 500 })
  }
}

function routeOf(exchange: Exchange, { routes }: Runtime) {
  const { entrypoint, is_secure, method, host, headers, address } = exchange
  const facts = {
    method,
    host: canonicalHost(host),
    path: pathOf(exchange),
    query: new URLSearchParams(queryOf(exchange)),
    headers: headers.byName(),
    address,
  }
  return routes.find(
    ({ router, is_secure: for_tls, isMatch }) =>
      for_tls === is_secure &&
      router.status !== 'disabled' &&
      (router['using'] as readonly string[]).includes(entrypoint) &&
      isMatch(facts),
  )
}

function seenOf({ name }: EntrypointPlan, { headers, url, socket, rawHeaders }: IncomingMessage): Seen {
  return {
    entrypoint: name,
    host: headers.host ?? '',
    sni: ('encrypted' in socket && (socket as TLSSocket).servername) || false,
    path: url ?? '/',
    headers: rawHeaders.filter((_, i) => i % 2 === 0).map((one) => one.toLowerCase()),
  }
}
