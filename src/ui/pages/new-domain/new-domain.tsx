/** A new domain: three fields, checks while typing, the plan beside, and one press that saves and deploys. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { domainAddress, go, queryOf } from '../../address.ts'
import { invalidate, useResource } from '../../api/cache.ts'
import { call } from '../../api/client.ts'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import { mayChange } from '../../api/session.ts'
import type { Discovery, DnsZones, Domain } from '../../api/types.ts'
import { parseTarget, zoneFor } from '../../model/target.ts'
import { visible } from '../../model/visible.ts'
import { ChangeBox } from '../../parts/change.tsx'
import { Choice, Field, Select } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'

const SETTLE_MS = 300

export function NewDomain() {
  return (
    <>
      <h1>New domain</h1>
      <NewDomainForm />
    </>
  )
}

export function NewDomainForm() {
  const name = useSignal(queryOf('name') ?? '')
  const target = useSignal(queryOf('target') ?? '')
  const access = useSignal<'yes' | 'no'>('yes')
  const kind = useSignal('http')
  const address = useSignal('')
  const settled = useSettled(
    `${name.value}\n${target.value}\n${access.value}\n${kind.value}\n${address.value}`,
  )
  const body = bodyOf(name.value, target.value, access.value, kind.value, address.value)
  const current =
    settled === `${name.value}\n${target.value}\n${access.value}\n${kind.value}\n${address.value}`
  const fault = useSignal<Fault | null>(null)
  const faults = fieldFaults(fault.value)
  const saveOnly = async () => {
    if (body === null) return
    const full = { environment: 'production', status: 'inactive', ...body }
    const answer = await call<unknown>({ method: 'POST', path: '/api/domains', body: full })
    invalidate('all')
    if (answer.ok) go(domainAddress(body.domain))
    else fault.value = answer.fault
  }
  return (
    <div class="pair gap">
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <Field
          big
          label="Name"
          name="name"
          value={name.value}
          autofocus
          placeholder="notes.home.example"
          fault={faults.get('domain') ?? null}
          onInput={(value) => {
            name.value = value
          }}
          hint={<NameChecks name={name.value.trim().toLowerCase()} />}
        />
        <TargetField
          target={target}
          fault={faults.get('backend_host') ?? faults.get('backend_port') ?? null}
        />
        <Choice
          full
          label="Who gets in"
          value={access.value}
          options={[
            ['yes', 'who has signed in'],
            ['no', 'open to all'],
          ]}
          onChoose={(value) => {
            access.value = value
          }}
        />
        {access.value === 'no' && (
          <p class="check s">Anybody who knows the name can open it, without a sign-in.</p>
        )}
        <details class="gap" open={faults.has('static_ip') || address.value !== ''}>
          <summary>More: address, kind</summary>
          <Field
            label="Address"
            name="address"
            value={address.value}
            placeholder="the public address"
            fault={faults.get('static_ip') ?? null}
            onInput={(value) => {
              address.value = value
            }}
          />
          <Select
            label="Kind"
            value={kind.value}
            options={['http', 'api', 'spa', 'proxy', 'websocket', 'static', 'internal']}
            onChoose={(value) => {
              kind.value = value
            }}
          />
        </details>
        <p class="acts gap2">
          <button
            type="button"
            class="btn"
            disabled={body === null || !mayChange.value}
            onClick={() => void saveOnly()}
          >
            Save only
          </button>
          <span class="s q2">Saved and not live: it can be activated later.</span>
        </p>
      </form>
      {body === null || !current ? (
        <section class="plan box still" aria-label="Plan">
          <header>
            <h2 class="head2">Plan</h2>
            <span class="s q">as you type</span>
          </header>
          <section>
            <p class="q2">With a name and a target, what would happen stands here.</p>
          </section>
        </section>
      ) : (
        <ChangeBox
          key={settled}
          change={{ kind: 'call', method: 'POST', path: '/api/domains/expose', body }}
          act="Create and deploy"
          onRefused={(refused) => {
            fault.value = refused
          }}
          extra={
            <p class="acts gap">
              <a class="btn first" href={domainAddress(body.domain)}>
                Open the domain
              </a>
            </p>
          }
        />
      )}
    </div>
  )
}

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const settled = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled.value
}

function bodyOf(name: string, target: string, access: string, service_type: string, address: string) {
  const parsed = parseTarget(target)
  const domain = name.trim().toLowerCase()
  if (parsed === null || parsed.backend_port === null || !/^[^\s.]+\.[^\s]+$/.test(domain)) return null
  const { backend_host, backend_port, backend_scheme } = parsed
  return {
    domain,
    service_type,
    backend_host,
    backend_port,
    auth_required: access === 'yes',
    ...(backend_scheme !== null && { backend_scheme }),
    ...(address.trim() !== '' && { static_ip: address.trim() }),
  }
}

/** Which zone takes the name, and whether it is free here. Unknown never blocks. */
function NameChecks({ name }: { readonly name: string }) {
  const zones = useResource<DnsZones>('/api/dns/zones').value
  const domains = useResource<readonly Domain[]>('/api/domains').value
  if (!/^[^\s.]+\.[^\s]+$/.test(name)) return null
  const zone = zones === undefined ? null : zoneFor(name, zones.zones)
  const taken = domains?.some(({ domain }) => domain === name)
  return (
    <>
      {zones !== undefined && (
        <Check lamp={zone === null ? 'unknown' : zone.writable ? 'ok' : 'drift'}>
          {zone === null
            ? 'No zone of an account here takes it: its record is made elsewhere.'
            : `Zone ${visible(zone.zone)}, at ${visible(zone.account)}, ${zone.writable ? 'writable' : 'not writable'}`}
        </Check>
      )}
      {taken === true && (
        <Check lamp="bad">
          There is a domain of that name. <a href={domainAddress(name)}>Open it</a>
        </Check>
      )}
      {taken === false && <Check lamp="ok">No domain here has it</Check>}
    </>
  )
}

interface CheckProps {
  readonly lamp: 'ok' | 'bad' | 'unknown' | 'drift'
  readonly children: ComponentChildren
}

const Check = ({ lamp, children }: CheckProps) => (
  <p class="check s">
    <LampIcon lamp={lamp} />
    <span>{children}</span>
  </p>
)

interface TargetProps {
  readonly target: { value: string }
  readonly fault: string | null
}

/** Picks from what was discovered, the likeliest first. */
function TargetField({ target, fault }: TargetProps) {
  const found = useResource<Discovery>('/api/discover').value?.not_exposed ?? []
  const offered = found.flatMap(({ suggestion }) =>
    suggestion === null ? [] : [`${suggestion.body.backend_host}:${suggestion.body.backend_port}`],
  )
  const parsed = parseTarget(target.value)
  const incomplete = target.value.trim() !== '' && (parsed === null || parsed.backend_port === null)
  return (
    <Field
      big
      label="Target"
      name="target"
      value={target.value}
      placeholder="192.168.1.20:3000"
      list={offered}
      fault={fault}
      onInput={(value) => {
        target.value = value
      }}
      hint={
        incomplete ? (
          <Check lamp="unknown">A host and a port: 192.168.1.20:3000, or an address to paste.</Check>
        ) : undefined
      }
    />
  )
}
