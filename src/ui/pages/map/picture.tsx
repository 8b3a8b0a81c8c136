/** The map as a picture: five columns, curves between them; pointing dims what does not belong to it, a press pins. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { DeployedMap } from '../../api/types.ts'
import {
  COLUMN_TITLES,
  edgeKey,
  layoutOf,
  MAP_COLUMNS,
  NODE_WIDTH,
  nodeLabel,
  type PlacedNode,
  waysOf,
  waysThrough,
} from '../../model/looked-at/map.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { NodeActs } from './part.tsx'

const MAX_SIGNS = 24

interface PictureProps {
  readonly map: DeployedMap
  /** Domains that the filter leaves; null while nothing is filtered. */
  readonly only: ReadonlySet<number> | null
}

export function MapPicture({ map, only }: PictureProps) {
  const { nodes, edges, domains } = map
  const pointed = useSignal<string | null>(null)
  const pinned = useSignal<string | null>(null)
  const layout = useMemo(() => layoutOf(nodes), [nodes])
  const pin = nodes.find(({ id }) => id === pinned.value)
  const chosen = pin ?? nodes.find(({ id }) => id === pointed.value)
  const lit = useMemo(() => {
    if (chosen !== undefined) return waysThrough(chosen, map)
    return only === null ? null : waysOf(only, map)
  }, [chosen, only, map])
  const isDim = (id: string) => lit?.nodes.has(id) === false
  return (
    <>
      <div
        class="map"
        tabIndex={0}
        role="region"
        aria-label="The map as a picture; Table shows the same in words"
      >
        <svg
          viewBox={`-4 -24 ${layout.width + 8} ${layout.height + 28}`}
          width={layout.width + 8}
          height={layout.height + 28}
          role="img"
          aria-label={`What leads where of ${count(domains, 'domain')}; the table has the same in words`}
        >
          {MAP_COLUMNS.map((kind, column) => (
            <text key={kind} x={column * 208} y={-10} class="map-head">
              {COLUMN_TITLES[kind]}
            </text>
          ))}
          {edges.map(({ from, to }) => (
            <Curve
              key={`${from} ${to}`}
              from={layout.placed.get(from)}
              to={layout.placed.get(to)}
              dim={lit?.edges.has(edgeKey({ from, to })) === false}
            />
          ))}
          {[...layout.placed.values()].map((one) => (
            <g
              key={one.node.id}
              class={isDim(one.node.id) ? 'map-node dim' : 'map-node'}
              onPointerEnter={() => {
                pointed.value = one.node.id
              }}
              onPointerLeave={() => {
                pointed.value = null
              }}
              onClick={() => {
                pinned.value = pinned.value === one.node.id ? null : one.node.id
              }}
            >
              <NodeBox of={one} pinned={pinned.value === one.node.id} />
            </g>
          ))}
        </svg>
      </div>
      <p class="acts gap" role="status">
        {pin === undefined ? (
          <span class="s q2">Press what you want to follow. By keyboard, Table has the same.</span>
        ) : (
          <>
            <b>{visible(nodeLabel(pin))}</b> <span class="q2">{count(pin.domains, 'domain')}</span>
            <NodeActs of={pin} />
          </>
        )}
      </p>
      {layout.left_out > 0 && <p class="s q">{number(layout.left_out)} more are in the table.</p>}
    </>
  )
}

function NodeBox({ of: { node, x, y }, pinned }: { readonly of: PlacedNode; readonly pinned: boolean }) {
  const label = visible(nodeLabel(node))
  return (
    <>
      <title>{label}</title>
      <rect x={x} y={y - 10} width={NODE_WIDTH} height={20} rx={4} class={pinned ? 'pinned' : ''} />
      <text x={x + 8} y={y + 4}>
        {label.length > MAX_SIGNS ? `${label.slice(0, MAX_SIGNS - 1)}…` : label}
      </text>
    </>
  )
}

interface CurveProps {
  readonly from: PlacedNode | undefined
  readonly to: PlacedNode | undefined
  readonly dim: boolean
}

function Curve({ from, to, dim }: CurveProps) {
  if (from === undefined || to === undefined) return null
  const begin = from.x + NODE_WIDTH
  const middle = (begin + to.x) / 2
  return (
    <path
      class={dim ? 'map-edge dim' : 'map-edge'}
      d={`M${begin} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`}
    />
  )
}
