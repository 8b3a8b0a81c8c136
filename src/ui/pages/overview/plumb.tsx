/** The plumb: it hangs true when all is, swings by what differs, and its string is broken while the verdict is stale. */

const SWING = { 0: [46, 124, 0], 1: [57, 123, -5.2], 2: [68, 122, -10.2], 3: [77, 120, -14.5] } as const
const TICKS = [13, 24, 35, 57, 68, 79]

interface Props {
  readonly marks: 0 | 1 | 2 | 3
  readonly broken: boolean
  readonly label: string
}

export function Plumb({ marks, broken, label }: Props) {
  const [x, y, turn] = SWING[marks]
  return (
    <svg class="plumb" width="92" height="172" viewBox="0 0 92 172" role="img" aria-label={label}>
      <path class="true" d="M46 0v158" fill="none" />
      <g class="tick" stroke-width="1">
        {TICKS.map((at) => (
          <path key={at} d={`M${at} 162v5`} stroke="currentColor" />
        ))}
        <path d="M46 159v10" stroke="currentColor" />
      </g>
      <path
        class="string"
        d={`M46 0 ${x} ${y}`}
        fill="none"
        stroke-width="1.25"
        {...(broken && { 'stroke-dasharray': '7 6' })}
      />
      <g transform={`translate(${x} ${y}) rotate(${turn})`}>
        <path d="M-2.500-6h5v6h-5z" fill="var(--ink2)" />
        <path class="bob" d="M-6.500 0h13v5C6.500 15 3.500 22 0 31-3.500 22-6.500 15-6.500 5z" />
      </g>
    </svg>
  )
}
