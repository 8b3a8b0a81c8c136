/** The keys of gateways: rotate one, and its successor is shown once; end one, and its reports are refused from then on. */
import { useSignal } from '@preact/signals'
import { mayChange, whyNot } from '../../api/session.ts'
import type { ListedSiteToken, SiteTokenIssued } from '../../api/types.ts'
import { parseTime, parseTimeOr } from '../../model/ages.ts'
import { tokenState } from '../../model/granted/ddns.ts'
import { visible } from '../../model/visible.ts'
import { plain } from '../../model/words.ts'
import { Age, Time } from '../../parts/age.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Listing } from '../../parts/listing/listing.tsx'
import { SayDialog } from '../../parts/listing/say-dialog.tsx'
import { useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty } from '../../parts/panel.tsx'
import { KeyOnce } from './key-once.tsx'

type Doing = 'rotate' | 'end'

export function Tokens({ all }: { readonly all: readonly ListedSiteToken[] }) {
  const open = useOpened('key')
  const doing = useSignal<{ readonly what: Doing; readonly token: ListedSiteToken } | null>(null)
  const issued = useSignal<SiteTokenIssued | null>(null)
  const token = all.find(({ id }) => id === open.value)
  const begin = (what: Doing) => {
    if (token !== undefined) doing.value = { what, token }
    open.value = null
  }
  return (
    <section class="gap2" aria-labelledby="keys">
      <h2 class="t" id="keys">
        Keys
      </h2>
      {all.length === 0 ? (
        <Empty title="No key is issued." />
      ) : (
        <Listing
          rows={all}
          idOf={({ id }) => id}
          one="key"
          prefix="k"
          columns={COLUMNS}
          lampOf={(one) => tokenState(one).lamp}
          fields={FIELDS}
          hint="host, what it is for, is:valid is:due"
          onOpen={({ id }) => {
            open.value = id
          }}
        />
      )}
      {token !== undefined && (
        <TokenFacts
          of={token}
          onBegin={begin}
          onClose={() => {
            open.value = null
          }}
        />
      )}
      {doing.value !== null && (
        <SayDialog
          {...dialogOf(doing.value.what, doing.value.token)}
          onClose={() => {
            doing.value = null
          }}
          onDone={(body) => {
            if (doing.value?.what !== 'rotate') return
            issued.value = body as SiteTokenIssued
            doing.value = null
          }}
        />
      )}
      {issued.value !== null && (
        <KeyOnce
          of={issued.value}
          onClose={() => {
            issued.value = null
          }}
        />
      )}
    </section>
  )
}

function dialogOf(what: Doing, { id, host }: ListedSiteToken) {
  const path = `/api/ddns/tokens/${id}`
  return what === 'rotate'
    ? {
        label: `Rotate the key of ${host}`,
        act: 'Issue the successor',
        says: 'The successor is shown once. The old key goes on for 24 hours, so that the router can be changed in peace.',
        change: { kind: 'call', method: 'POST', path: `${path}/rotate` } as const,
      }
    : {
        label: `End the key of ${host}`,
        act: 'End it at once',
        says: 'Reports with it are refused from now on. What was reported last stays published.',
        change: { kind: 'call', method: 'DELETE', path } as const,
        danger: true,
      }
}

interface FactsProps {
  readonly of: ListedSiteToken
  readonly onBegin: (what: Doing) => void
  readonly onClose: () => void
}

function TokenFacts({ of: token, onBegin, onClose }: FactsProps) {
  const { lamp, why } = tokenState(token)
  const used = parseTimeOr(token.last_used_at)
  const ends = parseTimeOr(token.expires_at)
  const isOver = token.state === 'ended'
  const hasSuccessor = isOver || token.state === 'ending'
  return (
    <FactsDialog
      title={`Key of ${token.host}`}
      lamp={lamp}
      why={why}
      onClose={onClose}
      facts={[
        ['For', token.label],
        ['Made', <Time key="made" at={parseTime(token.created_at)} ago />],
        ['Last report', used === null ? 'never' : <Time at={used} ago />],
        ['Ends', ends === null ? 'not by itself' : <Time at={ends} />],
        ['Rotation', 'Rotating issues the successor; this one goes on for 24 hours.'],
      ]}
      acts={
        <>
          <button
            type="button"
            class="btn first"
            disabled={!mayChange.value || hasSuccessor}
            title={whyNot.value ?? undefined}
            onClick={() => onBegin('rotate')}
          >
            Rotate…
          </button>
          <button
            type="button"
            class="btn danger"
            disabled={!mayChange.value || isOver}
            title={whyNot.value ?? undefined}
            onClick={() => onBegin('end')}
          >
            End it…
          </button>
        </>
      }
    />
  )
}

const FIELDS = {
  words: ({ host, label }: ListedSiteToken) => `${host} ${label}`,
  is: {
    valid: ({ state }: ListedSiteToken) => state === 'valid' || state === 'rotation_due',
    due: ({ state }: ListedSiteToken) => state === 'rotation_due',
    ended: ({ state }: ListedSiteToken) => state === 'ended',
  },
}

const COLUMNS: readonly Column<ListedSiteToken>[] = [
  { key: 'host', title: 'Host', by: ({ host }) => host, cell: ({ host }) => visible(host) },
  {
    key: 'for',
    title: 'For',
    by: ({ label }) => label,
    cell: ({ label }) => (label === '' ? '–' : visible(label)),
  },
  { key: 'state', title: 'State', by: ({ state }) => state, cell: ({ state }) => plain(state) },
  {
    key: 'made',
    title: 'Made',
    by: ({ created_at }) => -parseTime(created_at),
    cell: ({ created_at }) => <Time at={parseTime(created_at)} />,
  },
  {
    key: 'used',
    title: 'Last report',
    end: true,
    by: ({ last_used_at }) => -(parseTimeOr(last_used_at) ?? 0),
    cell: ({ last_used_at }) => <Age at={parseTimeOr(last_used_at)} />,
  },
]
