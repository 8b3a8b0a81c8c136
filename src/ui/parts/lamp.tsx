/** A lamp: a shape for each state, with its word for whoever does not see it. */
import { useRef } from 'preact/hooks'
import { LAMP_LETTERS, LAMP_NAMES, LAMP_WORDS, LAMPS, type Lamp } from '../model/lamps.ts'

interface Props {
  readonly lamp: Lamp | 'todo'
  /** Said beside it already: then the shape is decoration. */
  readonly plain?: boolean
  /** What it is of, where one place shows one thing after another. */
  readonly of?: number
}

export function LampIcon({ lamp, plain = false, of = 0 }: Props) {
  const ref = useRef<SVGSVGElement>(null)
  const before = useRef({ lamp, of })
  // A lamp that changes gives one ring. Without an effect: of rows of lamps hardly one changes.
  if (before.current.lamp !== lamp && before.current.of === of) requestAnimationFrame(() => ring(ref.current))
  before.current = { lamp, of }
  const word = lamp === 'todo' ? 'still to come' : LAMP_WORDS[lamp]
  return (
    <svg
      ref={ref}
      class={`l-${lamp}`}
      width="12"
      height="12"
      {...(plain ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': word })}
    >
      <use href={`#${lamp}`} />
    </svg>
  )
}

/** What each letter over the lamps of a domain stands for. */
export const LampLetters = () => (
  <>
    {LAMPS.map((name) => (
      <span key={name} class="nw">
        <b>{LAMP_LETTERS[name]}</b> {LAMP_NAMES[name]}{' '}
      </span>
    ))}
  </>
)

function ring(icon: SVGSVGElement | null): void {
  if (icon === null || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  icon.animate?.(
    [
      { transform: 'scale(1.8)', opacity: 0.4 },
      { transform: 'scale(1)', opacity: 1 },
    ],
    400,
  )
}
