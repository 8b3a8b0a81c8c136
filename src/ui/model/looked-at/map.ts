/** What leads where, laid out in five columns; and what hangs together with a node that somebody points at. */
import type { DeployedMap } from '../../api/types.ts'

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

/** Everything before and behind them: not what leads to the same end by another way. */
export function hangsTogether(ids: readonly string[], edges: Edges): ReadonlySet<string> {
  const reached = new Set(ids)
  for (const [near, far] of [
    ['from', 'to'],
    ['to', 'from'],
  ] as const) {
    const next = Map.groupBy(edges, (edge) => edge[near])
    const queue = [...ids]
    const seen = new Set(ids)
    for (let id = queue.pop(); id !== undefined; id = queue.pop())
      for (const edge of next.get(id) ?? [])
        if (!seen.has(edge[far])) {
          seen.add(edge[far])
          queue.push(edge[far])
        }
    for (const id of seen) reached.add(id)
  }
  return reached
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
