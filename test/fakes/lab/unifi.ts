/**
 * A UniFi controller as far as it is read, in its three kinds: UniFi OS with an API key, UniFi OS with a login, and the
 * classic one. Strict about cookies and CSRF, with the odd types of real firmware, and able to misbehave.
 */
import { createServer as plainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as tlsServer } from 'node:https'

export type Kind = 'key' | 'login' | 'classic'

export interface UnifiApi {
  readonly base: string
  readonly asked: readonly string[]
  readonly logins: () => number
  /** By path below the site: `stat/sta`, and with `v2/` or `v1/` before it for the other two families. */
  readonly lists: Map<string, readonly unknown[]>
  readonly sites: unknown[]
  /** The credential may change nothing. */
  read_only: boolean
  /** Replaces an answer; false leaves it to the rules. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
  /** Ends all sessions, as a restart of the controller does. */
  endSessions(): void
  close(): Promise<void>
}

export const UNIFI_KEY = 'unifi-key-0123456789=='
export const UNIFI_USER = 'observer'
export const UNIFI_PASSWORD = 'pass word, with "marks"'

export interface UnifiOptions {
  readonly kind?: Kind
  readonly tls?: { readonly key: string; readonly cert: string }
}

export async function unifiApi({ kind = 'key', tls }: UnifiOptions = {}): Promise<UnifiApi> {
  const asked: string[] = []
  const sessions = new Map<string, string>()
  let logins = 0
  const os = kind !== 'classic'
  const cookie = os ? 'TOKEN' : 'unifises'

  const handle = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const line = `${request.method ?? ''} ${request.url ?? ''}`
    asked.push(line)
    if (api.answer?.(request, response) === true) return
    const send = (status: number, value: unknown, headers: Record<string, string | string[]> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(value))
    }
    const refuse = (status: number, msg: string) => send(status, { meta: { rc: 'error', msg }, data: [] })
    if (line === 'GET /') {
      response.writeHead(os ? 200 : 302, os ? { 'content-type': 'text/html' } : { location: '/manage' })
      return void response.end(os ? '<html></html>' : '')
    }
    if (line === `POST ${os ? '/api/auth/login' : '/api/login'}` && kind !== 'key') {
      logins++
      const given = JSON.parse(body) as Record<string, unknown>
      if (given['username'] !== UNIFI_USER || given['password'] !== UNIFI_PASSWORD)
        return os
          ? send(403, { code: 'AUTHENTICATION_FAILED', message: 'no' })
          : refuse(400, 'api.err.Invalid')
      const token = `session-${logins}`
      sessions.set(token, `csrf-${logins}`)
      const set = [`${cookie}=${token}; path=/; expires=Thu, 01 Jan 2099 00:00:00 GMT; secure; httponly`]
      if (!os) set.push(`csrf_token=csrf-${logins}; path=/`)
      return send(200, os ? { unique_id: '1' } : { meta: { rc: 'ok' }, data: [] }, {
        'set-cookie': set,
        ...(os ? { 'x-csrf-token': `csrf-${logins}` } : {}),
      })
    }
    const prefix = os ? '/proxy/network' : ''
    const below = request.url!.startsWith(prefix) ? request.url!.slice(prefix.length) : ''
    if (!/^\/(?:api|v2\/api|integration\/v1)\//.test(below))
      return send(404, { code: 404, message: 'not found' })
    if (kind === 'key') {
      if (request.headers['x-api-key'] !== UNIFI_KEY) return send(401, { code: 401, message: 'Unauthorized' })
    } else {
      const [, token = ''] = new RegExp(`(?:^|; )${cookie}=([^;]+)`).exec(request.headers.cookie ?? '') ?? []
      const csrf = sessions.get(token)
      if (csrf === undefined) return refuse(401, 'api.err.LoginRequired')
      if (request.method !== 'GET' && request.headers['x-csrf-token'] !== csrf)
        return os
          ? send(403, { code: 'CSRF', message: 'Invalid CSRF Token' })
          : refuse(403, 'api.err.NoPermission')
    }
    if (below.startsWith('/v2/')) return answerBare(api, below, send)
    if (below.startsWith('/integration/')) return answerOfficial(api, below, send)
    const path = below.slice('/api/'.length)
    if (path === 'self/sites') return send(200, { meta: { rc: 'ok' }, data: api.sites })
    const [, site, list] = /^s\/([^/]+)\/(.+)$/.exec(path) ?? []
    const known = (api.sites as { name: string }[]).some(({ name }) => name === site)
    if (!known) return refuse(400, 'api.err.NoSiteContext')
    if (list!.startsWith('rest/user')) return answerUsers(api, { list: list!, request, body }, send)
    const method = list === 'stat/alluser' ? 'POST' : 'GET'
    if (request.method !== method) return refuse(405, 'api.err.MethodNotAllowed')
    if (list === 'stat/alluser' && (JSON.parse(body) as { type?: unknown }).type !== 'all')
      return refuse(400, 'api.err.InvalidPayload')
    const data = api.lists.get(`${site}/${list}`) ?? api.lists.get(list!)
    return data === undefined ? refuse(404, 'api.err.NotFound') : send(200, { meta: { rc: 'ok' }, data })
  }

  const listen = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handle(request, response, Buffer.concat(chunks).toString('utf8')))
  }
  const server = tls === undefined ? plainServer(listen) : tlsServer(tls, listen)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  const api: UnifiApi = {
    base: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked,
    logins: () => logins,
    lists: new Map(Object.entries(structuredClone(LISTS))),
    sites: [{ _id: '5f', name: 'default', desc: 'Home' }],
    read_only: false,
    answer: null,
    endSessions: () => sessions.clear(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return api
}

type Send = (status: number, value: unknown) => void

interface UserCall {
  readonly list: string
  readonly request: IncomingMessage
  readonly body: string
}

/** Client objects: the list, one of them, and a change of one. What is not sent stays. */
function answerUsers(api: UnifiApi, { list, request, body }: UserCall, send: Send): void {
  const rows = api.lists.get('rest/user') as readonly Record<string, unknown>[]
  const [, id] = /^rest\/user(?:\/([^/]+))?$/.exec(list) ?? []
  const refuse = (status: number, msg: string) => send(status, { meta: { rc: 'error', msg }, data: [] })
  if (request.method === 'GET' && id === undefined) return send(200, { meta: { rc: 'ok' }, data: rows })
  const row = rows.find((one) => one['_id'] === id)
  if (row === undefined) return refuse(400, 'api.err.IdInvalid')
  if (request.method === 'PUT') {
    if (api.read_only) return refuse(403, 'api.err.NoPermission')
    const { name } = JSON.parse(body) as { name?: unknown }
    if (typeof name !== 'string' || name.length > 128) return refuse(400, 'api.err.InvalidPayload')
    row['name'] = name
  } else if (request.method !== 'GET') return refuse(405, 'api.err.MethodNotAllowed')
  send(200, { meta: { rc: 'ok' }, data: [row] })
}

/** The `/v2/api` family: bare lists, and errors of another shape. */
function answerBare({ lists }: UnifiApi, url: string, send: Send): void {
  const [, site = '', list = ''] = /^\/v2\/api\/site\/([^/]+)\/(.+)$/.exec(url) ?? []
  const rows = lists.get(`v2/${site}/${list}`) ?? lists.get(`v2/${list}`)
  if (rows === undefined) return send(404, { code: 'api.err.NotFound', message: 'Not found', details: {} })
  send(200, rows)
}

/** The official API: pages of at most 200, sites by an id of their own. */
function answerOfficial({ lists, sites }: UnifiApi, url: string, send: Send): void {
  const { pathname, searchParams } = new URL(url, 'http://unifi')
  const error = {
    statusCode: 404,
    statusName: 'NOT_FOUND',
    code: 'api.request.not-found',
    message: 'Not found',
  }
  const [, id, list] = /^\/integration\/v1\/sites(?:\/([^/]+)\/(.+))?$/.exec(pathname) ?? []
  const named = (sites as { name: string; desc?: string }[]).map(({ name, desc }) => {
    return { id: `uuid-${name}`, internalReference: name, name: desc }
  })
  const rows =
    id === undefined ? named : named.some((one) => one.id === id) ? lists.get(`v1/${list}`) : undefined
  if (rows === undefined) return send(404, error)
  const offset = Number(searchParams.get('offset') ?? 0)
  const limit = Number(searchParams.get('limit') ?? 25)
  if (limit > 200) return send(400, { ...error, statusCode: 400, code: 'api.request.argument-out-of-range' })
  const data = rows.slice(offset, offset + limit)
  send(200, { offset, limit, count: data.length, totalCount: rows.length, data })
}

/** A small home, with numbers and flags as some firmware sends them. */
const LISTS: Readonly<Record<string, readonly unknown[]>> = {
  'stat/health': [
    { subsystem: 'wlan', status: 'ok', num_user: '1', num_ap: 1 },
    { subsystem: 'wan', status: 'ok', wan_ip: '198.51.100.7', latency: '12', uptime: 86400 },
    { subsystem: 'www', status: 'ok', latency: 12 },
    { subsystem: 'vpn', status: 'ok', remote_user_num_active: '2', site_to_site_num_active: 1 },
  ],
  'stat/sta': [
    {
      _id: '65a01',
      mac: '02:00:5E:10:00:01',
      ip: '192.168.1.50',
      hostname: 'HPLJ',
      name: 'printer',
      oui: 'HP',
      is_wired: 'true',
      is_guest: false,
      network: 'Default',
      vlan: '1',
      last_seen: '1700086400',
    },
    {
      _id: '65a02',
      mac: '02:00:5e:10:00:02',
      ip: '192.168.1.61',
      hostname: 'phone',
      is_wired: 0,
      last_seen: 1700086400,
    },
  ],
  'stat/alluser': [
    { mac: '02:00:5e:10:00:01', hostname: 'HPLJ', last_ip: '192.168.1.49', last_seen: 1690000000 },
    {
      mac: '02:00:5e:10:00:03',
      hostname: 'old-nas',
      last_ip: '192.168.1.9',
      last_seen: 1690000000,
      is_wired: true,
    },
    { mac: 'nonsense' },
  ],
  'stat/device': [
    {
      mac: '02:00:5e:20:00:01',
      name: 'Gateway',
      type: 'udm',
      model: 'UDMPRO',
      ip: '192.168.1.1',
      state: '1',
    },
    { mac: '02:00:5e:20:00:02', name: 'Attic', type: 'uap', model: 'U6', ip: '192.168.1.2', state: 0 },
  ],
  'rest/networkconf': [
    { name: 'WAN', purpose: 'wan', ip_subnet: '' },
    { name: 'Default', purpose: 'corporate', ip_subnet: '192.168.1.1/24' },
  ],
  'rest/portforward': [
    {
      _id: '66a',
      name: 'https',
      enabled: 'true',
      pfwd_interface: 'wan',
      src: 'any',
      dst_port: '80,443',
      fwd: '192.168.1.10',
      fwd_port: '80,443',
      proto: 'tcp',
      destination_ip: 'any',
    },
    { _id: '66b', name: 'printer', enabled: true, dst_port: 9100, fwd: '192.168.1.50', proto: 'tcp_udp' },
  ],
  'rest/firewallrule': [],
  'rest/firewallgroup': [{ _id: '67a', name: 'web', group_type: 'port-group', group_members: ['80', 443] }],
  'rest/wlanconf': [
    {
      _id: '68a',
      name: 'lab',
      enabled: 'true',
      security: 'wpapsk',
      wpa_mode: 'wpa2',
      wpa3_support: 0,
      hide_ssid: 'false',
      networkconf_id: '649f',
      wlan_bands: ['2g', '5g'],
    },
  ],
  'rest/user': [
    { _id: '65a01', mac: '02:00:5e:10:00:01', hostname: 'HPLJ', name: 'printer' },
    { _id: '65a02', mac: '02:00:5e:10:00:02', hostname: 'phone' },
  ],
  'stat/sysinfo': [{ version: '9.0.114' }],
}
