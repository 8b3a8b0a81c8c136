/** The head of a domain: name, target, who gets in, tags, status, and its acts. */
import { useSignal, type Signal } from '@preact/signals'
import { go, setQuery } from '../../address.ts'
import { useResource } from '../../api/cache.ts'
import { whyNot } from '../../api/session.ts'
import type { Domain, DomainEditions, ExplainedDomain } from '../../api/types.ts'
import { accessBetween, targetBetween } from '../../model/text/edition-words.ts'
import { visible } from '../../model/visible.ts'
import { startChange } from '../../parts/acts.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icons.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { DomainName } from '../../parts/name.tsx'
import { ReadName } from '../../parts/text/read-name.tsx'
import { Rename } from './rename.tsx'
import { StatusAct } from './status-act.tsx'

interface Props {
  readonly record: Domain
  readonly explained: ExplainedDomain | undefined
}

export function Head({ record, explained }: Props) {
  const renaming = useSignal(false)
  const { domain, status, tags } = record
  const editions = useResource<DomainEditions>(`/api/domains/${record.id}/editions`).value
  const released = explained?.pending === true ? (editions?.released ?? null) : null
  const waits = [targetBetween, accessBetween].some((between) => between(record, released).runs !== null)
  return (
    <div class="head">
      <div>
        <h1 class="big name">
          <DomainName name={domain} />
          <ReadName of={record} /> <Copy text={domain} what="the name" />
        </h1>
        <p class="q2 sub">
          {record.service_type} to{' '}
          <span class="mono">
            <Between of={targetBetween(record, released)} />
          </span>{' '}
          · <Between of={accessBetween(record, released)} />
          {waits && ' (→ when deployed)'}{' '}
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

/** What runs, and what is saved in its place. */
const Between = ({ of: { runs, saved } }: { readonly of: ReturnType<typeof targetBetween> }) => (
  <>
    {runs !== null && (
      <>
        {visible(runs)} <span class="c-pending">→</span>{' '}
      </>
    )}
    {visible(saved)}
  </>
)

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
