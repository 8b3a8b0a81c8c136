/** Entries of the audit trail, each of which opens: the fields that it moved, old and new, and all that its request did. */
import type { ComponentChildren } from 'preact'
import type { AuditEntry } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { auditText, isFailed, movedIn, restOf } from '../../model/audit-words.ts'
import { visible } from '../../model/visible.ts'
import { fieldName, fieldValue, plain } from '../../model/words.ts'
import { Time } from '../age.tsx'
import { LampIcon } from '../lamp.tsx'

interface Props {
  readonly entries: readonly AuditEntry[]
  /** What can be done about an entry; shown where it opens. */
  readonly actOf?: (entry: AuditEntry) => ComponentChildren
}

export const Trail = ({ entries, actOf }: Props) => (
  <ol class="hist">
    {entries.map((entry) => (
      <li key={entry.id}>
        <LampIcon lamp={isFailed(entry) ? 'bad' : entry.action === 'update' ? 'pending' : 'ok'} plain />
        <TrailEntry entry={entry} act={actOf?.(entry)} />
        <span class="s q">
          <Time at={parseTime(entry.at)} />
        </span>
      </li>
    ))}
  </ol>
)

interface EntryProps {
  readonly entry: AuditEntry
  readonly act?: ComponentChildren
}

export function TrailEntry({ entry, act }: EntryProps) {
  const moved = movedIn(entry.detail)
  const release = entry.detail['release']
  return (
    <details>
      <summary>{visible(auditText(entry))}</summary>
      {moved.map(({ field, before, after }) => (
        <p key={field} class="s">
          {fieldName(field)} {visible(fieldValue(field, before))} <span class="c-pending">→</span>{' '}
          <span class="mark">{visible(fieldValue(field, after))}</span>
        </p>
      ))}
      {restOf(entry.detail).map(([name, value]) => (
        <p key={name} class="s q2">
          {plain(name)} {visible(fieldValue(name, value))}
        </p>
      ))}
      <p class="s q2">
        {entry.revision_after !== null &&
          entry.revision_after !== entry.revision_before &&
          `revision ${entry.revision_before ?? 'none'} → ${entry.revision_after} · `}
        {typeof release === 'number' && release > 1 && (
          <>
            <a href={`/changes?part=releases&a=${release - 1}&b=${release}`}>what release {release} moved</a>
            {' · '}
          </>
        )}
        <a href={`/changes?part=audit&request=${encodeURIComponent(entry.request_id)}`}>
          all that this request did
        </a>
      </p>
      {act !== undefined && act !== null && <p class="acts">{act}</p>}
    </details>
  )
}
