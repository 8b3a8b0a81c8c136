/**
 * What leads where, of what is deployed: entry point → domain → policy → service → machine. Pure. Above 200 in a column what
 * belongs together becomes one node with its count: domains by the name above them, services by their machine, machines by
 * their network; and where that is still too much, the smallest of them become one.
 */
import { canonicalAddress, hostPort } from '../../../model/network/address.ts'
import { canBeProtected, isProtected } from '../../../model/access/applies.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { IntentRow } from '../../../model/intent.ts'
import { NODE_KINDS, type POLICIES, type MapNode, type MapEdge } from '../views.ts'
export type NodeKind = (typeof NODE_KINDS)[number]
type Policy = (typeof POLICIES)[number]

export interface DeployedMap {
  /** Whether a node stands for several things. */
  readonly grouped: boolean
  readonly nodes: readonly MapNode[]
  readonly edges: readonly MapEdge[]
}

export const MAX_IN_COLUMN = 200
const OTHERS = 'others'

export interface MapParts {
  readonly http_entrypoint: string
  readonly https_entrypoint: string
}

type Path = Readonly<Record<NodeKind, string | null>>

export function mapOf(rows: readonly IntentRow[], parts: MapParts): DeployedMap {
  const paths = rows.map(({ domain_id, fields }) => ({ domain_id, path: pathOf(fields, parts) }))
  const columns = NODE_KINDS.map((kind) => ({
    kind,
    groupOf: grouping(kind, [...new Set(paths.flatMap(({ path }) => path[kind] ?? []))], paths),
  }))
  const nodes = new Map<string, { kind: NodeKind; label: string; things: Set<string>; ids: number[] }>()
  const edges = new Map<string, { from: string; to: string; domains: number }>()
  for (const { domain_id, path } of paths) {
    let from: string | null = null
    for (const { kind, groupOf } of columns) {
      const thing = path[kind]
      if (thing === null) continue
      const label = groupOf(thing)
      const id = `${kind}:${label}`
      const node = nodes.get(id) ?? { kind, label, things: new Set(), ids: [] }
      nodes.set(id, node)
      node.things.add(thing)
      node.ids.push(domain_id)
      if (from !== null) {
        const key = `${from} ${id}`
        const edge = edges.get(key) ?? { from, to: id, domains: 0 }
        edges.set(key, edge)
        edge.domains += 1
      }
      from = id
    }
  }
  const shown = [...nodes].map(([id, { kind, label, things, ids }]): MapNode => ({
    id,
    kind,
    label,
    stands_for: things.size,
    domains: ids.length,
    domain_ids: ids.length > MAX_IN_COLUMN ? null : ids,
  }))
  return { grouped: shown.some(({ stands_for }) => stands_for > 1), nodes: shown, edges: [...edges.values()] }
}

/** A record without a backend ends at its policy. */
function pathOf(fields: DomainFields, { http_entrypoint, https_entrypoint }: MapParts): Path {
  const { domain, protocol, tcp_entrypoint, ssl_enabled, backend_host, backend_port } = fields
  const has_backend = backend_host !== null && backend_port !== null
  return {
    entrypoint: protocol === 'tcp' ? tcp_entrypoint : ssl_enabled ? https_entrypoint : http_entrypoint,
    domain,
    policy: policyOf(fields),
    service: has_backend ? hostPort(backend_host, backend_port) : null,
    machine: has_backend ? backend_host : null,
  }
}

function policyOf(fields: DomainFields): Policy {
  if (isProtected(fields)) return 'sign_in'
  if (!canBeProtected(fields)) return 'tcp'
  return fields.service_type === 'internal' ? 'private' : 'public'
}

/** As each thing is shown: itself where there is room for all. */
function grouping(
  kind: NodeKind,
  things: readonly string[],
  paths: readonly { readonly path: Path }[],
): (thing: string) => string {
  if (things.length <= MAX_IN_COLUMN) return (thing) => thing
  const machines = new Map(paths.map(({ path }) => [path.service, path.machine]))
  const above = (thing: string): string => {
    if (kind === 'service') return machines.get(thing) ?? thing
    return kind === 'machine' ? networkOf(thing) : nameAbove(thing)
  }
  const sizes = new Map<string, number>()
  for (const thing of things) sizes.set(above(thing), (sizes.get(above(thing)) ?? 0) + 1)
  if (sizes.size <= MAX_IN_COLUMN) return above
  const largest = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, MAX_IN_COLUMN - 1)
  const kept = new Set(largest.map(([group]) => group))
  return (thing) => (kept.has(above(thing)) ? above(thing) : OTHERS)
}

const nameAbove = (name: string): string => {
  const [, ...rest] = name.split('.')
  return rest.length > 1 ? `*.${rest.join('.')}` : name
}

/** The /24 of an IPv4 address, the /64 of another; the name above a name. */
function networkOf(host: string): string {
  const address = canonicalAddress(host)
  if (address === null) return nameAbove(host)
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return `${address.split(':').slice(0, 4).join(':')}::/64`
}
