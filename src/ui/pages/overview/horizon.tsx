/** When certificates end: 90 days as a line, one pin each; those within 30 days are tall and named. */
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'

const DAY_MS = 86_400_000
const DAYS = 90
const LEFT = 8
const RIGHT = 324
const NEAR = 30

interface Props {
  readonly ends: readonly { readonly name: string; readonly at: number }[]
  readonly now: number
}

const xOf = (days: number): number => LEFT + ((RIGHT - LEFT) * Math.max(0, Math.min(DAYS, days))) / DAYS

export function Horizon({ ends, now }: Props) {
  const pins = ends
    .map(({ name, at }) => ({ name, days: Math.floor((at - now) / DAY_MS) }))
    .filter(({ days }) => days <= DAYS)
    .toSorted((a, b) => a.days - b.days)
  const [first] = pins
  const label = `Ends of certificates over the next ${DAYS} days: ${count(pins.length, 'certificate')}`
  return (
    <svg width="100%" height="74" viewBox="0 0 332 74" role="img" aria-label={label}>
      <path d={`M${LEFT} 50H${RIGHT}`} stroke="var(--edge)" />
      <path d={`M${LEFT} 50H${xOf(NEAR)}`} stroke="var(--drift)" stroke-width="2" />
      {[0, 30, 60, 90].map((days) => (
        <g key={days}>
          <path d={`M${xOf(days)} 50v5`} stroke="var(--edge)" />
          <text
            x={xOf(days)}
            y="69"
            font-size="11"
            fill="var(--ink3)"
            text-anchor={days === 0 ? 'start' : days === DAYS ? 'end' : 'middle'}
          >
            {days === 0 ? 'today' : `${days} d`}
          </text>
        </g>
      ))}
      {pins.map(({ name, days }) => (
        <Pin
          key={name}
          x={xOf(days)}
          near={days < NEAR}
          color={days < 14 ? '--bad' : days < NEAR ? '--drift' : '--ok'}
        />
      ))}
      {first !== undefined && first.days < NEAR && (
        <text x={xOf(first.days) + 9} y="22" font-size="12" fill="var(--bad)" font-weight="620">
          {visible(first.name)} · {first.days < 0 ? 'ended' : count(first.days, 'day')}
        </text>
      )}
    </svg>
  )
}

function Pin({ x, near, color }: { readonly x: number; readonly near: boolean; readonly color: string }) {
  const height = near ? 26 : 12
  return (
    <g transform={`translate(${x} 50)`}>
      <path d={`M0 0v${-height}`} stroke={`var(${color})`} stroke-width="1.5" />
      <circle cy={-height} r={near ? 4 : 2.6} fill={`var(${color})`} />
    </g>
  )
}
