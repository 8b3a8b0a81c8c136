/** Dynamic DNS: what gateways reported and whether it counts, and the keys with which they report. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import { now } from '../../api/clock.ts'
import { ifMayChange, mayChange, whyNot } from '../../api/session.ts'
import type { DdnsHosts, ListedSiteToken } from '../../api/types.ts'
import { parseTime, parseTimeOr, untilText } from '../../model/ages.ts'
import { hostState, sourceWords, type DdnsHost } from '../../model/granted/ddns.ts'
import { visible } from '../../model/visible.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { Age } from '../../parts/age.tsx'
import { addKeys } from '../../parts/keys.ts'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { HostFacts } from './host-facts.tsx'
import { NewToken } from './new-token.tsx'
import { Tokens } from './tokens.tsx'

const HOSTS = '/api/ddns/hosts'
const TOKENS = '/api/ddns/tokens'

export function Ddns() {
  const hosts = useResource<DdnsHosts>(HOSTS)
  const tokens = useResource<readonly ListedSiteToken[]>(TOKENS)
  const issuing = useSignal<string | null>(null)
  const open = useOpened()
  const start = (host = '') => {
    issuing.value = host
  }
  usePageAct('issue', () => mayChange.value && start())
  useLayoutEffect(
    () => addKeys([{ keys: 'e', label: 'Issue a key', run: () => ifMayChange(() => start()) }]),
    [],
  )
  const shown = hosts.value?.hosts.find(({ host }) => host === open.value)
  return (
    <>
      <div class="head">
        <div>
          <h1>Dynamic DNS</h1>
          <p class="q2 sub">
            Gateways report their address with a key of their own.
            {hosts.value !== undefined &&
              ` Keys are due to be rotated ${untilText(parseTime(hosts.value.rotation.next_at), now.value)}.`}
          </p>
        </div>
        <div class="acts">
          <button
            type="button"
            class="btn first"
            disabled={!mayChange.value}
            title={whyNot.value ?? undefined}
            onClick={() => start()}
          >
            Issue a key… <kbd>e</kbd>
          </button>
        </div>
      </div>
      <Resource of={hosts} what="The hosts" retry={() => void refresh(HOSTS)}>
        {({ hosts: all }) =>
          all.length === 0 ? <NoHost /> : <Hosts all={all} onOpen={({ host }) => (open.value = host)} />
        }
      </Resource>
      <Resource of={tokens} what="The keys" retry={() => void refresh(TOKENS)}>
        {(all) => <Tokens all={all} />}
      </Resource>
      {issuing.value !== null && (
        <NewToken
          host={issuing.value}
          hosts={(hosts.value?.hosts ?? []).map(({ host }) => host)}
          onClose={() => {
            issuing.value = null
          }}
        />
      )}
      {hosts.value !== undefined && <NotThere one="host" of={shown} />}
      {shown !== undefined && (
        <HostFacts
          of={shown}
          onIssue={() => {
            open.value = null
            start(shown.host)
          }}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </>
  )
}

const NoHost = () => (
  <Empty title="No host reports its address." mark>
    <p class="q2">
      A domain with Dynamic DNS gets the address that its gateway reports. Issue a key for it, and type its
      lines into the router.
    </p>
  </Empty>
)

const FIELDS = {
  words: ({ host, ipv4, ipv6 }: DdnsHost) => [host, ipv4, ipv6].join(' '),
  is: {
    flapping: ({ flapping }: DdnsHost) => flapping.length > 0,
    refused: ({ refused }: DdnsHost) => refused !== null,
    silent: ({ reported_at }: DdnsHost) => reported_at === null,
    used: ({ in_force }: DdnsHost) => in_force,
  },
}

const COLUMNS: readonly Column<DdnsHost>[] = [
  { key: 'host', title: 'Host', by: ({ host }) => host, cell: ({ host }) => visible(host) },
  {
    key: 'address',
    title: 'Published',
    mono: true,
    by: ({ counts }) => counts?.addresses[0] ?? null,
    cell: ({ counts }) => (counts === null ? '–' : counts.addresses.join(', ')),
  },
  {
    key: 'source',
    title: 'From',
    by: ({ counts }) => counts?.source ?? null,
    cell: ({ counts }) => (counts === null ? '–' : sourceWords(counts.source)),
  },
  {
    key: 'state',
    title: 'State',
    cell: (host) => <span class="s">{stateWord(host)}</span>,
  },
  {
    key: 'reported',
    title: 'Reported',
    end: true,
    by: ({ reported_at }) => -(parseTimeOr(reported_at) ?? 0),
    cell: ({ reported_at }) => <Age at={parseTimeOr(reported_at)} />,
  },
]

function stateWord({ flapping, refused, waiting, in_force, tokens }: DdnsHost): string {
  if (!in_force) return 'not in force'
  if (refused !== null) return 'refused'
  if (flapping.length > 0) return 'flapping'
  if (waiting.length > 0) return 'waits'
  return tokens === 0 ? 'without a key' : ''
}

const Hosts = ({
  all,
  onOpen,
}: {
  readonly all: readonly DdnsHost[]
  readonly onOpen: (host: DdnsHost) => void
}) => (
  <Listing
    rows={all}
    idOf={({ host }) => host}
    one="host"
    columns={COLUMNS}
    lampOf={(host) => hostState(host).lamp}
    fields={FIELDS}
    hint="host, address, is:flapping is:silent"
    onOpen={onOpen}
  />
)
