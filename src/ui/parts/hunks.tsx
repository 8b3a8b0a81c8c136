/** The step that an act would write: structured lines as the API sends them, our own marker folded. */
import { changedSpan } from '../model/hunks.ts'
import { visible } from '../model/visible.ts'
import type { Difference } from '../api/types.ts'

type Hunk = NonNullable<Difference['hunks']>[number]
type HunkLine = Hunk['lines'][number]

const SIGNS = { ' ': '', '+': '+', '-': '−' } as const
const KINDS = { ' ': 'r', '+': 'r add', '-': 'r del' } as const

export function Hunks({ hunks, label }: { readonly hunks: readonly Hunk[]; readonly label: string }) {
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={label}>
      {hunks.map((hunk) => (
        <HunkRows key={`${hunk.old_start} ${hunk.new_start}`} hunk={hunk} />
      ))}
    </div>
  )
}

function HunkRows({ hunk }: { readonly hunk: Hunk }) {
  let left = hunk.old_start
  let right = hunk.new_start
  return (
    <>
      {hunk.lines.map((line, at) => {
        const old = line.sign === '+' ? '' : left++
        const fresh = line.sign === '-' ? '' : right++
        if (line.noise) return null
        return (
          <div class={KINDS[line.sign]} key={`${at} ${line.sign}`}>
            <span>{old}</span>
            <span>{fresh}</span>
            <span>{SIGNS[line.sign]}</span>
            <code>
              <Marked line={line} other={otherOf(hunk.lines, at)} />
            </code>
          </div>
        )
      })}
    </>
  )
}

/** The line that it is compared with, where one line became one. */
function otherOf(lines: readonly HunkLine[], at: number): HunkLine | null {
  const here = lines[at]!
  if (here.sign === ' ') return null
  const [before, after] = [lines[at - 1], lines[at + 1]]
  const partner = here.sign === '-' ? after : before
  const beyond = here.sign === '-' ? before : after
  const wanted = here.sign === '-' ? '+' : '-'
  return partner?.sign === wanted && beyond?.sign !== here.sign ? partner : null
}

function Marked({
  line: { sign, text },
  other,
}: {
  readonly line: HunkLine
  readonly other: HunkLine | null
}) {
  if (other === null) return <>{visible(text)}</>
  const [before, after] = sign === '-' ? changedSpan(text, other.text) : changedSpan(other.text, text)
  const [mark] = sign === '-' ? before : after
  if (mark === undefined) return <>{visible(text)}</>
  return (
    <>
      {visible(text.slice(0, mark[0]))}
      <em>{visible(text.slice(mark[0], mark[1]))}</em>
      {visible(text.slice(mark[1]))}
    </>
  )
}
