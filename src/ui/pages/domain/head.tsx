/** The head of a domain: name, target, who gets in, tags, status, and its acts. */
import { useSignal, type Signal } from '@preact/signals'
import { go, setQuery } from '../../address.ts'
import { whyNot } from '../../api/session.ts'
import type { Domain, ExplainedDomain } from '../../api/types.ts'
import { accessText, targetText } from '../../model/domain-rows.ts'
import { visible } from '../../model/visible.ts'
import { capital } from '../../model/words.ts'
import { startChange } from '../../parts/acts.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icons.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { DomainName } from '../../parts/name.tsx'
import { Rename } from './rename.tsx'

interface Props {
  readonly record: Domain
  readonly explained: ExplainedDomain | undefined
}

export function Head({ record, explained }: Props) {
  const renaming = useSignal(false)
  const { domain, status, tags } = record
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
        <StatusAct record={record} />
        <Menu label="More acts" items={moreOf(record, renaming)}>
          <Icon name="more" />
        </Menu>
      </div>
      {renaming.value && (
        <Rename
          record={record}
          onClose={() => {
            renaming.value = false
          }}
        />
      )}
    </div>
  )
}

function moreOf(record: Domain, renaming: Signal<boolean>): readonly MenuItem[] {
  const { id, domain, status } = record
  const name = visible(domain)
  return [
    {
      title: 'Rename…',
      run: () => {
        renaming.value = true
      },
      why_not: whyNot.value,
    },
    { title: 'Duplicate…', run: () => go(`/domains/new?copy=${encodeURIComponent(domain)}`) },
    {
      title: 'Disable for good…',
      danger: true,
      why_not: status === 'disabled' ? 'It is disabled.' : whyNot.value,
      run: () =>
        startChange({
          label: `Disable ${name} for good`,
          change: { kind: 'call', method: 'POST', path: `/api/domains/${id}/disable` },
          danger: true,
          saves: true,
        }),
    },
    {
      title: 'Delete…',
      danger: true,
      why_not: whyNot.value,
      run: () =>
        startChange({
          label: `Delete ${name}`,
          change: { kind: 'call', method: 'DELETE', path: `/api/domains/${id}` },
          danger: true,
          saves: true,
          // Its page is none any more; the proof stays over the table.
          onDone: () => go('/domains'),
        }),
    },
  ]
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

function StatusAct({ record: { id, domain, status } }: { readonly record: Domain }) {
  if (status === 'disabled') return null
  const verb = status === 'active' ? 'deactivate' : 'activate'
  const label = capital(verb)
  return (
    <button
      type="button"
      class="btn"
      onClick={() =>
        startChange({
          label: `${label} ${visible(domain)}`,
          change: { kind: 'call', method: 'POST', path: `/api/domains/${id}/${verb}` },
          saves: true,
        })
      }
    >
      {label}…
    </button>
  )
}
