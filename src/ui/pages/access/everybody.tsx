/** People against domains, on demand only: it asks once for each person. */
import { useSignal } from '@preact/signals'
import { useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { faultText } from '../../api/fault.ts'
import type { Access, User } from '../../api/types.ts'
import { canOpenText, lampOfEntry, type AccessEntry } from '../../model/kept/access-entry.ts'
import { unprovenNo, type Unproven } from '../../model/kept/unproven.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { DomainLink } from '../../parts/name.tsx'

const MAX_PEOPLE = 20
const MAX_DOMAINS = 200

interface Column {
  readonly username: string
  readonly entries: ReadonlyMap<string, AccessEntry>
}

type State =
  | { readonly kind: 'none' | 'asking' }
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'found'; readonly columns: readonly Column[] }

export function Everybody({ unproven }: { readonly unproven: Unproven }) {
  const users = useResource<readonly User[]>('/api/users').value ?? []
  const state = useSignal<State>({ kind: 'none' })
  const own = users.filter((one) => one.disabled !== true || one.unproven !== null).slice(0, MAX_PEOPLE)
  if (own.length === 0) return null
  const ask = async () => {
    state.value = { kind: 'asking' }
    state.value = await columnsOf(own.map(({ username }) => username))
  }
  const at = state.value
  return (
    <section class="gap2" aria-labelledby="matrix">
      <h2 class="t" id="matrix">
        Everybody and everything
      </h2>
      {at.kind !== 'found' && (
        <p class="acts">
          <button type="button" class="btn" disabled={at.kind === 'asking'} onClick={() => void ask()}>
            {at.kind === 'asking' ? 'Asking' : `Show ${count(own.length, 'person', 'people')} × domains`}
          </button>
          {users.length > own.length && own.length === MAX_PEOPLE && (
            <span class="s q2">The first {MAX_PEOPLE} people.</span>
          )}
        </p>
      )}
      {at.kind === 'failed' && <p class="c-unknown gap">Could not be asked: {visible(at.detail)}</p>}
      {at.kind === 'found' && <Table columns={at.columns} unproven={unproven} />}
    </section>
  )
}

/** One after the other: nobody else waits for it. */
async function columnsOf(usernames: readonly string[]): Promise<State> {
  const columns: Column[] = []
  for (const username of usernames) {
    const answer = await call<Access>({ path: `/api/access?user=${encodeURIComponent(username)}` })
    if (!answer.ok) return { kind: 'failed', detail: faultText(answer.fault) }
    columns.push({ username, entries: new Map(answer.body.entries.map((one) => [one.domain, one])) })
  }
  return { kind: 'found', columns }
}

interface TableProps {
  readonly columns: readonly Column[]
  readonly unproven: Unproven
}

function Table({ columns, unproven }: TableProps) {
  const domains = [...new Set(columns.flatMap(({ entries }) => [...entries.keys()]))].toSorted()
  return (
    <div class="matrix" tabIndex={0} role="region" aria-label="People against domains">
      <table>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            {columns.map(({ username }) => (
              <th key={username} scope="col">
                {visible(username)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {domains.slice(0, MAX_DOMAINS).map((domain) => (
            <tr key={domain}>
              <th scope="row" class="name">
                <DomainLink name={domain} />
              </th>
              {columns.map(({ username, entries }) => (
                <Cell key={username} entry={entries.get(domain)} unproven={unproven} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {domains.length > MAX_DOMAINS && (
        <p class="q2 gap">and {count(domains.length - MAX_DOMAINS, 'more domain')}: ask of one above</p>
      )}
    </div>
  )
}

interface CellProps {
  readonly entry: AccessEntry | undefined
  readonly unproven: Unproven
}

function Cell({ entry, unproven }: CellProps) {
  if (entry === undefined) return <td class="q">–</td>
  const not_proven = unprovenNo(entry, unproven)
  return (
    <td title={visible(not_proven ?? entry.detail)}>
      <LampIcon lamp={not_proven === null ? lampOfEntry(entry) : 'unknown'} plain />
      <span class="sr">{canOpenText(entry, not_proven)}</span>
    </td>
  )
}
