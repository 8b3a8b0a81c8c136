/** Certificates, ours and the proxy's: which end soon, which will not renew, and why. */
import { useMemo } from 'preact/hooks'
import { queryOf } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { daemonTime } from '../../api/clock.ts'
import type { Certificates as Found, Overview } from '../../api/types.ts'
import {
  CERTIFICATE_FIELDS,
  certificateRows,
  certificateSources,
  STATES,
} from '../../model/kept/certificates.ts'
import { viewsOf } from '../../model/table/listing.ts'
import { count, number } from '../../model/words.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { useListKeys } from '../../parts/listing/list-keys.ts'
import { OPEN, openPanel } from '../../parts/listing/side-panel.tsx'
import { Sources } from '../../parts/listing/sources.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { UnknownNames } from '../../parts/unknown-names.tsx'
import { ObtainNow } from './obtain-now.tsx'
import { OneCertificate } from './one.tsx'
import { COLUMNS, PHONE } from './table.tsx'

const CERTIFICATES = '/api/certificates'

export function Certificates() {
  const found = useResource<Found>(CERTIFICATES)
  const unknown = useResource<Overview>('/api/overview').value?.unknown_certificates ?? 0
  const again = () => void refresh(CERTIFICATES)
  useListKeys(again)
  return (
    <>
      <div class="head">
        <div>
          <h1>{found.value === undefined ? 'Certificates' : headline(found.value)}</h1>
          <p class="q2 sub">
            What is obtained, what is served, and what renews it. <UnknownNames many={unknown} />
          </p>
        </div>
        <div class="acts">
          {found.value?.manager.configured === true && <ObtainNow />}
          <button type="button" class="btn" onClick={again} disabled={found.loading}>
            {found.loading ? 'Looking' : 'Look now'} <kbd>r</kbd>
          </button>
        </div>
      </div>
      <Resource of={found} what="Certificates" retry={again}>
        {(value) => <Listed found={value} />}
      </Resource>
    </>
  )
}

/** Nothing is said to be well of what could not be read. */
function headline({ counts, manager, wire }: Found): string {
  const ends = counts.under_14_days + counts.under_30_days
  const parts = [
    counts.expired > 0 && `${number(counts.expired)} ended`,
    counts.missing > 0 && `${number(counts.missing)} not there yet`,
    ends > 0 && `${number(ends)} ending within 30 days`,
    wire.not_served > 0 && `${number(wire.not_served)} not served`,
  ].filter((part) => part !== false)
  const all = counts.healthy + counts.expired + counts.missing + ends
  if (parts.length > 0) return `${count(all, 'certificate')}: ${parts.join(', ')}`
  return manager.detail === null
    ? `${count(all, 'certificate')}, none ends within 30 days`
    : count(all, 'certificate')
}

function Listed({ found }: { readonly found: Found }) {
  const rows = useMemo(() => certificateRows(found, daemonTime()), [found])
  const open = rows.find(({ key }) => key === queryOf(OPEN))
  return (
    <>
      <Sources label="Where they come from" of={certificateSources(found)} />
      {rows.length === 0 ? (
        <Empty title="No certificate yet." mark>
          <p class="q2">The first name that is deployed with TLS brings one.</p>
        </Empty>
      ) : (
        <Listing
          rows={rows}
          idOf={({ key }) => key}
          one="certificate"
          columns={COLUMNS}
          phone={PHONE}
          first="end"
          lampOf={({ lamp }) => lamp}
          fields={CERTIFICATE_FIELDS}
          hint="name, domain, authority, is:wrong"
          views={VIEWS}
          onOpen={({ key }) => openPanel(key)}
        />
      )}
      {open !== undefined && <OneCertificate row={open} />}
    </>
  )
}

const VIEWS = viewsOf(STATES)
