/** The head of a domain: name, target, who gets in, tags, status, and its acts. */
import { useSignal } from '@preact/signals'
import { setQuery } from '../../address.ts'
import type { Change } from '../../api/plans.ts'
import { whyNot } from '../../api/session.ts'
import type { Domain, ExplainedDomain } from '../../api/types.ts'
import { accessText, targetText } from '../../model/domain-rows.ts'
import { visible } from '../../model/visible.ts'
import { capital } from '../../model/words.ts'
import { ChangeDialog } from '../../parts/acts.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icons.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { DomainName } from '../../parts/name.tsx'
import { go } from '../../address.ts'

interface Doing {
  readonly label: string
  readonly change: Change
  readonly danger: boolean
}

interface Props {
  readonly record: Domain
  readonly explained: ExplainedDomain | undefined
}

export function Head({ record, explained }: Props) {
  const doing = useSignal<Doing | null>(null)
  const { domain, status, tags } = record
  const start = (label: string, change: Change, danger = false) => {
    doing.value = { label, change, danger }
  }
  return (
    <div class="head">
      <div>
        <h1 class="big name">
          <DomainName name={domain} /> <Copy text={domain} what="the name" />
        </h1>
        <p class="q2 sub">
          {record.service_type} to <span class="mono">{visible(targetText(record))}</span> ·{' '}
          {accessText(record)}{' '}
          {tags.map((tag) => (
            <span key={tag} class="tag off">
              {visible(tag)}
            </span>
          ))}{' '}
          <Status record={record} pending={explained?.pending ?? false} />
        </p>
      </div>
      <div class="acts">
        {status === 'active' && !domain.startsWith('*') && (
          <a class="btn" href={`https://${domain}/`} target="_blank" rel="noopener noreferrer">
            Open <Icon name="ext" size={14} />
          </a>
        )}
        <button type="button" class="btn" onClick={() => setQuery({ edit: '1', tab: null })}>
          Edit <kbd>e</kbd>
        </button>
        <StatusAct record={record} start={start} />
        <button
          type="button"
          class="btn danger"
          title={whyNot.value ?? undefined}
          onClick={() =>
            start('Delete', { kind: 'call', method: 'DELETE', path: `/api/domains/${record.id}` }, true)
          }
        >
          Delete…
        </button>
      </div>
      {doing.value !== null && (
        <ChangeDialog
          label={`${doing.value.label} ${visible(domain)}`}
          change={doing.value.change}
          danger={doing.value.danger}
          onClose={() => {
            doing.value = null
          }}
          onDone={() => {
            if (doing.value?.label === 'Delete') go('/domains')
          }}
        />
      )}
    </div>
  )
}

function Status({
  record: { status, status_reason },
  pending,
}: {
  readonly record: Domain
  readonly pending: boolean
}) {
  return (
    <>
      {status !== 'active' && (
        <span class={status === 'error' ? 'tag bad' : 'tag off'} title={status_reason ?? undefined}>
          {status}
        </span>
      )}
      {pending && (
        <span class="tag pending">
          <LampIcon lamp="pending" plain /> saved, not deployed
        </span>
      )}
    </>
  )
}

interface StatusProps {
  readonly record: Domain
  readonly start: (label: string, change: Change, danger?: boolean) => void
}

function StatusAct({ record: { id, status }, start }: StatusProps) {
  if (status === 'disabled') return null
  const verb = status === 'active' ? 'deactivate' : 'activate'
  const label = capital(verb)
  return (
    <button
      type="button"
      class="btn"
      onClick={() => start(label, { kind: 'call', method: 'POST', path: `/api/domains/${id}/${verb}` })}
    >
      {label}…
    </button>
  )
}
