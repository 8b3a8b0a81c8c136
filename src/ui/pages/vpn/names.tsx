/** Whether the name of each site resolves, and to the address that its gateway has; and a read of all gateways at once. */
import { useSignal } from '@preact/signals'
import { invalidate, refresh, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { VpnDrift, VpnSync } from '../../api/companions/vpn.ts'
import type { Fault } from '../../api/fault.ts'
import { parseTime } from '../../model/ages.ts'
import { endpointLamp, endpointText, readText } from '../../model/looked-at/vpn.ts'
import { visible } from '../../model/visible.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FaultLine, Resource } from '../../parts/panel.tsx'

const DRIFT = '/companions/vpn/api/drift'

export function EndpointNames() {
  const drift = useResource<VpnDrift>(DRIFT)
  return (
    <Resource of={drift} what="The names of the sites" retry={() => void refresh(DRIFT)}>
      {({ sites, checked_at }) => (
        <section class="gap2" aria-labelledby="names">
          <h2 class="t" id="names">
            Names of the sites{' '}
            <span class="q s">
              asked <Time at={parseTime(checked_at)} ago />
            </span>{' '}
            <button
              type="button"
              class="btn quiet"
              disabled={drift.loading}
              onClick={() => void refresh(DRIFT)}
            >
              {drift.loading ? 'Asking' : 'Ask again'}
            </button>
          </h2>
          <ul aria-label="Names of the sites">
            {sites
              .filter(({ configured }) => configured)
              .map((site) => (
                <li key={site.site_id} class="why">
                  <LampIcon lamp={endpointLamp(site)} />
                  <span>
                    <span class="mono">{visible(site.dns_endpoint)}</span>{' '}
                    <span class="q2">{visible(endpointText(site))}</span>
                  </span>
                </li>
              ))}
          </ul>
        </section>
      )}
    </Resource>
  )
}

/** Reads only: nothing at a gateway is changed by it. */
export function ReadGateways() {
  const busy = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const found = useSignal<VpnSync | null>(null)
  const read = async () => {
    busy.value = true
    const answer = await call<VpnSync>({ method: 'POST', path: '/companions/vpn/api/sync' })
    busy.value = false
    fault.value = answer.ok ? null : answer.fault
    found.value = answer.ok ? answer.body : null
    invalidate(['/companions/vpn'])
  }
  return (
    <div class="acts">
      <button type="button" class="btn" disabled={busy.value} onClick={() => void read()}>
        {busy.value ? 'Reading' : 'Read all gateways'}
      </button>
      {found.value !== null && (
        <span class="s q2" role="status">
          {visible(readText(found.value))}
        </span>
      )}
      <FaultLine fault={fault.value} />
    </div>
  )
}
