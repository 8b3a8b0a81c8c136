/** Map: entry point, domain, policy, service and machine of what is deployed, as a picture or as a table of the same. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { DeployedMap } from '../../api/types.ts'
import {
  COLUMN_TITLES,
  edgeKey,
  MAP_COLUMNS,
  mapAddress,
  nodeLabel,
  type MapNode,
  waysOf,
} from '../../model/looked-at/map.ts'
import { visible } from '../../model/visible.ts'
import { count, listed, number } from '../../model/words.ts'
import { Choice } from '../../parts/field.tsx'
import { narrow } from '../../parts/look.ts'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { MapFilter, useFiltered } from './filter.tsx'
import { NodeActs, OnlyPart } from './part.tsx'
import { MapPicture } from './picture.tsx'

export function DeployedMapPage() {
  const part = { zone: queryOf('zone'), machine: queryOf('machine') }
  const address = mapAddress(part)
  const map = useResource<DeployedMap>(address)
  return (
    <>
      <div class="head">
        <div>
          <h1>Map</h1>
          <p class="q2 sub">
            What leads where, of what is deployed.
            {map.value !== undefined &&
              ` ${count(map.value.domains, 'domain')}, release ${number(map.value.release)}.`}
          </p>
        </div>
      </div>
      <OnlyPart of={part} />
      <Resource of={map} what="The map" retry={() => void refresh(address)}>
        {(all) => (all.nodes.length === 0 ? <Nothing isPart={address !== ALL} /> : <Shown map={all} />)}
      </Resource>
    </>
  )
}

const ALL = mapAddress({ zone: null, machine: null })

const Nothing = ({ isPart }: { readonly isPart: boolean }) =>
  isPart ? (
    <Empty title="Nothing of it is deployed." />
  ) : (
    <Empty title="Nothing is deployed yet." mark>
      <p class="q2">The first domain that is deployed stands here, with the way that leads to it.</p>
    </Empty>
  )

function Shown({ map }: { readonly map: DeployedMap }) {
  const isTable = narrow.value || queryOf('as') === 'table'
  const { terms, only } = useFiltered(map)
  return (
    <>
      {!narrow.value && (
        <Choice
          label="Shown as"
          quiet
          value={isTable ? 'table' : 'picture'}
          options={[
            ['picture', 'Picture'],
            ['table', 'Table'],
          ]}
          onChoose={(next) => setQuery({ as: next === 'table' ? next : null })}
        />
      )}
      {map.grouped && (
        <p class="s q2 gap">More than 200 in a column: what belongs together is one line with its count.</p>
      )}
      <MapFilter terms={terms} left={only?.size ?? null} of={map.domains} />
      {isTable ? <MapTable map={map} only={only} /> : <MapPicture map={map} only={only} />}
    </>
  )
}

interface MapRow {
  readonly node: MapNode
  readonly from: readonly string[]
  readonly to: readonly string[]
}

interface TableProps {
  readonly map: DeployedMap
  readonly only: ReadonlySet<number> | null
}

function MapTable({ map, only }: TableProps) {
  const { nodes, edges } = map
  const open = useSignal<MapRow | null>(null)
  const rows = useMemo(() => {
    const labels = new Map(nodes.map((node) => [node.id, nodeLabel(node)]))
    const before = Map.groupBy(edges, ({ to }) => to)
    const behind = Map.groupBy(edges, ({ from }) => from)
    const lit = only === null ? null : waysOf(only, map)
    const isLit = (edge: DeployedMap['edges'][number]) => lit?.edges.has(edgeKey(edge)) !== false
    return nodes
      .filter(({ id }) => lit?.nodes.has(id) !== false)
      .map((node): MapRow => ({
        node,
        from: (before.get(node.id) ?? []).filter(isLit).map(({ from }) => labels.get(from) ?? from),
        to: (behind.get(node.id) ?? []).filter(isLit).map(({ to }) => labels.get(to) ?? to),
      }))
  }, [map, only])
  return (
    <>
      <Listing
        rows={rows}
        idOf={({ node }) => node.id}
        one="line"
        columns={COLUMNS}
        fields={FIELDS}
        hint={null}
        views={VIEWS}
        prefix="line-"
        onOpen={(row) => {
          open.value = row
        }}
      />
      {open.value !== null && (
        <RowFacts
          of={open.value}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </>
  )
}

const VIEWS = [
  { name: 'All', query: '' },
  ...MAP_COLUMNS.map((kind) => ({ name: COLUMN_TITLES[kind], query: `kind:${kind}` })),
]

const FIELDS = {
  words: ({ node, from, to }: MapRow) => `${node.label} ${from.join(' ')} ${to.join(' ')}`,
  keys: { kind: ({ node }: MapRow) => [node.kind] },
}

const some = (names: readonly string[]): string => (names.length === 0 ? '–' : visible(listed(names, 2)))

const COLUMNS: readonly Column<MapRow>[] = [
  { key: 'name', title: 'Name', by: ({ node }) => node.label, cell: ({ node }) => visible(nodeLabel(node)) },
  { key: 'to', title: 'Leads to', by: ({ to }) => to[0] ?? null, cell: ({ to }) => some(to) },
  { key: 'from', title: 'Led to by', by: ({ from }) => from[0] ?? null, cell: ({ from }) => some(from) },
  {
    key: 'domains',
    title: 'Domains',
    by: ({ node }) => -node.domains,
    cell: ({ node }) => number(node.domains),
  },
  {
    key: 'kind',
    title: 'Kind',
    end: true,
    by: ({ node }) => MAP_COLUMNS.indexOf(node.kind),
    cell: ({ node }) => COLUMN_TITLES[node.kind],
  },
]

/** Longer lists are counted. */
const MAX_NAMES = 50

const RowFacts = ({
  of: { node, from, to },
  onClose,
}: {
  readonly of: MapRow
  readonly onClose: () => void
}) => (
  <FactsDialog
    title={nodeLabel(node)}
    onClose={onClose}
    facts={[
      ['Kind', COLUMN_TITLES[node.kind]],
      ['Leads to', to.length === 0 ? null : listed(to, MAX_NAMES)],
      ['Led to by', from.length === 0 ? null : listed(from, MAX_NAMES)],
      ['Domains', number(node.domains)],
    ]}
    acts={<NodeActs of={node} onPart={onClose} />}
  />
)
