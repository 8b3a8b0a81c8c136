/** What anybody opens who has not signed in. */
import type { AccessRow, openCounts } from '../../model/kept/access.ts'
import { visible } from '../../model/visible.ts'
import { number } from '../../model/words.ts'
import { Empty } from '../../parts/panel.tsx'
import { AccessList } from './table.tsx'

interface Props {
  readonly rows: readonly AccessRow[]
  readonly counts: ReturnType<typeof openCounts>
  readonly notes: readonly string[]
  /** Domains that are deployed. */
  readonly all: number
  /** So many of them are not proven to be closed. */
  readonly unproven: number
}

export function OpenToAll({ rows, counts, notes, all, unproven }: Props) {
  const none = `None of ${number(all)} opens without signing in`
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
      {rows.length === 0 ? (
        <Empty
          title={
            all === 0
              ? 'No domain that is deployed.'
              : unproven === 0
                ? `${none}.`
                : `${none}, by the rules; of ${number(unproven)} it is not proven.`
          }
        />
      ) : (
        <AccessList rows={rows} of_anybody />
      )}
    </section>
  )
}
