/** One peer: its facts, its file, its code. A private key is sent for one answer, kept nowhere, and gone when this closes. */
import { useSignal } from '@preact/signals'
import { useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import type { VpnPresets } from '../../api/companions/vpn.ts'
import { parseTimeOr } from '../../model/ages.ts'
import {
  bytesText,
  peerLamp,
  peerWords,
  rateText,
  renderBody,
  type VpnDraft,
  type VpnPeer,
} from '../../model/looked-at/vpn.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { Time } from '../../parts/age.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { FaultLine } from '../../parts/panel.tsx'
import { QrCode } from './qr-code.tsx'

const BASE = '/companions/vpn/api'
const EMPTY: VpnDraft = { private_key: '', preshared_key: '', allowed_ips: '' }

interface PeerFile {
  readonly config: string
  readonly filename: string
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

interface Made {
  readonly file: PeerFile
  /** Null where the file is too long for one. */
  readonly code: Blob | null
}

interface Props {
  readonly of: VpnPeer
  readonly onClose: () => void
}

export function PeerDialog({ of: peer, onClose }: Props) {
  const draft = useSignal<VpnDraft>(EMPTY)
  const fault = useSignal<Fault | null>(null)
  const made = useSignal<Made | null>(null)
  const busy = useSignal(false)
  const make = async () => {
    busy.value = true
    const answer = await filesOf(peer, renderBody(peer, draft.value))
    busy.value = false
    if ('fault' in answer) fault.value = answer.fault
    else {
      fault.value = null
      made.value = answer
    }
  }
  const spoke = parseTimeOr(peer.last_handshake)
  return (
    <FactsDialog
      title={peer.name}
      lamp={peerLamp(peer)}
      why={peerWords(peer)}
      onClose={onClose}
      facts={[
        ['Address', peer.tunnel_ips.join(', ')],
        ['Site', peer.site_id],
        ['From', peer.endpoint],
        ['Spoke', spoke === null ? 'never' : <Time at={spoke} ago />],
        ['Received, sent', `${bytesText(peer.rx_bytes)}, ${bytesText(peer.tx_bytes)}`],
        ['Each second', rateText(peer)],
        ['Keeps awake', peer.persistent_keepalive === 0 ? 'no' : `every ${peer.persistent_keepalive} s`],
        ['Preshared key', peer.has_preshared_key ? 'yes: the file needs it, too' : 'no'],
        [
          'Public key',
          <span key="k" class="mono">
            {visible(peer.public_key)} <Copy text={peer.public_key} what="the public key" />
          </span>,
        ],
      ]}
    >
      {made.value === null ? (
        <Form
          peer={peer}
          draft={draft.value}
          fault={fault.value}
          busy={busy.value}
          onChange={(change) => {
            draft.value = { ...draft.value, ...change }
          }}
          onMake={() => void make()}
        />
      ) : (
        <Files of={made.value} />
      )}
    </FactsDialog>
  )
}

interface FormProps {
  readonly peer: VpnPeer
  readonly draft: VpnDraft
  readonly fault: Fault | null
  readonly busy: boolean
  readonly onChange: (change: Partial<VpnDraft>) => void
  readonly onMake: () => void
}

function Form({ peer, draft, fault, busy, onChange, onMake }: FormProps) {
  const presets = useResource<VpnPresets>(`${BASE}/presets`).value
  const faults = fieldFaults(fault)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onMake()
      }}
    >
      <Field
        label="Private key"
        type="password"
        value={draft.private_key}
        placeholder="without it, a text stands in its place"
        fault={faults.get('private_key') ?? null}
        onInput={(private_key) => onChange({ private_key })}
        hint={<p class="check s">It is used for this answer and forgotten.</p>}
      />
      {draft.private_key !== '' && (
        <>
          {peer.has_preshared_key && (
            <Field
              label="Preshared key"
              type="password"
              value={draft.preshared_key}
              fault={faults.get('preshared_key') ?? null}
              onInput={(preshared_key) => onChange({ preshared_key })}
            />
          )}
          <Through
            value={draft.allowed_ips}
            homelab={presets?.homelab ?? null}
            fault={faults.get('allowed_ips') ?? null}
            onChange={(allowed_ips) => onChange({ allowed_ips })}
          />
        </>
      )}
      <FaultLine fault={fault} />
      <p class="acts gap">
        <button type="submit" class="btn first" disabled={busy}>
          {busy ? 'Making' : 'Make file and code'}
        </button>
      </p>
    </form>
  )
}

interface ThroughProps {
  readonly value: string
  /** Null where no network of it is known. */
  readonly homelab: string | null
  readonly fault: string | null
  readonly onChange: (value: string) => void
}

/** Which networks go through the tunnel; what is typed is a choice of its own. */
function Through({ value, homelab, fault, onChange }: ThroughProps) {
  const own = useSignal(false)
  const chosen = own.value ? 'custom' : value === '' ? 'full' : 'homelab'
  return (
    <>
      <Choice
        label="Through the tunnel"
        value={chosen}
        options={[
          ['full', 'Everything'],
          ...(homelab === null ? [] : [['homelab', 'Homelab'] as const]),
          ['custom', 'Custom'],
        ]}
        onChoose={(next) => {
          own.value = next === 'custom'
          if (next !== 'custom') onChange(next === 'homelab' ? (homelab ?? '') : '')
        }}
      />
      {own.value ? (
        <Field
          label="Networks"
          value={value}
          placeholder="10.0.0.0/8, fd00::/8"
          fault={fault}
          onInput={onChange}
        />
      ) : (
        value !== '' && <p class="check s mono">{visible(value)}</p>
      )}
    </>
  )
}

const Files = ({ of: { file, code } }: { readonly of: Made }) => (
  <>
    {file.warnings.map(({ code: name, message }) => (
      <p key={name} class="s c-drift gap">
        {visible(message)}
      </p>
    ))}
    {code === null ? (
      <p class="q2">{isWhole(file) ? TOO_LONG : NOT_WHOLE}</p>
    ) : (
      <QrCode of={code} label={`${file.filename} as a QR code`} />
    )}
    <pre class="lines mono" tabIndex={0} aria-label={visible(file.filename)}>
      {visibleLines(file.config)}
    </pre>
    <p class="acts gap">
      <span class="s q2">Copy the file</span> <Copy text={file.config} what="the file" />
      <button type="button" class="btn" onClick={() => save(file)}>
        Save it
      </button>
    </p>
  </>
)

function save({ config, filename }: PeerFile): void {
  const url = URL.createObjectURL(new Blob([config], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  URL.revokeObjectURL(url)
}

const TOO_LONG = 'The file is too long for a code: send fewer networks through the tunnel.'
const NOT_WHOLE = 'There is no code: a text stands where a key belongs, and no phone can put the key there.'

/** Whether all keys that it needs are in it. */
const isWhole = ({ config }: PeerFile): boolean => !config.includes('REPLACE_WITH_')

/** With a key by two calls that keep nothing, without one as it is at its address. */
async function filesOf(peer: VpnPeer, body: object | null): Promise<Made | { readonly fault: Fault }> {
  const { site_id, public_key_url } = peer
  const own = `${BASE}/clients/${site_id}/${public_key_url}`
  const ask = (kind: 'config' | 'qr') =>
    body === null
      ? { path: `${own}/${kind}` }
      : { method: 'POST' as const, path: `${BASE}/render-${kind}`, body }
  const file = await call<PeerFile>(ask('config'))
  if (!file.ok) return { fault: file.fault }
  if (!isWhole(file.body)) return { file: file.body, code: null }
  const code = await call<Blob>({ ...ask('qr'), accept: 'image/png' })
  return { file: file.body, code: code.ok ? code.body : null }
}
