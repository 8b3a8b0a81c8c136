/** Overview: whether all is as it should be, what needs somebody, and everything that is kept true, needed or watched. */
import { useEffect } from 'preact/hooks'
import { go } from '../../address.ts'
import { invalidate, refresh, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import type { Overview as OverviewAnswer } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { outsideSentence, plumbOf, summaryText } from '../../model/verdict.ts'
import { addKeys } from '../../parts/keys.ts'
import { Time } from '../../parts/age.tsx'
import { Resource } from '../../parts/panel.tsx'
import { actorName } from '../../model/words.ts'
import { visible } from '../../model/visible.ts'
import { Needs } from './needs.tsx'
import { Plumb } from './plumb.tsx'
import { Side } from './side.tsx'
import { Worlds } from './worlds.tsx'

const OVERVIEW = '/api/overview'
const PROBE = '/api/control-plane/health?probe=true'

export function Overview() {
  const overview = useResource<OverviewAnswer>(OVERVIEW)
  const total = overview.value?.counts.total
  useEffect(
    () =>
      addKeys([
        { keys: 'r', label: 'Look now', run: () => void lookNow() },
        { keys: 'p', label: 'Plan what is saved', run: () => go('/changes') },
      ]),
    [],
  )
  useEffect(() => {
    // There is no domain yet: the first steps are the page.
    if (total === 0) go('/start', { replace: true })
  }, [total])
  return (
    <Resource of={overview} what="The overview" retry={() => void refresh(OVERVIEW)}>
      {(value) => (
        <div class="cols">
          <div>
            <Head overview={value} look={() => void lookNow()} />
            <Needs
              health={value.health}
              open={value.alerts?.open ?? []}
              pending={value.counts.pending_deploy}
            />
            <Worlds components={value.health.components} />
          </div>
          <Side overview={value} />
        </div>
      )}
    </Resource>
  )
}

async function lookNow(): Promise<void> {
  await call({ path: PROBE })
  invalidate('all')
}

interface HeadProps {
  readonly overview: OverviewAnswer
  readonly look: () => void
}

function Head({ overview: { health, counts, release }, look }: HeadProps) {
  const { marks, stale, label } = plumbOf(health)
  return (
    <section class="verdict" aria-labelledby="v">
      <Plumb marks={marks} broken={stale} label={label} />
      <div>
        <h1 id="v">{visible(summaryText(health.summary))}</h1>
        <p>
          {outsideSentence(health)}
          {release !== null && (
            <>
              {' '}
              Release {release.release} was made <Time at={parseTime(release.at)} ago />, by{' '}
              {visible(actorName(release.actor))}.
            </>
          )}
        </p>
        <div class="acts">
          {counts.pending_deploy > 0 && (
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
