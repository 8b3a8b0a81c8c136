/** What somebody else saved while this was typed, field by field beside it. */
import type { Domain } from '../../api/types.ts'
import { draftOf, movedFields, type Draft } from '../../model/draft.ts'
import { visible } from '../../model/visible.ts'
import { fieldName } from '../../model/words.ts'

interface Props {
  readonly mine: Draft
  readonly base: Domain
  readonly theirs: Domain
  readonly onTheirs: () => void
  readonly onMine: () => void
}

/** Somebody saved while this was typed: both, field by field. */
export function Meanwhile({ mine, base, theirs, onTheirs, onMine }: Props) {
  const other = draftOf(theirs)
  const fields = [...new Set([...movedFields(draftOf(base), other), ...movedFields(draftOf(base), mine)])]
  return (
    <div class="box pad gapb" role="alert">
      <p>
        <b>This domain was saved by somebody else while you typed.</b>
      </p>
      <div class="three tri">
        <span class="h" />
        <span class="h">
          <b>Yours</b>
        </span>
        <span class="h sign" data-sign="≠">
          <b>Theirs</b>
        </span>
        {fields.map((field) => (
          <>
            <span class="q">{fieldName(field)}</span>
            <span>{visible(mine[field])}</span>
            <span>
              <span class="mark">{visible(other[field])}</span>
            </span>
          </>
        ))}
      </div>
      <p class="acts gap">
        <button type="button" class="btn" onClick={onTheirs}>
          Take theirs
        </button>
        <button type="button" class="btn" onClick={onMine}>
          Keep mine
        </button>
      </p>
    </div>
  )
}
