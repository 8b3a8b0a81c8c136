/** A difference line by line: numbers of both sides, signs, changed words; long ones are drawn in windows. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { diffParts, type DiffPart, type DiffRow } from '../model/hunks.ts'
import { visible } from '../model/visible.ts'
import { number } from '../model/words.ts'
import { Icon } from './icons.tsx'

const WINDOW = 400
const SIGNS = { same: '', add: '+', del: '−' } as const

interface Props {
  readonly unified: string
  readonly label: string
}

export function Diff({ unified, label }: Props) {
  const parts = useMemo(() => diffParts(unified), [unified])
  const shown = useSignal(WINDOW)
  const rest = parts.length - shown.value
  return (
    // The region can be scrolled, so the keyboard must reach it.
    <div class="diff flat" tabIndex={0} role="region" aria-label={label}>
      {parts.slice(0, shown.value).map((part, at) => (
        <Part key={at} part={part} />
      ))}
      {rest > 0 && (
        <div class="cut">
          <button
            type="button"
            class="btn quiet"
            onClick={() => {
              shown.value += WINDOW
            }}
          >
            Show {number(Math.min(WINDOW, rest))} of {number(rest)} more lines
          </button>
        </div>
      )}
    </div>
  )
}

function Part({ part }: { readonly part: DiffPart }) {
  if (part.kind === 'fold')
    return (
      <div class="cut">
        <Icon name="cut" size={14} /> <span>{part.text}</span>
      </div>
    )
  return (
    <div class={part.kind === 'same' ? 'r' : `r ${part.kind}`}>
      <span>{part.left ?? ''}</span>
      <span>{part.right ?? ''}</span>
      <span>{SIGNS[part.kind]}</span>
      <code>
        <Marked row={part} />
      </code>
    </div>
  )
}

function Marked({ row: { text, marks } }: { readonly row: DiffRow }) {
  const [mark] = marks
  if (mark === undefined) return <>{visible(text)}</>
  const [begin, end] = mark
  return (
    <>
      {visible(text.slice(0, begin))}
      <em>{visible(text.slice(begin, end))}</em>
      {visible(text.slice(end))}
    </>
  )
}
