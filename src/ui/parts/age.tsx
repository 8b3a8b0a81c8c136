/** How old what is known is: words, and a thread that shortens until the knowledge is used up. */
import { now } from '../api/clock.ts'
import { absoluteText, ageText, agoText, endText, threadLeft } from '../model/ages.ts'

interface Props {
  readonly at: number | null
  readonly stale_after?: number | null
}

export function Age({ at, stale_after = null }: Props) {
  if (at === null) return <span class="q s">–</span>
  const left = threadLeft(at, stale_after, now.value)
  return (
    <span class={left === 0 ? 'age stale' : 'age'}>
      <Time at={at} />
      {left !== null && (
        <svg width="46" height="2" aria-hidden="true">
          <path d="M0 1h46" stroke="var(--line)" stroke-width="2" />
          {left === 0 ? (
            <path d="M0 1h46" stroke="currentColor" stroke-width="2" stroke-dasharray="3 3" />
          ) : (
            <path d={`M0 1h${Math.round(left * 46)}`} stroke="currentColor" stroke-width="2" />
          )}
        </svg>
      )}
    </span>
  )
}

/** `12 min`, with the moment itself on hover; `ago` says "12 min ago". */
export function Time({ at, ago = false }: { readonly at: number; readonly ago?: boolean }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={absoluteText(at)}>
      {ago ? agoText(at, now.value) : ageText(at, now.value)}
    </time>
  )
}

/** When something ends: `in 34 d`, and once it is over `expired 7 d ago`. */
export const Until = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={absoluteText(at)}>
    {endText(at, now.value)}
  </time>
)
