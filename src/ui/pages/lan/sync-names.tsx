/** Names of guests for their clients: what would be written first, then one press that writes exactly that, and what came of it. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import type { SyncedNames } from '../../api/companions/network.ts'
import type { Fault } from '../../api/fault.ts'
import { invalidate } from '../../api/cache.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import { skippedWords, syncQuery } from '../../model/looked-at/lan-lists.ts'
import { visible } from '../../model/visible.ts'
import { count, number } from '../../model/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FaultLine, Loading } from '../../parts/panel.tsx'

const SYNC = '/companions/network/api/sync-names'
const MAX_LINES = 200

export interface SyncNamesProps {
  readonly onClose: () => void
}

export function SyncNames({ onClose }: SyncNamesProps) {
  const overwrite = useSignal(false)
  const looked = useSignal<SyncedNames | null>(null)
  const done = useSignal<SyncedNames | null>(null)
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const look = async () => {
    const asked = overwrite.peek()
    looked.value = null
    fault.value = null
    const answer = await call<SyncedNames>({
      method: 'POST',
      path: `${SYNC}?dry_run=true${asked ? '&overwrite=true' : ''}`,
    })
    // What was chosen meanwhile has its own look.
    if (asked !== overwrite.peek()) return
    if (answer.ok) looked.value = answer.body
    else fault.value = answer.fault
  }
  const write = async (of: SyncedNames) => {
    busy.value = true
    const query = syncQuery(of, { overwrite: overwrite.peek() })
    const answer = await call<SyncedNames>({ method: 'POST', path: query === '' ? SYNC : `${SYNC}?${query}` })
    busy.value = false
    fault.value = answer.ok ? null : answer.fault
    if (answer.ok) done.value = answer.body
    invalidate(['/companions/network', '/api/network'])
  }
  useEffect(() => {
    void look()
  }, [overwrite.value])
  const shown = done.value ?? looked.value
  return (
    <Dialog label="Names of guests" onClose={onClose}>
      <h2 class="t">Names of guests</h2>
      <p class="q2">Clients get the names of their guests, by their cards, at the controllers.</p>
      <Choice
        label="A name that a person gave"
        value={overwrite.value ? 'overwrite' : 'keep'}
        options={[
          ['keep', 'is kept'],
          ['overwrite', 'is written over'],
        ]}
        disabled={busy.value || done.value !== null}
        onChoose={(next) => {
          overwrite.value = next === 'overwrite'
        }}
      />
      {shown === null ? (
        fault.value === null && <Loading what="what would be written" />
      ) : (
        <Outcome of={shown} />
      )}
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        {done.value === null && looked.value !== null && looked.value.renamed.length > 0 && (
          <button
            type="button"
            class="btn first"
            disabled={busy.value || !mayChange.value}
            title={whyNot.value ?? undefined}
            onClick={() => void write(looked.value!)}
          >
            Write {count(looked.value.renamed.length, 'name')}
          </button>
        )}
        <button type="button" class="btn" onClick={onClose}>
          {done.value === null ? 'Leave it' : 'Close'}
        </button>
      </p>
    </Dialog>
  )
}

function Outcome({ of: { dry_run, renamed, unchanged, skipped, failed } }: { readonly of: SyncedNames }) {
  return (
    <div role="status">
      <p>
        {renamed.length === 0
          ? dry_run
            ? 'Nothing would be written.'
            : 'Nothing was written.'
          : `${count(renamed.length, 'name')} ${dry_run ? 'would be' : renamed.length === 1 ? 'was' : 'were'} written.`}{' '}
        <span class="q2">{number(unchanged)} have theirs already.</span>
      </p>
      <ul>
        {failed.slice(0, MAX_LINES).map(({ user_id, mac, name, why }) => (
          <li class="why" key={`f ${user_id}`}>
            <LampIcon lamp="bad" />
            <span>
              {visible(name)} <span class="mono">{visible(mac)}</span> {visible(why)}
            </span>
          </li>
        ))}
        {renamed.slice(0, MAX_LINES).map(({ user_id, mac, name, name_before }) => (
          <li class="why" key={`r ${user_id}`}>
            <LampIcon lamp={dry_run ? 'pending' : 'ok'} />
            <span>
              <b>{visible(name)}</b> <span class="mono">{visible(mac)}</span>{' '}
              <span class="q2">{name_before === null ? 'had no name' : `was ${visible(name_before)}`}</span>
            </span>
          </li>
        ))}
        {skipped.slice(0, MAX_LINES).map(({ mac, reason, guests }) => (
          <li class="why" key={`s ${reason} ${mac} ${guests.join(' ')}`}>
            <LampIcon lamp="off" />
            <span>
              {visible(guests.join(', '))} <span class="mono">{visible(mac)}</span>{' '}
              <span class="q2">{skippedWords(reason)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
