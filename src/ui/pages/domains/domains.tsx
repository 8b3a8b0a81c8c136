/** All domains: one filter field, views, order, lamps that answer why, and choosing many for one plan. */
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { go, queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { daemonTime } from '../../api/clock.ts'
import { lampRows } from '../../api/lamps.ts'
import type { Certificates, Domain, Lamps } from '../../api/types.ts'
import { certificateDays } from '../../model/table/certificate-days.ts'
import { parseColumns } from '../../model/table/columns.ts'
import { domainRows, type DomainRow } from '../../model/domain-rows.ts'
import { filtered, parseFilter, withoutTerm } from '../../model/filter.ts'
import { stableOrder, type StableOrder } from '../../model/table/stable-order.ts'
import { parseSort, sorted } from '../../model/sort.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { openPalette } from '../../parts/find/palette.tsx'
import { Icon } from '../../parts/icons.tsx'
import { LampLetters } from '../../parts/lamp.tsx'
import { density, narrow, setDensity } from '../../parts/look.ts'
import { Empty, Resource } from '../../parts/panel.tsx'
import { ColumnChoice } from './columns.tsx'
import { KeptViews } from './kept-views.tsx'
import { useRowKeys } from './row-keys.ts'
import { Strip } from './strip.tsx'
import { DomainCards, DomainTable } from './table.tsx'
import { viewsOf } from './views.ts'
import { WhyHost } from './why.tsx'

const DOMAINS = '/api/domains'

export function Domains() {
  const domains = useResource<readonly Domain[]>(DOMAINS)
  const table = useResource<Lamps>('/api/domains/lamps').value
  const certificates = useCertificates()
  const rows = useMemo(
    () => domainRows(domains.value ?? [], lampRows(table), certificateDays(certificates, daemonTime())),
    [domains.value, table, certificates],
  )
  // What is not known yet is no change of a row.
  const known = `${String(table !== undefined)} ${String(certificates !== undefined)}`
  return (
    <>
      <div class="head one">
        <h1>Domains</h1>
        <div class="acts">
          <a class="btn first" href="/domains/new">
            New domain <kbd>n</kbd>
          </a>
        </div>
      </div>
      <Resource of={domains} what="Domains" retry={() => void refresh(DOMAINS)}>
        {() => (rows.length === 0 ? <NoneYet /> : <Listed rows={rows} known={known} />)}
      </Resource>
      <WhyHost />
    </>
  )
}

/** Asked for only where the filter, the order or a column needs them. */
function useCertificates(): Certificates | undefined {
  const asked =
    /(?:^|\s)-?cert:/.test(queryOf('q') ?? '') ||
    parseSort(queryOf('sort')).column === 'cert' ||
    parseColumns(queryOf('cols')).includes('cert')
  return useResource<Certificates>(asked ? '/api/certificates' : '').value
}

const NoneYet = () => (
  <Empty title="No domain yet." mark>
    <p class="q2">Three fields make one: name, target, who gets in.</p>
    <button type="button" class="btn first" onClick={() => go('/domains/new')}>
      New domain <kbd>n</kbd>
    </button>
  </Empty>
)

function Listed({ rows, known }: { readonly rows: readonly DomainRow[]; readonly known: string }) {
  const text = queryOf('q') ?? ''
  const sort = parseSort(queryOf('sort'))
  const terms = useMemo(() => parseFilter(text), [text])
  const order = `${sort.column} ${String(sort.down)}`
  // A keystroke filters what is in order already.
  const ordered = useMemo(() => sorted(rows, sort), [rows, order])
  const fit = useMemo(() => filtered(ordered, terms), [ordered, terms])
  const again = useSignal(0)
  const stable = useRef<StableOrder<DomainRow> | null>(null)
  const shown = useMemo(() => {
    stable.current = stableOrder(stable.current, [text, order, known, again.value].join('\n'), rows, fit)
    return stable.current
  }, [rows, fit, text, order, known, again.value])
  const columns = parseColumns(queryOf('cols'))
  useRowKeys(shown.rows)
  const views = useMemo(() => viewsOf(rows), [rows])
  const fault = terms.find((one) => one.fault !== null)?.fault ?? null
  return (
    <>
      <p class="s q2 lamp-key">
        <LampLetters />
        <button type="button" class="btn quiet" onClick={() => openPalette('keys')}>
          What the lamps say
        </button>
      </p>
      <div class="tools">
        <FilterField text={text} />
        <ColumnChoice shown={columns} />
        <span class="seg wide" role="group" aria-label="Density">
          {(['tight', 'roomy'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={density.value === one}
              onClick={() => setDensity(one)}
            >
              {one}
            </button>
          ))}
        </span>
      </div>
      {fault !== null && (
        <p class="s c-bad" role="status">
          {visible(fault)}
        </p>
      )}
      <div class="tools flush">
        <nav class="views" aria-label="Views">
          {views.map(({ name, query, size }) => (
            <button
              key={query}
              type="button"
              class="chip"
              aria-pressed={text === query}
              onClick={() => setQuery({ q: query })}
            >
              {name} <span class="q">{number(size)}</span>
            </button>
          ))}
          <KeptViews text={text} known={views.map(({ query }) => query)} />
        </nav>
        <Strip rows={rows} fit={fit} />
      </div>
      {shown.moved.size > 0 && (
        <p class="s q2 flush" role="status">
          {count(shown.moved.size, 'row')} changed and would stand elsewhere.{' '}
          <button
            type="button"
            class="btn quiet"
            onClick={() => {
              again.value += 1
            }}
          >
            Sort again
          </button>
        </p>
      )}
      {shown.rows.length === 0 ? (
        <Empty title={`None of ${number(rows.length)} fits.`}>
          <p class="acts">
            {terms.map((term) => (
              <button
                key={term.text}
                type="button"
                class="chip"
                onClick={() => setQuery({ q: withoutTerm(text, term) })}
              >
                {visible(term.text)} ✕
              </button>
            ))}
          </p>
          <button type="button" class="btn" onClick={() => setQuery({ q: null })}>
            Remove all
          </button>
        </Empty>
      ) : narrow.value ? (
        <DomainCards rows={shown.rows} size={rows.length} moved={shown.moved} />
      ) : (
        <DomainTable rows={shown.rows} size={rows.length} moved={shown.moved} columns={columns} sort={sort} />
      )}
    </>
  )
}

function FilterField({ text }: { readonly text: string }) {
  return (
    <label class="input grow">
      <Icon name="search" />
      <span class="sr">Filter</span>
      <input
        id="filter"
        type="search"
        value={text}
        placeholder="name, target, tag:media zone: is:drift not:protected"
        autocomplete="off"
        spellcheck={false}
        list="filter-words"
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
      />
      <datalist id="filter-words">
        {[
          'is:drift',
          'is:pending',
          'is:wrong',
          'is:unknown',
          'is:open',
          'is:inactive',
          'not:protected',
          'cert:<14d',
        ].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  )
}
