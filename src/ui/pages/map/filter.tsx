/** The map by the words of the table of domains: the ways of those that fit. */
import { useMemo } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { useResource } from '../../api/cache.ts'
import { lampRows } from '../../api/lamps.ts'
import type { DeployedMap, Domain, Lamps } from '../../api/types.ts'
import { domainRows } from '../../model/domain-rows.ts'
import { filtered, parseFilter, type Term } from '../../model/filter.ts'
import { deployedRows } from '../../model/looked-at/map.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { Search } from '../../parts/listing/search.tsx'

interface Filtered {
  readonly terms: readonly Term[]
  /** Domains that fit; null while nothing is filtered, or the domains are not loaded. */
  readonly only: ReadonlySet<number> | null
}

/** The domains are asked for once there is something to filter them by. */
export function useFiltered({ nodes }: DeployedMap): Filtered {
  const text = queryOf('q') ?? ''
  const terms = useMemo(() => parseFilter(text), [text])
  const isAsked = terms.length > 0
  const domains = useResource<readonly Domain[]>(isAsked ? '/api/domains' : '').value
  const lamps = useResource<Lamps>(isAsked ? '/api/domains/lamps' : '').value
  const rows = useMemo(
    () => domains && deployedRows(domainRows(domains, lampRows(lamps)), nodes),
    [domains, lamps, nodes],
  )
  const only = useMemo(() => {
    if (!isAsked || rows === undefined) return null
    const drawn = new Set(nodes.flatMap(({ domain_ids }) => domain_ids ?? []))
    return new Set(filtered(rows, terms).flatMap(({ id }) => (drawn.has(id) ? [id] : [])))
  }, [rows, terms, nodes])
  return { terms, only }
}

interface Props {
  readonly terms: readonly Term[]
  /** How many domains fit; null while that is not asked or not known. */
  readonly left: number | null
  /** How many there are. */
  readonly of: number
}

export function MapFilter({ terms, left, of }: Props) {
  const fault = terms.find((one) => one.fault !== null)?.fault ?? null
  return (
    <>
      <div class="tools">
        <Search
          text={queryOf('q') ?? ''}
          hint="name, target, is:open, zone:example.com, -kind:internal"
          what="domain"
        />
      </div>
      {fault !== null && (
        <p class="s c-bad" role="status">
          {visible(fault)}
        </p>
      )}
      {fault === null && left !== null && (
        <p class="s q2 gap" role="status">
          {left === 0
            ? `None of ${count(of, 'domain')} fits. `
            : `The ways of ${number(left)} of ${count(of, 'domain')}. `}
          <button type="button" class="btn quiet" onClick={() => setQuery({ q: null })}>
            Remove the filter
          </button>
        </p>
      )}
    </>
  )
}
