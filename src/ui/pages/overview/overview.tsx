/** Overview: whether all is as it should be, what needs somebody, and everything that is kept true, needed or watched. */
import { useEffect } from 'preact/hooks'
import { go } from '../../address.ts'
import { invalidate, refresh, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { ControlPlaneHealth, DeployStatus, DomainStats, Notifications } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { outsideSentence, plumbOf } from '../../model/verdict.ts'
import { addKeys } from '../../parts/keys.ts'
import { Time } from '../../parts/age.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { actorName } from '../../model/words.ts'
import { visible } from '../../model/visible.ts'
import { Needs } from './needs.tsx'
import { Plumb } from './plumb.tsx'
import { Side } from './side.tsx'
import { Worlds } from './worlds.tsx'

const HEALTH = '/api/control-plane/health'

export function Overview() {
  const health = useResource<ControlPlaneHealth>(HEALTH)
  const stats = useResource<DomainStats>('/api/domains/stats').value
  const open = useResource<Notifications>('/api/notifications').value?.open ?? []
  const look = () => void lookNow()
  useEffect(
    () =>
      addKeys([
        { keys: 'r', label: 'Look now', run: look },
        { keys: 'p', label: 'Plan what is saved', run: () => go('/changes') },
      ]),
    [],
  )
  useEffect(() => {
    // There is no domain yet: the first steps are the page.
    if (stats?.total === 0) go('/start', { replace: true })
  }, [stats?.total])
  return (
    <div class="cols">
      <div>
        <Resource of={health} what="The overview" retry={() => void refresh(HEALTH)}>
          {(value) => (
            <>
              <Head health={value} pending={stats?.pending_deploy ?? 0} look={look} />
              <Needs health={value} open={open} pending={stats?.pending_deploy ?? 0} />
              <Worlds components={value.components} />
            </>
          )}
        </Resource>
        {stats?.total === 0 && <Empty title="No domain yet." mark />}
      </div>
      <Side />
    </div>
  )
}

async function lookNow(): Promise<void> {
  await call({ path: `${HEALTH}?probe=true` })
  invalidate('all')
}

interface HeadProps {
  readonly health: ControlPlaneHealth
  readonly pending: number
  readonly look: () => void
}

function Head({ health, pending, look }: HeadProps) {
  const { marks, stale, label } = plumbOf(health)
  return (
    <section class="verdict" aria-labelledby="v">
      <Plumb marks={marks} broken={stale} label={label} />
      <div>
        <h1 id="v">{visible(health.summary)}</h1>
        <p>
          {outsideSentence(health)} <LastRelease />
        </p>
        <div class="acts">
          {pending > 0 && (
            <a class="btn first" href="/changes">
              Plan what is saved <kbd>p</kbd>
            </a>
          )}
          <button type="button" class="btn" onClick={look}>
            Look now <kbd>r</kbd>
          </button>
        </div>
      </div>
    </section>
  )
}

function LastRelease() {
  const newest = useResource<DeployStatus>('/api/deploy/status').value?.newest
  const at = parseTimeOr(newest?.at)
  if (newest === null || newest === undefined || at === null) return null
  return (
    <>
      Release {newest.release} was made <Time at={at} ago />, by {visible(actorName(newest.actor))}.
    </>
  )
}
