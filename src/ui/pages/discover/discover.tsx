/** Discover: what runs and has no domain, the likeliest first, and domains that point at nothing. */
import { refresh, useResource } from '../../api/cache.ts'
import type { Discovery } from '../../api/types.ts'
import { isAnySet } from '../../model/looked-at/inventory.ts'
import {
  likelihoodRank,
  newDomainAddress,
  nothingWords,
  type NotExposed,
} from '../../model/looked-at/discover.ts'
import { nothingLamp, type AtNothing } from '../../model/looked-at/nothing.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { Gaps } from '../../parts/listing/gaps.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { DomainLink } from '../../parts/name.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const DISCOVER = '/api/discover'

export function Discover() {
  const found = useResource<Discovery>(DISCOVER)
  return (
    <>
      <div class="head">
        <div>
          <h1>Discover</h1>
          <p class="q2 sub">What runs and has no domain, and domains that lead to nothing.</p>
        </div>
        <div class="acts">
          <button type="button" class="btn" disabled={found.loading} onClick={() => void refresh(DISCOVER)}>
            {found.loading ? 'Looking' : 'Look now'}
          </button>
        </div>
      </div>
      <Resource of={found} what="What runs" retry={() => void refresh(DISCOVER)}>
        {(all) => (isAnySet(all.sources) ? <Found of={all} /> : <NoSource />)}
      </Resource>
    </>
  )
}

const NoSource = () => (
  <NotSetUp
    gives="With a container host, a cluster or a network controller, what could get a domain is listed here."
    setting="PLUMBLINE_DOCKER_HOSTS"
    line="PLUMBLINE_DOCKER_HOSTS=hub=tcp://192.168.1.10:2375"
  />
)

function Found({ of: { sources, not_exposed, points_at_nothing, not_judged } }: { readonly of: Discovery }) {
  return (
    <>
      <Gaps of={sources} />
      <section aria-labelledby="runs">
        <h2 class="t gap2" id="runs">
          Runs and has no domain
        </h2>
        {not_exposed === null ? (
          <NotKnown />
        ) : not_exposed.length === 0 ? (
          <Empty title="Everything that runs has a domain." />
        ) : (
          <Listing
            rows={not_exposed}
            idOf={({ source, at, name }) => `${source} ${at} ${name}`}
            one="thing"
            columns={COLUMNS}
            fields={FIELDS}
            hint="name, is:likely source:docker"
            first="likelihood"
            views={VIEWS}
          />
        )}
      </section>
      <section aria-labelledby="nothing">
        <h2 class="t gap2" id="nothing">
          Points at nothing
        </h2>
        {points_at_nothing === null ? <NotKnown /> : <AtNothingList all={points_at_nothing} />}
        {not_judged !== null && not_judged > 0 && (
          <p class="s q gap">Of {count(not_judged, 'domain')} no source can tell where it leads.</p>
        )}
      </section>
    </>
  )
}

const NotKnown = () => (
  <p class="why">
    <LampIcon lamp="unknown" />
    <span>Not found out: what cannot be seen may be there all the same.</span>
  </p>
)

const VIEWS = [
  { name: 'All', query: '' },
  { name: 'Likely', query: 'is:likely' },
]

const FIELDS = {
  words: ({ name, at, why }: NotExposed) => `${name} ${at} ${why}`,
  keys: { source: ({ source }: NotExposed) => [source], at: ({ at }: NotExposed) => [at] },
  is: { likely: ({ likelihood }: NotExposed) => likelihood !== 'low' },
}

const COLUMNS: readonly Column<NotExposed>[] = [
  { key: 'what', title: 'What', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  {
    key: 'where',
    title: 'Where',
    by: ({ source, at }) => `${source} ${at}`,
    cell: ({ source, at }) => visible(`${source} ${at}`),
  },
  { key: 'why', title: 'Why', cell: ({ why }) => <span class="s">{visible(why)}</span> },
  { key: 'likelihood', title: 'Likely', by: likelihoodRank, cell: ({ likelihood }) => likelihood },
  {
    key: 'new',
    title: 'Then',
    end: true,
    cell: (one) => {
      const to = newDomainAddress(one)
      return to === null ? (
        '–'
      ) : (
        <a href={to} aria-label={`New domain for ${visible(one.name)}`}>
          New domain
        </a>
      )
    },
  },
]

function AtNothingList({ all }: { readonly all: readonly AtNothing[] }) {
  if (all.length === 0) return <Empty title="Every domain leads to something." mark />
  return (
    <ul>
      {all.map((one) => (
        <li key={one.domain_id} class="why">
          <LampIcon lamp={nothingLamp(one)} />
          <span>
            <DomainLink name={one.domain} />{' '}
            <span class="mono q2">
              {visible(one.backend_host)}
              {one.backend_port !== null && `:${one.backend_port}`}
            </span>{' '}
            <span class="q2">
              {nothingWords(one)}
              {one.status === 'inactive' && ' Inactive.'}
              {one.held_by !== null && ` It is ${visible(`${one.held_by.name} at ${one.held_by.at}`)}.`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
