/** The catalogue: what may stand before a domain beside its sign-in, who uses it, and what the proxy made of it. */
import { refresh, useResource } from '../../api/cache.ts'
import type { Middlewares as Catalogue } from '../../api/types.ts'
import type { Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { count, plain } from '../../model/words.ts'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { DomainLink } from '../../parts/name.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const MIDDLEWARES = '/api/middlewares'

type Middleware = Catalogue[number]

export function Middlewares() {
  const catalogue = useResource<Catalogue>(MIDDLEWARES)
  return (
    <section class="gap2" aria-labelledby="middlewares">
      <h2 class="t" id="middlewares">
        Middlewares
      </h2>
      <p class="q2 flush">What a domain may have beside its sign-in: chosen under More of its form.</p>
      <Resource of={catalogue} what="The middlewares" retry={() => void refresh(MIDDLEWARES)}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="The catalogue is empty." />
          ) : (
            <Listing
              rows={all}
              idOf={({ name }) => name}
              one="middleware"
              columns={COLUMNS}
              lampOf={lampOf}
              fields={FIELDS}
              hint="name, is:used is:own is:wrong"
              prefix="m"
            />
          )
        }
      </Resource>
    </section>
  )
}

const LAMPS: Readonly<Record<string, Lamp>> = {
  loaded: 'ok',
  error: 'bad',
  not_loaded: 'drift',
  unused_not_verified: 'off',
}

/** Nobody would miss what nobody uses. */
const isIdle = ({ status, used_by }: Middleware): boolean =>
  status === 'unused_not_verified' || (status === 'unknown' && used_by.length === 0)

const lampOf = (one: Middleware): Lamp => (isIdle(one) ? 'off' : (LAMPS[one.status] ?? 'unknown'))

const COLUMNS: readonly Column<Middleware>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  {
    key: 'does',
    title: 'Does',
    cell: ({ description, errors }) => (
      <span class="s">
        {visible(description)} {errors.length > 0 && <span class="c-bad">{visible(errors.join('; '))}</span>}
      </span>
    ),
  },
  {
    key: 'where',
    title: 'Stands',
    by: ({ position }) => position,
    cell: ({ position }) => (position === 'before_sso' ? 'before the sign-in' : 'behind the sign-in'),
  },
  {
    key: 'used',
    title: 'Used by',
    by: ({ used_by }) => used_by.length,
    cell: ({ used_by: [first, ...more] }) =>
      first === undefined ? (
        'nobody'
      ) : (
        <>
          <DomainLink name={first} />
          {more.length > 0 && ` and ${count(more.length, 'other')}`}
        </>
      ),
  },
  {
    key: 'state',
    title: 'State',
    end: true,
    by: ({ status }) => status,
    cell: (one) => (isIdle(one) ? 'not used' : plain(one.status)),
  },
]

const FIELDS = {
  words: ({ name, description }: Middleware) => `${name} ${description}`,
  keys: { type: ({ type }: Middleware) => [type] },
  is: {
    used: ({ used_by }: Middleware) => used_by.length > 0,
    own: ({ own }: Middleware) => own,
    wrong: (one: Middleware) => ['bad', 'drift', 'unknown'].includes(lampOf(one)),
  },
}
