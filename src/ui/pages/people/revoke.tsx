/** Ends a person's access for good: first what they lose, then the plan with what goes on all the same. */
import { useRef } from 'preact/hooks'
import type { PersonRow } from '../../model/kept/people.ts'
import { visible } from '../../model/visible.ts'
import { count, listed } from '../../model/words.ts'
import { FormDialog } from '../../parts/change/form-dialog.tsx'
import { useOpenable } from './openable.ts'

interface Props {
  readonly row: PersonRow
  readonly onClose: () => void
}

const MAX_NAMED = 12

export function Revoke({ row: { key, name }, onClose }: Props) {
  const now = useOpenable(key)
  // What is lost by it stays to be read once it is lost.
  const before = useRef(now)
  if (!before.current.isKnown) before.current = now
  const { isKnown, signed_in: lost } = before.current
  return (
    <FormDialog
      label={`Revoke ${visible(name)}`}
      act="Revoke for good"
      danger
      change={{ kind: 'call', method: 'POST', path: `/api/users/${encodeURIComponent(key)}/revoke` }}
      idle="…"
      onClose={onClose}
    >
      <p>
        {visible(name)} cannot sign in any more, and nobody here can bring that back. Whoever writes the users
        file, it stays so. Nobody is deleted.
      </p>
      <p class="q2 gap">
        {!isKnown
          ? 'What is lost by it is not known: the rules or the groups could not be read.'
          : lost.length === 0
            ? 'There is no domain that is lost by it.'
            : `Lost: ${count(lost.length, 'domain')}, ${listed(
                lost.map(({ domain }) => visible(domain)),
                MAX_NAMED,
              )}.`}
      </p>
    </FormDialog>
  )
}
