/** What anybody opens who has not signed in. */
import { useMemo } from 'preact/hooks'
import { queryOf } from '../../address.ts'
import type { AccessRow, openCounts } from '../../model/kept/access.ts'
import { thatHold } from '../../model/kept/order.ts'
import { visible } from '../../model/visible.ts'
import { number } from '../../model/words.ts'
import { Search } from '../../parts/listing/search.tsx'
import { Empty } from '../../parts/panel.tsx'
import { AccessTable } from './table.tsx'

interface Props {
  readonly rows: readonly AccessRow[]
  readonly counts: ReturnType<typeof openCounts>
  readonly notes: readonly string[]
  /** Domains that are deployed. */
  readonly all: number
}

const MANY = 12

export function OpenToAll({ rows, counts, notes, all }: Props) {
  const text = queryOf('q') ?? ''
  const shown = useMemo(() => thatHold(rows, text), [rows, text])
  return (
    <section class="gap2" aria-labelledby="open-to-all">
      <h2 class="t" id="open-to-all">
        Open to all <span class="q s">{number(counts.all)}</span>
        {counts.inside > 0 && (
          <span class="q s"> · to whoever reaches it inside {number(counts.inside)}</span>
        )}
      </h2>
      {notes.map((note) => (
        <p key={note} class="s c-unknown flush">
          {visible(note)}
        </p>
      ))}
      {rows.length > MANY && (
        <div class="tools top">
          <Search text={text} hint="name" />
        </div>
      )}
      {rows.length === 0 ? (
        <Empty
          title={
            all === 0 ? 'No domain that is deployed.' : `None of ${number(all)} opens without signing in.`
          }
        />
      ) : shown.length === 0 ? (
        <Empty title={`None of ${number(rows.length)} fits.`} />
      ) : (
        <AccessTable rows={shown} title="Open to all" of_anybody />
      )}
    </section>
  )
}
