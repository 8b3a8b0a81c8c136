/** One domain: what is saved, released and there, why, what happens next, and the plan of what moves. */
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { domainAddress, domainOf, go, path, queryOf, setQuery } from '../../address.ts'
import { refresh, useResource } from '../../api/cache.ts'
import type { Domain, DomainLamps, ExplainedDomain } from '../../api/types.ts'
import { LAMP_NAMES, lampOfLetter } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { addKeys } from '../../parts/keys.ts'
import { copyText } from '../../parts/copy.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { later, laterDialog } from '../../parts/later.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import type { EditProps } from './edit.tsx'
import { Head } from './head.tsx'
import { Summary } from './summary.tsx'
import { CertificateTab, DnsTab } from './outside.tsx'
import { RenderedTab } from './rendered.tsx'
import { Prose } from '../../parts/text/prose.tsx'
import { now } from '../../api/clock.ts'
import { proseText } from '../../model/text/prose.ts'

const TABS = ['summary', 'route', 'dns', 'certificate', 'access', 'rendered', 'history'] as const
type Tab = (typeof TABS)[number]

const TAB_NAMES: Readonly<Record<Tab, string>> = {
  summary: 'Summary',
  route: 'Route',
  dns: 'DNS',
  certificate: 'Certificate',
  access: 'Access',
  rendered: 'Rendered',
  history: 'History',
}

const DOMAINS = '/api/domains'

const EditForm = laterDialog<EditProps>(async () => (await import('./edit.tsx')).EditForm)

const tabs = () => import('./tabs.tsx')
const RouteTab = later<{ readonly id: number }>(async () => (await tabs()).RouteTab)
const AccessTab = later<{ readonly record: Domain }>(async () => (await tabs()).AccessTab)
const HistoryTab = later<{ readonly record: Domain }>(async () => (await tabs()).HistoryTab)

/** The id is looked for among all: the address names the domain, as a person does. */
export function DomainPage() {
  const name = domainOf(path.value) ?? ''
  const all = useResource<readonly Domain[]>(DOMAINS)
  const known = useRef<{ readonly name: string; readonly id: number } | null>(null)
  const found =
    all.value?.find(({ domain }) => domain === name.toLowerCase()) ??
    // What was shown here has got another name: the address follows it.
    all.value?.find(({ id }) => known.current?.name === name.toLowerCase() && id === known.current.id)
  if (found?.domain === name.toLowerCase()) known.current = { name: found.domain, id: found.id }
  const renamed = found !== undefined && found.domain !== name.toLowerCase() ? found.domain : null
  useEffect(() => {
    if (renamed !== null) go(domainAddress(renamed), { replace: true })
  }, [renamed])
  return (
    <Resource of={all} what={visible(name)} retry={() => void refresh(DOMAINS)}>
      {() => {
        if (found !== undefined) return <OneDomain key={found.id} id={found.id} />
        return (
          <Empty title={`There is no domain ${visible(name)}.`}>
            <a class="btn first" href={`/domains/new?name=${encodeURIComponent(name)}`}>
              Make it
            </a>
          </Empty>
        )
      }}
    </Resource>
  )
}

function OneDomain({ id }: { readonly id: number }) {
  const url = `${DOMAINS}/${id}`
  const record = useResource<Domain>(url)
  return (
    <Resource of={record} what="The domain" retry={() => void refresh(url)}>
      {(value) => <Shown record={value} etag={record.etag} />}
    </Resource>
  )
}

function tabOf(text: string | null): Tab {
  return TABS.find((tab) => tab === text) ?? 'summary'
}

function Shown({ record, etag }: { readonly record: Domain; readonly etag: string | null }) {
  const tab = tabOf(queryOf('tab'))
  const editing = queryOf('edit') !== null
  const explained = useResource<ExplainedDomain>(`${DOMAINS}/${record.id}/explain`)
  const saved = useSignal(0)
  const proven = useSignal(false)
  useEffect(() => {
    // Another edit, or another part of the page: what was proven was read.
    if (!proven.peek() || (!editing && tab === 'summary')) return
    proven.value = false
    saved.value += 1
  }, [editing, tab])
  useLayoutEffect(() => {
    const step = (by: number) => {
      const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]!
      setQuery({ tab: next === 'summary' ? null : next })
    }
    return addKeys([
      { keys: '[', label: 'Tab before', run: () => step(-1) },
      { keys: ']', label: 'Next tab', run: () => step(1) },
      { keys: 'e', label: 'Edit', run: () => setQuery({ edit: '1', tab: null }) },
      { keys: 'y', label: 'Copy the name', run: () => void copyText(record.domain) },
      {
        keys: 'escape',
        label: 'Back to all domains',
        run: () => (editing ? setQuery({ edit: null }) : go('/domains')),
      },
    ])
  }, [tab, editing, record.domain])
  return (
    <>
      <Head record={record} explained={explained.value} />
      <LampBar id={record.id} />
      <nav class="tabrow" aria-label="Parts">
        {TABS.map((one) => (
          <a
            key={one}
            href={`${path.value}${one === 'summary' ? '' : `?tab=${one}`}`}
            aria-current={one === tab ? 'page' : undefined}
          >
            {TAB_NAMES[one]}
          </a>
        ))}
      </nav>
      {editing || (proven.value && tab === 'summary') ? (
        <EditForm
          key={saved.value}
          record={record}
          etag={etag}
          onSaved={() => {
            saved.value += 1
          }}
          onProven={() => {
            proven.value = true
            setQuery({ edit: null })
          }}
          onClose={() => {
            proven.value = false
          }}
        />
      ) : (
        <TabBody tab={tab} record={record} />
      )}
    </>
  )
}

function TabBody({ tab, record }: { readonly tab: Tab; readonly record: Domain }) {
  switch (tab) {
    case 'summary':
      return <Summary record={record} />
    case 'route':
      return <RouteTab id={record.id} />
    case 'dns':
      return <DnsTab id={record.id} />
    case 'certificate':
      return <CertificateTab id={record.id} />
    case 'access':
      return <AccessTab record={record} />
    case 'rendered':
      return <RenderedTab id={record.id} />
    case 'history':
      return <HistoryTab record={record} />
  }
}

const LAMP_TABS = {
  route: 'route',
  dns: 'dns',
  certificate: 'certificate',
  sign_in: 'access',
  probe: 'route',
} as const

/** The five lamps in words; each leads to the part that explains it. */
function LampBar({ id }: { readonly id: number }) {
  const lamps = useResource<DomainLamps>(`${DOMAINS}/${id}/lamps`).value?.lamps ?? []
  return (
    <ul class="lampbar">
      {lamps.map(({ lamp, letter, message }) => (
        <li key={lamp}>
          <a href={`${path.value}?tab=${LAMP_TABS[lamp]}`} title={visible(proseText(message, now.value))}>
            <LampIcon lamp={lampOfLetter(letter)} />
            <b>{LAMP_NAMES[lamp]}</b>
            <span class="s">
              <Prose of={message} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
