/** What leads where, laid out in five columns; and what hangs together with a node that somebody points at. */
import type { DeployedMap } from '../../api/types.ts'
import type { FilterRow } from '../filter.ts'

export type MapNode = DeployedMap['nodes'][number]
export const MAP_COLUMNS = ['entrypoint', 'domain', 'policy', 'service', 'machine'] as const

export const COLUMN_TITLES: Readonly<Record<MapNode['kind'], string>> = {
  entrypoint: 'Entry point',
  domain: 'Domain',
  policy: 'Who gets in',
  service: 'Service',
  machine: 'Machine',
}

/** More of a column are not drawn. */
const MAX_DRAWN = 200
const ROW = 24
const WIDTH = 208

export interface PlacedNode {
  readonly node: MapNode
  readonly x: number
  readonly y: number
}

export interface MapLayout {
  readonly placed: ReadonlyMap<string, PlacedNode>
  readonly width: number
  readonly height: number
  /** Of each column, how many are not drawn. */
  readonly left_out: number
}

export const NODE_WIDTH = 172

export function layoutOf(nodes: readonly MapNode[]): MapLayout {
  const placed = new Map<string, PlacedNode>()
  let rows = 0
  let left_out = 0
  for (const [column, kind] of MAP_COLUMNS.entries()) {
    const own = nodes.filter((node) => node.kind === kind)
    left_out += Math.max(0, own.length - MAX_DRAWN)
    rows = Math.max(rows, Math.min(own.length, MAX_DRAWN))
    for (const [row, node] of own.slice(0, MAX_DRAWN).entries())
      placed.set(node.id, { node, x: column * WIDTH, y: row * ROW + 12 })
  }
  return { placed, width: 4 * WIDTH + NODE_WIDTH, height: rows * ROW + 8, left_out }
}

type Edges = DeployedMap['edges']

export interface Lit {
  readonly nodes: ReadonlySet<string>
  /** Words of `edgeKey`. */
  readonly edges: ReadonlySet<string>
}

export const edgeKey = ({ from, to }: Pick<Edges[number], 'from' | 'to'>): string => `${from} ${to}`

/**
 * The ways of these domains and no others: several domains come by one policy and go on to different services, so what
 * lies before and behind a node on the picture is not all of one domain. A node of more than 200 domains does not say of
 * which: it counts where a way of theirs leads to it.
 */
export function waysOf(
  ids: ReadonlySet<number>,
  { nodes, edges }: Pick<DeployedMap, 'nodes' | 'edges'>,
): Lit {
  const own = new Map(
    nodes.map(({ id, domain_ids }) => [id, domain_ids?.filter((one) => ids.has(one)) ?? null]),
  )
  const isOwn = (id: string): boolean => (own.get(id)?.length ?? 0) > 0
  const lit = new Set(nodes.flatMap(({ id }) => (isOwn(id) ? [id] : [])))
  for (const { from, to } of edges)
    for (const [id, other] of [
      [from, to],
      [to, from],
    ] as const)
      if (own.get(id) === null && isOwn(other)) lit.add(id)
  const of_ways = edges.filter(({ from, to }) => {
    if (!lit.has(from) || !lit.has(to)) return false
    const [near, far] = [own.get(from), own.get(to)]
    return !near || !far || near.some((one) => far.includes(one))
  })
  return { nodes: lit, edges: new Set(of_ways.map(edgeKey)) }
}

/** What a node that somebody points at hangs together with. */
export function waysThrough(node: MapNode, map: Pick<DeployedMap, 'nodes' | 'edges'>): Lit {
  if (node.domain_ids !== null) return waysOf(new Set(node.domain_ids), map)
  const nodes = beforeAndBehind(node.id, map.edges)
  const edges = map.edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to))
  return { nodes, edges: new Set(edges.map(edgeKey)) }
}

function beforeAndBehind(id: string, edges: Edges): ReadonlySet<string> {
  const reached = new Set([id])
  for (const [near, far] of [
    ['from', 'to'],
    ['to', 'from'],
  ] as const) {
    const next = Map.groupBy(edges, (edge) => edge[near])
    const queue = [id]
    const seen = new Set(queue)
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const edge of next.get(at) ?? [])
        if (!seen.has(edge[far])) {
          seen.add(edge[far])
          queue.push(edge[far])
        }
    for (const one of seen) reached.add(one)
  }
  return reached
}

/** As they are filtered: what is deployed of a domain where the map says it, and of the rest what is saved. */
export function deployedRows(rows: readonly FilterRow[], nodes: readonly MapNode[]): readonly FilterRow[] {
  const labels = (kind: MapNode['kind']) =>
    new Map(
      nodes.flatMap(({ kind: own, label, stands_for, domain_ids }) =>
        own === kind && stands_for === 1 ? (domain_ids ?? []).map((id) => [id, label] as const) : [],
      ),
    )
  const [names, policies, services] = [labels('domain'), labels('policy'), labels('service')]
  return rows.map((row) => {
    const policy = policies.get(row.id)
    const domain = names.get(row.id) ?? row.domain
    return {
      ...row,
      domain,
      domain_unicode: domain === row.domain ? row.domain_unicode : domain,
      target: services.get(row.id) ?? row.target,
      open: policy === undefined ? row.open : policy === 'public' || policy === 'tcp',
    }
  })
}

/** As the table of domains says it. */
const POLICY_WORDS = new Map([
  ['public', 'open to all'],
  ['sign_in', 'signed in'],
  ['private', 'from inside'],
  ['tcp', 'open to all, by TCP'],
])

/** A group says how many it stands for. */
export function nodeLabel({ kind, label, stands_for }: MapNode): string {
  const text = kind === 'policy' ? (POLICY_WORDS.get(label) ?? label) : label
  return stands_for > 1 ? `${text} (${stands_for})` : text
}

export type MapPart = Readonly<Record<'zone' | 'machine', string | null>>

/**
 * Which part of the map a node stands for: the names below a group of domains, what runs on one machine. Null where the API
 * has no such part, as of a network or of "others".
 */
export function partOf({ kind, label, stands_for }: MapNode): MapPart | null {
  if (kind === 'domain' && label.startsWith('*.')) return { zone: label.slice(2), machine: null }
  if (kind === 'machine' && stands_for === 1) return { zone: null, machine: label }
  // A group of services bears the name of its machine.
  if (kind === 'service' && stands_for > 1 && label !== OTHERS) return { zone: null, machine: label }
  return null
}

const OTHERS = 'others'

/** The address of the whole map, or of that part. */
export function mapAddress({ zone, machine }: MapPart): string {
  const query = new URLSearchParams()
  if (zone !== null) query.set('zone', zone)
  if (machine !== null) query.set('machine', machine)
  return query.size === 0 ? '/api/map' : `/api/map?${query.toString()}`
}
