/** Rows that could not be seen again: they stay in their list as unknown, and a line above says how old they are. */
import { effect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { sessionState } from '../../api/session.ts'
import { lastSeen, type LastSeen, type SeenRows } from '../../model/table/last-seen.ts'
import { count } from '../../model/words.ts'
import { Time } from '../age.tsx'
import { LampIcon } from '../lamp.tsx'

/** By list. */
const lists = new Map<string, SeenRows<never>>()

// Who signs out leaves nothing behind.
effect(() => {
  if (sessionState.value.kind === 'left') lists.clear()
})

interface Of<R> {
  /** Names the list. */
  readonly list: string
  readonly rows: readonly R[]
  readonly idOf: (row: R) => string
  /** Whether a row that is not among them may be there all the same. */
  readonly mayMiss: (row: R) => boolean
  /** What that rests on, beside the rows. */
  readonly basis?: string
  /** When they were seen, in milliseconds. */
  readonly at: number
}

export function useLastSeen<R>({ list, rows, idOf, mayMiss, basis = '', at }: Of<R>): LastSeen<R> {
  return useMemo(() => {
    const known = lastSeen<R>(lists.get(list) ?? new Map(), rows, { idOf, mayMiss, at })
    lists.set(list, known.seen as SeenRows<never>)
    return known
  }, [list, rows, at, basis])
}

interface Props {
  readonly before: LastSeen<unknown>['before']
  readonly one: string
}

export const NotSeen = ({ before, one }: Props) =>
  before.size === 0 ? null : (
    <p class="why c-unknown" role="status">
      <LampIcon lamp="unknown" plain />
      <span>
        <b>{count(before.size, one)} not seen now.</b> Seen last{' '}
        <Time at={Math.min(...before.values())} ago />: what stands here was true then.
      </span>
    </p>
  )
