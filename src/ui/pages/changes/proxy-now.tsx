/** What the last deploy of all came to, and what the proxy runs now. */
import { refresh, useResource } from '../../api/cache.ts'
import type { DeployStatus } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import type { Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Resource } from '../../parts/panel.tsx'
import { Prose } from '../../parts/text/prose.tsx'

const STATUS = '/api/deploy/status'

export function ProxyNow() {
  const status = useResource<DeployStatus>(STATUS)
  return (
    <Resource of={status} what="What the proxy runs" retry={() => void refresh(STATUS)}>
      {(value) => (
        <section aria-label="What the proxy runs">
          <p class="why">
            <LampIcon lamp={lampOf(value)} />
            <span>
              {runsText(value)} {value.proxy.configured && <Prose of={value.proxy.detail ?? ''} />}
            </span>
          </p>
          {(value.proxy.routers?.faults ?? []).map(({ router, errors }) => (
            <p key={router} class="why">
              <LampIcon lamp="bad" />
              <span>
                <b class="mono">{visible(router)}</b>: {visible(errors.join('; '))}
              </span>
            </p>
          ))}
          <LastDeploy of={value} />
        </section>
      )}
    </Resource>
  )
}

/** Without its API nothing is known of the proxy; that it answers nothing is no proof that all is well. */
function lampOf({ proxy: { configured, reachable, loaded, routers } }: DeployStatus): Lamp {
  if (!configured) return 'off'
  if (reachable !== true || loaded === null) return 'unknown'
  if (!loaded) return 'drift'
  return (routers?.in_error.length ?? 0) > 0 ? 'bad' : 'ok'
}

function runsText({
  proxy: { configured, reachable, loaded, runs_release, routers, version },
}: DeployStatus) {
  if (!configured) return 'Not set up. With PLUMBLINE_TRAEFIK_API it is known what the proxy runs.'
  if (reachable !== true) return 'What the proxy runs is not found out.'
  const release = runs_release === null ? 'no release that is known' : `release ${runs_release}`
  const wrong = routers?.in_error.length ?? 0
  const counted =
    routers === null ? '' : `, ${count(routers.total, 'router')}${wrong > 0 ? `, ${wrong} in error` : ''}`
  const named = version === null ? 'The proxy' : `The proxy, ${visible(version)},`
  return `${named} runs ${release}${counted}${loaded === false ? '; the newest is not loaded' : ''}.`
}

function LastDeploy({ of: { timestamp, success, release, warnings } }: { readonly of: DeployStatus }) {
  const at = parseTimeOr(timestamp)
  if (at === null) return <p class="s q2">All was never deployed at once.</p>
  return (
    <p class="s q2">
      All was deployed <Time at={at} ago />
      {release !== null && `, as release ${release}`}
      {success === false && ', and not all of it succeeded'}
      {warnings.length > 0 && <>: {warnings.map((one) => visible(one)).join(' ')}</>}
    </p>
  )
}
