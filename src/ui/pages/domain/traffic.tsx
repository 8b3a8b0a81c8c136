/** Requests of a domain that the proxy has counted, and how many ended in a server error. What is not known is not zero. */
import { refresh, useResource } from '../../api/cache.ts'
import type { DomainTraffic } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import type { Lamp } from '../../model/lamps.ts'
import { number } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Resource } from '../../parts/panel.tsx'
import { Prose } from '../../parts/text/prose.tsx'

export function Traffic({ id }: { readonly id: number }) {
  const url = `/api/domains/${id}/traffic`
  const traffic = useResource<DomainTraffic>(url)
  return (
    <section class="gap2" aria-labelledby="traffic">
      <h2 class="t" id="traffic">
        Requests
      </h2>
      <Resource of={traffic} what="What the proxy counted" retry={() => void refresh(url)}>
        {(value) => (
          <p class="why">
            <LampIcon lamp={lampOf(value)} />
            <span>
              <Words of={value} />
            </span>
          </p>
        )}
      </Resource>
    </section>
  )
}

/** That requests fail is the backend's matter: it is said, and no lamp of its own. */
const lampOf = ({ configured, requests }: DomainTraffic): Lamp =>
  !configured ? 'off' : requests === null ? 'unknown' : 'ok'

function Words({
  of: { configured, requests, server_errors, since, observed_at, detail },
}: {
  readonly of: DomainTraffic
}) {
  if (!configured) return <>Not set up. With PLUMBLINE_TRAEFIK_METRICS the requests are counted.</>
  if (requests === null || server_errors === null)
    return (
      <>
        Not found out. <Prose of={detail ?? ''} />
      </>
    )
  const began = parseTimeOr(since)
  const seen = parseTimeOr(observed_at)
  return (
    <>
      <b>{number(requests)}</b> answered,{' '}
      <span class={server_errors > 0 ? 'c-bad' : ''}>
        {number(server_errors)} of them with a server error (5xx)
      </span>
      {began !== null && (
        <span class="q2">
          , since the proxy began to count <Time at={began} ago />
        </span>
      )}
      .{' '}
      {seen !== null && (
        <span class="s q">
          Seen <Time at={seen} ago />
        </span>
      )}
    </>
  )
}
