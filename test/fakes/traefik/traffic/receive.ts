/** What an entry point does to every request before any router sees it: whom it believes, and which path it takes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { addressList, type IsListed, plainAddress } from '../addresses.ts'
import type { EntrypointPlan } from '../static.ts'
import type { Exchange } from './exchange.ts'
import { HeaderList } from './header-list.ts'

/** Only those whom the entry point trusts may say these. */
const OF_PROXIES = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Method',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'X-Forwarded-Proto',
  'X-Forwarded-Server',
  'X-Forwarded-Tls-Client-Cert',
  'X-Forwarded-Tls-Client-Cert-Info',
  'X-Forwarded-Uri',
  'X-Real-Ip',
]

export interface Received {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly upgrade_head: Buffer | null
  /** In place of that of the socket. */
  readonly address: string | null
}

export function receiver(plan: EntrypointPlan): (received: Received) => Exchange {
  const trusts = trustOf(plan)
  return ({ request, response, upgrade_head, address: other }) => {
    const headers = HeaderList.from(request.rawHeaders)
    const host = headers.get('host')
    headers.delete('host')
    const address = other ?? plainAddress(request.socket.remoteAddress ?? '')
    const is_secure = 'encrypted' in request.socket
    if (!trusts(address)) for (const name of OF_PROXIES) headers.delete(name)
    const say = (name: string, value: string) => headers.has(name) || headers.set(name, value)
    const is_socket = headers.get('upgrade').toLowerCase() === 'websocket'
    say('X-Real-Ip', address)
    say('X-Forwarded-Proto', `${is_socket ? 'ws' : 'http'}${is_secure ? 's' : ''}`)
    say('X-Forwarded-Host', host)
    say('X-Forwarded-Port', /:(\d+)$/.exec(host)?.[1] ?? (is_secure ? '443' : '80'))
    say('X-Forwarded-Server', hostname())
    return {
      request,
      response,
      entrypoint: plan.name,
      is_secure,
      address,
      host,
      method: request.method ?? 'GET',
      url: takenUrl(plan, request.url!),
      headers,
      on_answer: [],
      upgrade_head,
    }
  }
}

function trustOf({ forwardedHeaders = {} }: EntrypointPlan): IsListed {
  const { insecure = false, trustedIPs = [] } = forwardedHeaders
  return insecure ? () => true : addressList(trustedIPs)
}

/** What routers see and the backend gets of a request's target. */
export const takenUrl = ({ sanitizePath }: Pick<EntrypointPlan, 'sanitizePath'>, url: string): string =>
  sanitizePath === false ? url : sanitized(url)

/** Dots and double slashes go; what is encoded stays as it is. */
function sanitized(url: string): string {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  if (!/\/\/|\/\.{1,2}(?:\/|$)/.test(path)) return url
  const kept: string[] = []
  for (const segment of path.split('/'))
    if (segment === '..') kept.pop()
    else if (segment !== '.' && segment !== '') kept.push(segment)
  const ends = /\/\.{0,2}$/.test(path) && kept.length > 0 ? '/' : ''
  return `/${kept.join('/')}${ends}${query < 0 ? '' : url.slice(query)}`
}
