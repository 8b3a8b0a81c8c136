/** Certificates, ours and the proxy's: which end soon, which will not renew, and why. */
import { useMemo } from 'preact/hooks'
import { queryOf } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { daemonTime } from '../../api/clock.ts'
import type { Certificates as Found, Overview } from '../../api/types.ts'
import {
  areLookedAt,
  CERTIFICATE_FIELDS,
  certificateRows,
  certificatesHeadline,
  certificateSources,
  STATES,
} from '../../model/kept/certificates.ts'
import { viewsOf } from '../../model/table/listing.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { useListKeys } from '../../parts/listing/list-keys.ts'
import { NotThere, OPEN, openPanel } from '../../parts/listing/side-panel.tsx'
import { Sources } from '../../parts/listing/sources.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { UnknownNames } from '../../parts/unknown-names.tsx'
import { ObtainNow } from './obtain-now.tsx'
import { OneCertificate } from './one.tsx'
import { COLUMNS, PHONE } from './table.tsx'

const CERTIFICATES = '/api/certificates'

export function Certificates() {
  const found = useResource<Found>(CERTIFICATES)
  const unknown = useResource<Overview>('/api/overview').value?.unknown_certificates
  const again = () => void refresh(CERTIFICATES)
  useListKeys(again)
  return (
    <>
      <div class="head">
        <div>
          <h1>{found.value === undefined ? 'Certificates' : certificatesHeadline(found.value)}</h1>
          <p class="q2 sub">
            What is obtained, what is served, and what renews it.{' '}
            {unknown !== undefined && <UnknownNames many={unknown} />}
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

function Listed({ found }: { readonly found: Found }) {
  const rows = useMemo(() => certificateRows(found, daemonTime()), [found])
  const open = rows.find(({ key }) => key === queryOf(OPEN))
  return (
    <>
      <Sources label="Where they come from" of={certificateSources(found)} />
      {rows.length === 0 ? (
        areLookedAt(found) && (
          <Empty title="No certificate yet." mark>
            <p class="q2">The first name that is deployed with TLS brings one.</p>
          </Empty>
        )
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
      <NotThere one="certificate" of={open} />
      {open !== undefined && <OneCertificate row={open} />}
    </>
  )
}

const VIEWS = viewsOf(STATES)
