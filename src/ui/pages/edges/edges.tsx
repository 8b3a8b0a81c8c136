/** Edges: the proxies outside that fetch the released routes. Who is alive, who fell silent, and which release each runs. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import { ifMayChange, mayChange, whyNot } from '../../api/session.ts'
import type { Edge, EdgeIssued } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { edgeLamp, runsWords } from '../../model/granted/edges.ts'
import { visible } from '../../model/visible.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { Age } from '../../parts/age.tsx'
import { addKeys } from '../../parts/keys.ts'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { EdgeActs, type EdgeAct } from './acts.tsx'
import { EdgeFacts } from './edge-facts.tsx'
import { NewEdge } from './new-edge.tsx'
import { TokenOnce } from './token-once.tsx'

const EDGES = '/api/ccm/edge/edges'

export function Edges() {
  const edges = useResource<readonly Edge[]>(EDGES)
  const adding = useSignal(false)
  const open = useOpened()
  const act = useSignal<EdgeAct | null>(null)
  const issued = useSignal<EdgeIssued | null>(null)
  usePageAct('add', () => (adding.value = mayChange.value))
  useLayoutEffect(
    () => addKeys([{ keys: 'e', label: 'Add an edge', run: () => ifMayChange(() => (adding.value = true)) }]),
    [],
  )
  const shown = edges.value?.find(({ id }) => String(id) === open.value)
  return (
    <>
      <div class="head">
        <div>
          <h1>Edges</h1>
          <p class="q2 sub">Proxies outside that fetch the released routes with a token of their own.</p>
        </div>
        <div class="acts">
          <button
            type="button"
            class="btn first"
            disabled={!mayChange.value}
            title={whyNot.value ?? undefined}
            onClick={() => {
              adding.value = true
            }}
          >
            Add an edge… <kbd>e</kbd>
          </button>
        </div>
      </div>
      <Resource of={edges} what="The edges" retry={() => void refresh(EDGES)}>
        {(all) =>
          all.length === 0 ? (
            <NoEdge />
          ) : (
            <Listing
              rows={all}
              idOf={({ id }) => String(id)}
              one="edge"
              columns={COLUMNS}
              lampOf={edgeLamp}
              fields={FIELDS}
              hint="name, region, is:silent is:behind"
              onOpen={({ id }) => {
                open.value = String(id)
              }}
            />
          )
        }
      </Resource>
      {adding.value && (
        <NewEdge
          onClose={() => {
            adding.value = false
          }}
          onIssued={(answer) => {
            adding.value = false
            issued.value = answer
          }}
        />
      )}
      {edges.value !== undefined && <NotThere one="edge" of={shown} />}
      {shown !== undefined && (
        <EdgeFacts
          of={shown}
          onAct={(next) => {
            open.value = null
            act.value = next
          }}
          onClose={() => {
            open.value = null
          }}
        />
      )}
      {act.value !== null && (
        <EdgeActs
          of={act.value}
          onClose={() => {
            act.value = null
          }}
          onIssued={(answer) => {
            act.value = null
            issued.value = answer
          }}
        />
      )}
      {issued.value !== null && (
        <TokenOnce
          of={issued.value}
          onClose={() => {
            issued.value = null
          }}
        />
      )}
    </>
  )
}

const NoEdge = () => (
  <Empty title="No edge yet." mark>
    <p class="q2">
      A proxy on another machine can serve the same routes: add it here, and paste the lines with its token
      into its configuration.
    </p>
  </Empty>
)

const FIELDS = {
  words: ({ name, hostname, address, region }: Edge) => [name, hostname, address, region].join(' '),
  keys: { region: ({ region }: Edge) => [region], state: ({ state }: Edge) => [state] },
  is: {
    silent: (edge: Edge) => edge.state === 'offline',
    behind: ({ up_to_date }: Edge) => up_to_date === false,
    draining: ({ desired_state }: Edge) => desired_state === 'draining',
  },
}

const COLUMNS: readonly Column<Edge>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  {
    key: 'where',
    title: 'Where',
    mono: true,
    by: ({ hostname, address }) => hostname ?? address,
    cell: ({ hostname, address }) => visible(hostname ?? address ?? '–'),
  },
  {
    key: 'state',
    title: 'State',
    by: ({ state }) => state,
    cell: ({ state, desired_state }) =>
      state === desired_state || state === 'draining' ? state : `${state}, wanted ${desired_state}`,
  },
  { key: 'runs', title: 'Runs', by: runsWords, cell: (edge) => `${runsWords(edge)}` },
  {
    key: 'region',
    title: 'Region',
    by: ({ region }) => region,
    cell: ({ region }) => visible(region ?? '–'),
  },
  {
    key: 'seen',
    title: 'Heard of',
    end: true,
    by: ({ last_seen }) => -(parseTimeOr(last_seen) ?? 0),
    cell: ({ last_seen }) => <Age at={parseTimeOr(last_seen)} />,
  },
]
