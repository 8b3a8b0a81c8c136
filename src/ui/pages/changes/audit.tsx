/** Who did what and when: filtered by person, act, domain and time, and all that one request did. */
import { useSignal } from '@preact/signals'
import { queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import { daemonTime } from '../../api/clock.ts'
import type { AuditEntry } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { KNOWN_ACTIONS } from '../../model/audit-words.ts'
import { number } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { TrailEntry } from '../../parts/text/trail.tsx'

const FIRST = 100
/** What the API gives at once. */
const MAX_ENTRIES = 500
const HOUR_MS = 3_600_000
const TIMES = [
  ['', 'any time'],
  ['1', 'the last hour'],
  ['24', 'the last day'],
  ['168', 'the last 7 days'],
] as const

export function Audit() {
  const request = queryOf('request')
  const most = useSignal(FIRST)
  const limit = request === null ? most.value : MAX_ENTRIES
  const url = urlOf(limit)
  const trail = useResource<readonly AuditEntry[]>(url)
  return (
    <>
      <div class="tools">
        <TextFilter label="Who" of="actor" />
        <TextFilter label="Domain" of="domain" />
        <PickFilter label="What" of="action" options={[['', 'anything'], ...KNOWN_ACTIONS]} />
        <PickFilter label="When" of="hours" options={TIMES} />
        {request !== null && (
          <button type="button" class="chip" onClick={() => setQuery({ request: null })}>
            request {request.slice(0, 8)} ✕
          </button>
        )}
      </div>
      <Resource of={trail} what="The audit trail" retry={() => void refresh(url)}>
        {(entries) => {
          const shown =
            request === null ? entries : entries.filter(({ request_id }) => request_id === request)
          return (
            <>
              {shown.length === 0 ? <NoneFits /> : <Entries entries={shown} />}
              {entries.length >= limit && (
                <p class="acts gap">
                  {limit < MAX_ENTRIES && (
                    <button
                      type="button"
                      class="btn"
                      onClick={() => {
                        most.value = MAX_ENTRIES
                      }}
                    >
                      Show older ones
                    </button>
                  )}
                  <span class="s q2">
                    These are of the newest {number(limit)} entries
                    {limit === MAX_ENTRIES && '; filter for older ones'}.
                  </span>
                </p>
              )}
            </>
          )
        }}
      </Resource>
    </>
  )
}

function urlOf(limit: number): string {
  const words = new URLSearchParams({ limit: String(limit) })
  for (const name of ['actor', 'domain', 'action'] as const) {
    const value = queryOf(name)?.trim() ?? ''
    if (value !== '') words.set(name, value)
  }
  const hours = Number(queryOf('hours') ?? '')
  // By the minute, so that the address of what is shown does not change with every look.
  const minute = Math.floor(daemonTime() / 60_000) * 60_000
  if (hours > 0) words.set('since', new Date(minute - hours * HOUR_MS).toISOString())
  return `/api/audit?${words.toString()}`
}

function NoneFits() {
  const none = Object.fromEntries(['actor', 'domain', 'action', 'hours', 'request'].map((one) => [one, null]))
  return (
    <Empty title="No entry fits.">
      <button type="button" class="btn" onClick={() => setQuery(none)}>
        Remove all filters
      </button>
    </Empty>
  )
}

const Entries = ({ entries }: { readonly entries: readonly AuditEntry[] }) => (
  <table>
    <thead>
      <tr>
        <th>When</th>
        <th>What</th>
        <th>Request</th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td class="s q nw">
            <Time at={parseTime(entry.at)} />
          </td>
          <td>
            <TrailEntry entry={entry} />
          </td>
          <td class="s q mono">
            <button
              type="button"
              class="copy"
              title="All that this request did"
              onClick={() => setQuery({ request: entry.request_id })}
            >
              {entry.request_id.slice(0, 8)}
            </button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const TextFilter = ({ label, of }: { readonly label: string; readonly of: string }) => (
  <label class="input">
    <span class="q">{label}</span>
    <input
      value={queryOf(of) ?? ''}
      autocomplete="off"
      onChange={(event) => setQuery({ [of]: event.currentTarget.value.trim() })}
    />
  </label>
)

interface PickProps {
  readonly label: string
  readonly of: string
  readonly options: readonly (readonly [string, string])[]
}

const PickFilter = ({ label, of, options }: PickProps) => (
  <label class="input">
    <span class="q">{label}</span>
    <select value={queryOf(of) ?? ''} onChange={(event) => setQuery({ [of]: event.currentTarget.value })}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
