/** How a domain answered over the last day: 96 bars, and how much of what is known was good. */
import { useResource } from '../../api/cache.ts'
import type { DomainHistory } from '../../api/types.ts'
import { absoluteText, parseTime, parseTimeOr } from '../../model/ages.ts'
import { barState, looksText, uptimeText } from '../../model/looked-at/uptime.ts'
import { visible } from '../../model/visible.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'

const MINUTE = 60

export function Uptime({ id }: { readonly id: number }) {
  const history = useResource<DomainHistory>(`/api/domains/${id}/history`).value
  if (history === undefined) return null
  const { uptime, buckets, last, looks_every_seconds } = history
  const at = parseTimeOr(last?.at)
  return (
    <section class="gap2" aria-labelledby="up">
      <h2 class="t" id="up">
        Uptime <span class={uptime === null ? 'c-unknown' : ''}>{uptimeText(uptime)}</span>{' '}
        <span class="s q2">of the last 24 hours{uptime === null ? '' : ', as far as known'}</span>
      </h2>
      <Bars of={buckets} label={`Uptime ${uptimeText(uptime)}: ${looksText(history)}`} />
      <p class="s q2">
        {looksText(history)}.{' '}
        {looks_every_seconds !== null && `Looked at every ${Math.round(looks_every_seconds / MINUTE)} min. `}
        {last !== null && (
          <>
            <LampIcon lamp={last.state} /> {visible(last.message)} {at !== null && <Time at={at} ago />}
          </>
        )}
      </p>
    </section>
  )
}

interface BarsProps {
  readonly of: DomainHistory['buckets']
  readonly label: string
}

/** A quarter of an hour each, the newest at the right; what fails is full, what is unknown is low: not by colour alone. */
const Bars = ({ of, label }: BarsProps) => (
  <svg
    class="uptime"
    viewBox={`0 0 ${of.length * 4} 24`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    {of.map((bucket, at) => {
      const state = barState(bucket)
      const height = HEIGHTS[state]
      return (
        <rect key={bucket.at} class={`up-${state}`} x={at * 4} y={24 - height} width={3} height={height}>
          <title>{`${absoluteText(parseTime(bucket.at))}: ${looksText(bucket)}`}</title>
        </rect>
      )
    })}
  </svg>
)

const HEIGHTS = { ok: 18, drift: 22, bad: 24, unknown: 10, off: 3 } as const
