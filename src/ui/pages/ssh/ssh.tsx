/** SSH clients: whose key the gateway takes, what it may do, ours or somebody else's, and until when. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import { daemonTime } from '../../api/clock.ts'
import { ifMayChange, mayChange, whyNot } from '../../api/session.ts'
import type { SshClient, SshClients } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { calledOf, clientState, mayWords } from '../../model/granted/ssh.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { usePageAct } from '../../parts/find/page-act.ts'
import { Until } from '../../parts/age.tsx'
import { addKeys } from '../../parts/keys.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { NotSeen, useLastSeen } from '../../parts/listing/not-seen.tsx'
import { SayDialog } from '../../parts/listing/say-dialog.tsx'
import { NotThere, useOpened } from '../../parts/listing/side-panel.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'
import { AddClient } from './add.tsx'
import { ClientFacts } from './client-facts.tsx'
import { Targets } from './targets.tsx'

const CLIENTS = '/api/ssh-clients'

export function Ssh() {
  const clients = useResource<SshClients>(CLIENTS)
  const adding = useSignal(false)
  const open = useOpened()
  const removing = useSignal<SshClient | null>(null)
  usePageAct('add', () => (adding.value = mayChange.value))
  useLayoutEffect(
    () => addKeys([{ keys: 'e', label: 'Add a key', run: () => ifMayChange(() => (adding.value = true)) }]),
    [],
  )
  const shown = clients.value?.clients.find((one) => idOf(one) === open.value)
  const isSetUp = clients.value?.configured ?? false
  return (
    <>
      <div class="head">
        <div>
          <h1>SSH clients</h1>
          <p class="q2 sub">
            Keys that log in to the SSH gateway
            {clients.value?.place === undefined || clients.value.place === null
              ? '.'
              : `, in ${visible(clients.value.place)}.`}{' '}
            What is added or removed is in force at once.
          </p>
        </div>
        <div class="acts">
          <button
            type="button"
            class="btn first"
            disabled={!mayChange.value || !isSetUp}
            title={whyNot.value ?? undefined}
            onClick={() => {
              adding.value = true
            }}
          >
            Add a key… <kbd>e</kbd>
          </button>
        </div>
      </div>
      <Resource of={clients} what="The SSH clients" retry={() => void refresh(CLIENTS)}>
        {(all) => <Clients all={all} at={clients.fetched_at} onOpen={(one) => (open.value = idOf(one))} />}
      </Resource>
      <Targets />
      {adding.value && (
        <AddClient
          onClose={() => {
            adding.value = false
          }}
        />
      )}
      {clients.value !== undefined && <NotThere one="key" of={shown} />}
      {shown !== undefined && (
        <ClientFacts
          of={shown}
          onRemove={() => {
            removing.value = shown
            open.value = null
          }}
          onClose={() => {
            open.value = null
          }}
        />
      )}
      {removing.value !== null && (
        <SayDialog
          label={`Remove ${removing.value.name}`}
          act="Shut it out"
          says="It can start no new session from then on. A session that is open goes on until it ends."
          change={{
            kind: 'call',
            method: 'DELETE',
            path: CLIENTS,
            body: { public_key: removing.value.fingerprint },
          }}
          danger
          onClose={() => {
            removing.value = null
          }}
        />
      )}
    </>
  )
}

/** A key may stand on a line of ours and on a foreign one. */
const idOf = ({ fingerprint, managed }: SshClient): string => `${String(managed)} ${fingerprint}`

interface ClientsProps {
  readonly all: SshClients
  /** When they were seen, in milliseconds. */
  readonly at: number
  readonly onOpen: (client: SshClient) => void
}

function Clients({ all: { configured, reachable, detail, offences, clients }, at, onOpen }: ClientsProps) {
  const { rows, before } = useLastSeen({
    list: 'ssh',
    rows: clients,
    idOf,
    mayMiss: ({ managed }) => reachable === false && !managed,
    at,
  })
  if (!configured)
    return (
      <NotSetUp
        gives="The keys of an SSH gateway can be kept here: added, removed, and put back when somebody changes them."
        setting="PLUMBLINE_AUTHORIZED_KEYS"
        line="PLUMBLINE_AUTHORIZED_KEYS=sftp://plumbline@gateway.example.com/home/tunnel/.ssh/authorized_keys"
      />
    )
  return (
    <>
      {reachable === false && (
        <p class="why" role="status">
          <LampIcon lamp="unknown" />
          <span>
            <b>Not found out</b>: {visible(detail ?? 'the file could not be read')} What you see of ours is
            what is saved; whose keys stand there beside is not known. Nothing is taken away meanwhile.
          </span>
        </p>
      )}
      {(offences ?? []).map((one) => (
        <p class="why" key={one}>
          <LampIcon lamp="drift" />
          <span>A strict sshd passes over the file: {visible(one)}</span>
        </p>
      ))}
      <NotSeen before={before} one="key" />
      {rows.length === 0 && reachable === false ? (
        <Empty title="No key of ours is saved, and which stand there is not found out." />
      ) : rows.length === 0 ? (
        <Empty title="No key logs in to the gateway." mark>
          <p class="q2">Paste the line of a .pub file; the plan shows the line as sshd will read it.</p>
        </Empty>
      ) : (
        <Listing
          rows={rows}
          idOf={idOf}
          one="key"
          columns={COLUMNS}
          lampOf={(one) => (before.has(idOf(one)) ? 'unknown' : clientState(one, daemonTime()).lamp)}
          isWhole={reachable !== false}
          fields={FIELDS}
          hint="name, fingerprint, is:ours is:foreign is:wrong"
          views={VIEWS}
          onOpen={onOpen}
        />
      )}
    </>
  )
}

const VIEWS = [
  { name: 'All', query: '' },
  { name: 'Ours', query: 'is:ours' },
  { name: 'Somebody else’s', query: 'is:foreign' },
]

const FIELDS = {
  words: ({ name, fingerprint, type, options, line_options }: SshClient) =>
    `${name} ${fingerprint} ${type} ${mayWords({ options, line_options })}`,
  keys: { type: ({ type }: SshClient) => [type] },
  is: {
    ours: ({ managed }: SshClient) => managed,
    foreign: ({ managed }: SshClient) => !managed,
    wrong: (one: SshClient) => ['drift', 'bad', 'unknown'].includes(clientState(one, daemonTime()).lamp),
    expiring: ({ options }: SshClient) => (options?.expires_at ?? null) !== null,
    weak: ({ weakness }: SshClient) => weakness !== null,
  },
}

const typeWords = ({ type, bits }: SshClient): string => {
  const name = type.replace(/^ssh-/, '').replace('@openssh.com', '')
  return bits === null || name === 'ed25519' ? name : `${name} ${count(bits, 'bit')}`
}

const COLUMNS: readonly Column<SshClient>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: (one) => visible(calledOf(one)) },
  {
    key: 'may',
    title: 'May',
    cell: (one) => <span class="s">{visible(mayWords(one))}</span>,
  },
  {
    key: 'fingerprint',
    title: 'Fingerprint',
    mono: true,
    cell: ({ fingerprint }) => <span title={fingerprint}>{fingerprint.slice(0, 19)}…</span>,
  },
  { key: 'type', title: 'Type', by: typeWords, cell: typeWords },
  {
    key: 'ends',
    title: 'Ends',
    by: ({ options }) => parseTimeOr(options?.expires_at),
    cell: ({ options }) => {
      const end = parseTimeOr(options?.expires_at)
      return end === null ? '–' : <Until at={end} />
    },
  },
  {
    key: 'whose',
    title: 'Whose',
    end: true,
    by: ({ managed }) => Number(!managed),
    cell: ({ managed }) => (managed ? 'ours' : 'somebody else’s'),
  },
]
