/** Certificates, ours and the proxy's: which end soon, which will not renew, and why. */
import { useMemo } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { daemonTime } from '../../api/clock.ts'
import type { Certificates as Found } from '../../api/types.ts'
import {
  CERTIFICATE_ORDER,
  certificateRows,
  countsOf,
  STATES,
  type CertificateRow,
} from '../../model/kept/certificates.ts'
import { thatHold, inOrder, parseOrder } from '../../model/kept/order.ts'
import { number } from '../../model/words.ts'
import { Pills } from '../../parts/list/pills.tsx'
import { Search } from '../../parts/list/search.tsx'
import { narrow } from '../../parts/look.ts'
import { Empty, Resource } from '../../parts/panel.tsx'
import { CertificateCards, CertificateTable } from './table.tsx'

const CERTIFICATES = '/api/certificates'

export function Certificates() {
  const found = useResource<Found>(CERTIFICATES)
  const again = () => void refresh(CERTIFICATES)
  return (
    <>
      <div class="head one">
        <h1>Certificates</h1>
      </div>
      <Resource of={found} what="Certificates" retry={again}>
        {(value) => <Listed found={value} />}
      </Resource>
    </>
  )
}

function Listed({ found }: { readonly found: Found }) {
  const rows = useMemo(() => certificateRows(found, daemonTime()), [found])
  const counts = useMemo(() => countsOf(rows), [rows])
  const text = queryOf('q') ?? ''
  const state = queryOf('state')
  const sort = parseOrder(queryOf('sort'), CERTIFICATE_ORDER)
  const order = `${sort.column} ${String(sort.down)}`
  // A keystroke filters what is in order already.
  const ordered = useMemo(() => inOrder(rows, CERTIFICATE_ORDER, sort), [rows, order])
  const shown = useMemo(
    () => thatHold(ordered, text).filter((row) => state === null || row.state === state),
    [ordered, text, state],
  )
  if (rows.length === 0) return <Empty title="No certificate yet." mark />
  return (
    <>
      <div class="tools">
        <Search text={text} hint="name, domain, authority" />
      </div>
      <div class="tools flush">
        <Pills
          label="Ends"
          name="state"
          chosen={state}
          pills={STATES.map(([key, title]) => ({ key, title, size: counts.get(key) ?? 0 }))}
        />
      </div>
      {shown.length === 0 ? (
        <NoneFits of={rows} />
      ) : narrow.value ? (
        <CertificateCards rows={shown} />
      ) : (
        <CertificateTable rows={shown} sort={sort} />
      )}
    </>
  )
}

const NoneFits = ({ of }: { readonly of: readonly CertificateRow[] }) => (
  <Empty title={`None of ${number(of.length)} fits.`}>
    <button type="button" class="btn" onClick={() => setQuery({ q: null, state: null })}>
      Remove all
    </button>
  </Empty>
)
