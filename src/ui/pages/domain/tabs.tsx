/** Parts of a domain that are fetched when one of them is opened first: what the proxy runs, who may open it, and its history. */
import { refresh, useResource } from '../../api/cache.ts'
import type { Access, AuditEntry, Domain, EffectiveConfig, ExplainedDomain, User } from '../../api/types.ts'
import { movedIn } from '../../model/audit-words.ts'
import { canOpenText, lampOfEntry, policyOf, type AccessEntry } from '../../model/kept/access-entry.ts'
import { unprovenAt, unprovenNo } from '../../model/kept/unproven.ts'
import { releaseBefore } from '../../model/text/then-words.ts'
import { visible } from '../../model/visible.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { RestoreButton } from '../../parts/change/restore-button.tsx'
import { Trail } from '../../parts/text/trail.tsx'
import { Prose } from '../../parts/text/prose.tsx'
import { RestoreRecord, useReleases } from './restore-record.tsx'

type Route = NonNullable<EffectiveConfig['generated']>['routes'][number]

/** The chain as it is rendered, each with the word of the proxy. */
export function RouteTab({ id }: { readonly id: number }) {
  const url = `/api/domains/${id}/effective-config?check_backend=true`
  const config = useResource<EffectiveConfig>(url)
  return (
    <Resource of={config} what="The route" retry={() => void refresh(url)}>
      {(value) => (
        <>
          <p class="q2 flush">
            <b>{visible(value.sync_status.replaceAll('_', ' '))}</b>
            {value.sync_reason !== null && `: ${visible(value.sync_reason)}`}
          </p>
          <BackendLine config={value} />
          {value.generated === null ? (
            <Empty title="Nothing is rendered of it." />
          ) : (
            value.generated.routes.map((route) => <Chain key={route.router} route={route} config={value} />)
          )}
        </>
      )}
    </Resource>
  )
}

function BackendLine({ config }: { readonly config: EffectiveConfig }) {
  const reached = config.backend_tcp_reachable
  const fault = config['backend_trouble']
  if (reached === undefined) return null
  const lamp = reached === null ? 'unknown' : reached ? 'ok' : 'bad'
  return (
    <p class="why">
      <LampIcon lamp={lamp} />
      <span>
        Backend: {reached === null ? 'not found out' : reached ? 'it answers' : 'it does not answer'}
        {fault !== null && fault !== undefined && `. ${visible(fault)}`}
      </span>
    </p>
  )
}

function Chain({ route, config }: { readonly route: Route; readonly config: EffectiveConfig }) {
  const found = config.runtime?.routes.find(
    ({ router }) => router.name.split('@')[0] === route.router,
  )?.router
  const lamp =
    found === undefined
      ? config.runtime === null
        ? 'unknown'
        : 'drift'
      : found.status === 'enabled'
        ? 'ok'
        : 'bad'
  return (
    <section class="box pad gapb">
      <p class="why">
        <LampIcon lamp={lamp} />
        <b class="mono">{visible(route.router)}</b>
      </p>
      <dl class="kv left">
        <dt>Rule</dt>
        <dd class="mono">{visible(route.rule)}</dd>
        <dt>Entry points</dt>
        <dd>{route.entrypoints.join(', ')}</dd>
        <dt>Middlewares, in order</dt>
        <dd>{route.middlewares.length === 0 ? 'none' : route.middlewares.join(' → ')}</dd>
        <dt>Service</dt>
        <dd>{visible(route.service)}</dd>
        <dt>Backends</dt>
        <dd class="mono">{route.addresses.map(visible).join(', ') || '–'}</dd>
        <dt>TLS</dt>
        <dd>{route.tls ? 'yes' : 'no'}</dd>
        <dt>The proxy</dt>
        <dd>
          {found === undefined
            ? config.runtime === null
              ? 'It was not asked: its API is not set up or did not answer.'
              : 'It does not have this router.'
            : visible([found.status, ...found.errors].join(', '))}
        </dd>
      </dl>
    </section>
  )
}

export function AccessTab({ record }: { readonly record: Domain }) {
  const url = `/api/access?host=${encodeURIComponent(record.domain)}`
  const access = useResource<Access>(url)
  const explained = useResource<ExplainedDomain>(`/api/domains/${record.id}/explain`).value
  const users = useResource<readonly User[]>('/api/users').value ?? []
  const unproven = unprovenAt(record.domain, explained, users)
  return (
    <>
      {(explained?.sign_in ?? []).map(({ detail, cure }) => (
        <p key={detail} class="why">
          <LampIcon lamp="bad" />
          <span>
            <Prose of={detail} /> <Prose of={cure} />
          </span>
        </p>
      ))}
      {explained !== undefined && explained.not_proven !== null && (
        <p class="why">
          <LampIcon lamp="unknown" />
          <span>
            <Prose of={explained.not_proven} />
          </span>
        </p>
      )}
      <Resource of={access} what="Who may open it" retry={() => void refresh(url)}>
        {({ entries, notes }) => (
          <>
            {notes.map((note) => (
              <p key={note} class="q2">
                {visible(note)}
              </p>
            ))}
            <table>
              <thead>
                <tr>
                  <th>May open</th>
                  <th>Who</th>
                  <th>Policy</th>
                  <th>In words</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <EntryRow
                    key={entry.username ?? ''}
                    entry={entry}
                    inside={record.service_type === 'internal'}
                    not_proven={unprovenNo(entry, unproven)}
                    above={explained?.not_proven ?? null}
                  />
                ))}
              </tbody>
            </table>
          </>
        )}
      </Resource>
    </>
  )
}

interface EntryProps {
  readonly entry: AccessEntry
  readonly inside: boolean
  /** Why its "no" is not known to hold. */
  readonly not_proven: string | null
  /** What stands over the table already. */
  readonly above: string | null
}

function EntryRow({ entry, inside, not_proven, above }: EntryProps) {
  const { username, detail } = entry
  return (
    <tr>
      <td>
        <LampIcon lamp={not_proven === null ? lampOfEntry(entry) : 'unknown'} plain />{' '}
        {canOpenText(entry, not_proven)}
      </td>
      <td>{username === null ? 'everybody else' : visible(username)}</td>
      <td>{policyOf({ of: entry, inside })}</td>
      <td class="q2">
        {visible(detail)}
        {not_proven !== null && not_proven !== above && ` ${visible(not_proven)}`}
      </td>
    </tr>
  )
}

export function HistoryTab({ record }: { readonly record: Domain }) {
  const url = `/api/audit?limit=100&domain_id=${record.id}`
  const trail = useResource<readonly AuditEntry[]>(url)
  const releases = useReleases()
  const actOf = (entry: AuditEntry) => {
    const number = movedIn(entry.detail).length === 0 ? null : releaseBefore(entry, releases)
    return number === null ? null : (
      <RestoreButton
        number={number}
        record={{ domain_id: record.id, domain: record.domain }}
        text={`Restore the state before this (release ${number})…`}
      />
    )
  }
  return (
    <>
      <RestoreRecord record={record} />
      <Resource of={trail} what="The history" retry={() => void refresh(url)}>
        {(entries) =>
          entries.length === 0 ? <Empty title="Nothing yet." /> : <Trail entries={entries} actOf={actOf} />
        }
      </Resource>
    </>
  )
}
