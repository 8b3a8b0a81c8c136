/** Overview: whether all is as it should be, what needs somebody, and everything that is kept true, needed or watched. */
import { useComputed } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { go } from '../../address.ts'
import { invalidate, type Loaded, refresh, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { daemonTime, now } from '../../api/clock.ts'
import type { AuditEntry, HealthComponent, Modes, Overview as OverviewAnswer } from '../../api/types.ts'
import { agedCount, agedHealth, endOfSeen } from '../../model/aged.ts'
import { parseTime } from '../../model/ages.ts'
import { modeWords } from '../../model/text/headline-words.ts'
import { MODE_TRAIL } from '../../model/text/modes.ts'
import { headlineText, outsideSentence, plumbOf } from '../../model/verdict.ts'
import { addKeys } from '../../parts/keys.ts'
import { Time } from '../../parts/age.tsx'
import { Resource } from '../../parts/panel.tsx'
import { UnknownNames } from '../../parts/unknown-names.tsx'
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
  const aged = useComputed(() => agedCount(overview.value?.health.components ?? [], now.value))
  useEffect(() => startAsking(overview), [overview])
  useLayoutEffect(
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
      {(value) => {
        const health = aged.value === 0 ? value.health : agedHealth(value.health, now.peek())
        return (
          <div class="cols">
            <div>
              <Head overview={{ ...value, health }} look={() => void lookNow()} />
              <Needs health={health} open={value.alerts?.open ?? []} pending={value.counts.pending_deploy} />
              <Worlds {...health} />
            </div>
            <Side overview={value} />
          </div>
        )
      }}
    </Resource>
  )
}

const ASK_EVERY_MS = 5000

/** Nothing tells of a look that found all as before: shortly before what is shown becomes stale it is asked for again. */
function startAsking({ value, fetched_at }: Loaded<OverviewAnswer>): () => void {
  const timer = setInterval(() => {
    const at = daemonTime()
    const end = endOfSeen(value?.health.components ?? [], fetched_at)
    const isDue = end !== null && end - at < 2 * ASK_EVERY_MS && at - fetched_at > ASK_EVERY_MS
    if (isDue && !document.hidden) void refresh(OVERVIEW)
  }, ASK_EVERY_MS)
  return () => clearInterval(timer)
}

async function lookNow(): Promise<void> {
  await call({ path: PROBE })
  invalidate('all')
}

interface HeadProps {
  readonly overview: OverviewAnswer
  readonly look: () => void
}

function Head({ overview: { health, counts, release, unknown_certificates }, look }: HeadProps) {
  const { marks, stale, label } = plumbOf(health)
  return (
    <section class="verdict" aria-labelledby="v">
      <Plumb marks={marks} broken={stale} label={label} />
      <div>
        <h1 id="v">{visible(headlineText(health))}</h1>
        <p>
          {outsideSentence(health)} <UnknownNames many={unknown_certificates} />
          <NotPutBack rows={health.components} />
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

/** Reason and trail are asked for only where some part is not repaired. */
function NotPutBack({ rows }: { readonly rows: readonly HealthComponent[] }) {
  const isBound = modeWords(rows, []) !== null
  const settings = useResource<Modes>(isBound ? '/api/modes' : '').value?.settings ?? []
  const trail = useResource<readonly AuditEntry[]>(isBound ? MODE_TRAIL : '').value ?? []
  const words = modeWords(rows, settings, trail)
  if (words === null) return null
  const { text, since, actor } = words
  return (
    <>
      {' '}
      {text}
      {since !== null && (
        <>
          , since <Time at={since} ago />
        </>
      )}
      {actor !== null && `, set by ${visible(actor)}`}.
    </>
  )
}
