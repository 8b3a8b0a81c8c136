/** The catalogue: what may stand before a domain beside its sign-in, who uses it, and what the proxy made of it. */
import { useSignal } from '@preact/signals'
import { refresh, useResource } from '../../api/cache.ts'
import type { Middlewares as Catalogue } from '../../api/types.ts'
import { lampOfMiddleware, middlewareText } from '../../model/kept/access.ts'
import { visible } from '../../model/visible.ts'
import { count, listed } from '../../model/words.ts'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { DomainLink } from '../../parts/name.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const MIDDLEWARES = '/api/middlewares'

type Middleware = Catalogue[number]

export function Middlewares() {
  const catalogue = useResource<Catalogue>(MIDDLEWARES)
  const open = useSignal<Middleware | null>(null)
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
              lampOf={lampOfMiddleware}
              fields={FIELDS}
              hint="name, is:used is:own is:wrong"
              prefix="m"
              onOpen={(one) => {
                open.value = one
              }}
            />
          )
        }
      </Resource>
      {open.value !== null && (
        <Facts
          of={open.value}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </section>
  )
}

const Facts = ({ of, onClose }: { readonly of: Middleware; readonly onClose: () => void }) => (
  <FactsDialog
    title={of.name}
    lamp={lampOfMiddleware(of)}
    why={of.description}
    facts={[
      ['State', middlewareText(of)],
      ['The proxy says', of.errors.length > 0 ? of.errors.join('; ') : of.detail],
      ['Stands', placeWords(of)],
      ['Used by', of.used_by.length === 0 ? 'nobody' : listed(of.used_by, MAX_NAMES)],
      ['Of', of.own ? 'this installation' : 'Plumbline'],
    ]}
    onClose={onClose}
  />
)

/** Longer lists are counted. */
const MAX_NAMES = 50

const placeWords = ({ position }: Middleware): string =>
  position === 'before_sso' ? 'before the sign-in' : 'behind the sign-in'

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
    cell: placeWords,
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
    cell: middlewareText,
  },
]

const FIELDS = {
  words: ({ name, description }: Middleware) => `${name} ${description}`,
  keys: { type: ({ type }: Middleware) => [type] },
  is: {
    used: ({ used_by }: Middleware) => used_by.length > 0,
    own: ({ own }: Middleware) => own,
    wrong: (one: Middleware) => ['bad', 'drift', 'unknown'].includes(lampOfMiddleware(one)),
  },
}
