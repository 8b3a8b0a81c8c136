/**
 * A Proxmox VE API as far as it is read: strict about the token and the paths, with what it sends odd in the ways of real
 * ones: numbers as texts, flags as 0 and 1, messages in the reason phrase, refusals that come late, lists that leave out in
 * silence what the token may not see.
 */
import { createServer as plainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as tlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export const PROXMOX_TOKEN = 'monitor@pve!plumbline=8f1c6f0e-0000-4000-8000-canary000001'

export interface FakeGuest {
  readonly type: 'qemu' | 'lxc'
  readonly vmid: number
  readonly name: string
  readonly node?: string
  readonly status?: string
  readonly uptime?: number
  readonly config?: Readonly<Record<string, unknown>>
  /** What the agent or the kernel tells; a text is a reason phrase (500); `hang`: nothing comes. */
  readonly inside?: unknown
  /** Further members of its row. */
  readonly row?: Readonly<Record<string, unknown>>
}

export interface ProxmoxApi {
  readonly base: string
  readonly asked: string[]
  guests: FakeGuest[]
  nodes: string[]
  /** By path, as `/access/permissions` tells it. Without VM.Audit above a guest it is not listed. */
  permissions: Record<string, Record<string, unknown>>
  /** Nodes that the asked one cannot reach. */
  readonly silent_nodes: Set<string>
  /** Most agents that were asked at the same time. */
  readonly agents_at_once: () => number
  /** Replaces an answer; false leaves it to the rules. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
  close(): Promise<void>
}

export interface ProxmoxOptions {
  readonly tls?: { readonly key: string; readonly cert: string }
  /** How late a refusal of the token comes; the real one takes three seconds. */
  readonly refuse_after_ms?: number
}

export async function proxmoxApi({ tls, refuse_after_ms = 20 }: ProxmoxOptions = {}): Promise<ProxmoxApi> {
  const timers = new Set<NodeJS.Timeout>()
  let agents = 0
  let max_agents = 0
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    api.asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    if (api.answer?.(request, response) === true) return
    const path = /^\/api2\/json(\/[^?]*)/.exec(request.url ?? '')?.[1] ?? ''
    if (request.method !== 'GET') return fail(response, 501, `Method 'POST ${path}' not implemented`)
    if (request.headers.authorization !== `PVEAPIToken=${PROXMOX_TOKEN}`) {
      const timer = setTimeout(() => fail(response, 401, 'invalid token value!'), refuse_after_ms)
      return void timers.add(timer)
    }
    if (path === '/version') return good(response, { version: '9.1.3', release: '9.1', repoid: 'abc' })
    if (path === '/access/permissions') return good(response, api.permissions)
    if (path === '/nodes')
      return good(
        response,
        api.nodes.map((node) => ({ node, status: 'online' })),
      )
    if (path === '/cluster/nextid') return nextId(request, response)
    if (path === '/cluster/resources') return good(response, api.guests.filter(maySee).map(rowOf))
    askGuest(path, response)
  }

  const askGuest = (path: string, response: ServerResponse): void => {
    const [, node = '', type, id, rest] = /^\/nodes\/([^/]+)\/(qemu|lxc)\/(\d+)\/(.+)$/.exec(path) ?? []
    if (api.silent_nodes.has(node)) return fail(response, 595, 'Connection timed out')
    const guest = api.guests.find((one) => one.type === type && one.vmid === Number(id))
    if (guest === undefined || (guest.node ?? 'pve1') !== node)
      return fail(
        response,
        500,
        `Configuration file 'nodes/${node}/${type}-server/${id}.conf' does not exist`,
      )
    if (!maySee(guest)) return fail(response, 403, `Permission check failed (/vms/${id}, VM.Audit)`)
    if (rest === 'config') return good(response, { digest: 'd', ...guest.config })
    const inside = type === 'qemu' ? 'agent/network-get-interfaces' : 'interfaces'
    if (rest !== inside) return fail(response, 501, `Method 'GET ${path}' not implemented`)
    if (type === 'qemu') {
      agents++
      max_agents = Math.max(max_agents, agents)
      response.once('close', () => agents--)
    }
    if (guest.inside === 'hang') return
    if ((guest.status ?? 'running') !== 'running') return fail(response, 500, `VM ${id} is not running`)
    if (guest.inside === undefined) return fail(response, 500, 'QEMU guest agent is not running')
    if (typeof guest.inside === 'string') return fail(response, 500, guest.inside)
    return good(response, type === 'qemu' ? { result: guest.inside } : guest.inside)
  }

  /** A number that is taken is refused, whether the token may see who has it or not. */
  const nextId = (request: IncomingMessage, response: ServerResponse): void => {
    const vmid = Number(new URL(request.url ?? '', 'http://pve').searchParams.get('vmid') ?? 100)
    if (api.guests.some((guest) => guest.vmid === vmid))
      return fail(response, 400, 'Parameter verification failed.')
    good(response, String(vmid))
  }

  const maySee = ({ vmid }: FakeGuest): boolean => {
    const at = (path: string) => api.permissions[path]?.['VM.Audit']
    return at(`/vms/${vmid}`) !== undefined || Number(at('/vms')) === 1 || Number(at('/')) === 1
  }

  const server = tls === undefined ? plainServer(listen) : tlsServer(tls, listen)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const api: ProxmoxApi = {
    base: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked: [],
    guests: [],
    nodes: ['pve1', 'pve2'],
    permissions: { '/': { 'VM.Audit': 1, 'Sys.Audit': 1 }, '/vms': { 'VM.Audit': 1 } },
    silent_nodes: new Set(),
    agents_at_once: () => max_agents,
    answer: null,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return api
}

function good(response: ServerResponse, data: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json;charset=UTF-8' })
  response.end(JSON.stringify({ data }))
}

/** The message is in the status line alone. */
function fail(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, reason, { 'content-type': 'application/json;charset=UTF-8' })
  response.end(JSON.stringify({ data: null }))
}

const rowOf = (guest: FakeGuest) => ({
  id: `${guest.type}/${guest.vmid}`,
  type: guest.type,
  vmid: String(guest.vmid),
  name: guest.name,
  node: guest.node ?? 'pve1',
  status: guest.status ?? 'running',
  template: 0,
  uptime: guest.uptime ?? 86_400,
  cpu: '0.031',
  maxcpu: 4,
  ...guest.row,
})

/** As the guest agent tells them, with the loopback and a bridge of containers that every guest has. */
export const agentSays = (mac: string, ...addresses: readonly string[]) => [
  { name: 'lo', 'hardware-address': '00:00:00:00:00:00', 'ip-addresses': [{ 'ip-address': '127.0.0.1' }] },
  {
    name: 'eth0',
    'hardware-address': mac.toLowerCase(),
    'ip-addresses': [
      ...addresses.map((address) => ({ 'ip-address': address, 'ip-address-type': 'ipv4', prefix: 24 })),
      { 'ip-address': 'fe80::1', 'ip-address-type': 'ipv6', prefix: 64 },
    ],
  },
  {
    name: 'docker0',
    'hardware-address': '02:42:00:00:00:01',
    'ip-addresses': [{ 'ip-address': '172.17.0.1' }],
  },
]
