/** A new domain: three fields, checks while typing, the plan beside, and one press that saves and deploys. */
import { useSignal } from '@preact/signals'
import { domainAddress, go, queryOf } from '../../address.ts'
import { invalidate, useResource } from '../../api/cache.ts'
import { useChecks, type CheckRequest, type Checks } from '../../api/checks.ts'
import { call } from '../../api/client.ts'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import { mayChange } from '../../api/session.ts'
import type { Discovery } from '../../api/types.ts'
import { parseTarget } from '../../model/target.ts'
import { ChangeBox } from '../../parts/change/change.tsx'
import { Choice, Field, Select } from '../../parts/field.tsx'
import { useSettled } from '../../parts/settled.ts'
import { Check, PartChecks } from './checks.tsx'

const MAX_NAME = 253
const MAX_PORT = 65_535
const LOOKS_LIKE_A_NAME = /^[^\s.]+\.[^\s]+$/
const NAME_PARTS = ['name', 'zone', 'free_here', 'free_at_provider', 'certificate'] as const

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
  const typed = [name, target, access, kind, address].map(({ value }) => value).join('\n')
  const settled = useSettled(typed)
  const current = settled === typed
  const asked = JSON.stringify(checkOf(name.value, target.value, kind.value))
  const checks = useChecks(useSettled(asked) === asked ? (JSON.parse(asked) as CheckRequest | null) : null)
  const body = bodyOf(name.value, target.value, access.value, kind.value, address.value)
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
          hint={
            <PartChecks
              checks={checks}
              parts={address.value.trim() === '' ? [...NAME_PARTS, 'address'] : NAME_PARTS}
            />
          }
        />
        <TargetField
          target={target}
          checks={checks}
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
          change={{ kind: 'plan', body: { create: [body] } }}
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

function bodyOf(name: string, target: string, access: string, service_type: string, address: string) {
  const parsed = parseTarget(target)
  const domain = name.trim().toLowerCase()
  if (parsed === null || parsed.backend_port === null || !LOOKS_LIKE_A_NAME.test(domain)) return null
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

/** As far as it is typed; null while the name is none yet. */
function checkOf(name: string, target: string, service_type: string): CheckRequest | null {
  const domain = name.trim().toLowerCase()
  if (!LOOKS_LIKE_A_NAME.test(domain) || domain.length > MAX_NAME) return null
  const parsed = parseTarget(target)
  if (parsed === null || !isPort(parsed.backend_port)) return { domain, service_type }
  const { backend_host, backend_port } = parsed
  return { domain, service_type, backend_host, backend_port }
}

const isPort = (port: number | null): port is number => port !== null && port >= 1 && port <= MAX_PORT

interface TargetProps {
  readonly target: { value: string }
  readonly checks: Checks
  readonly fault: string | null
}

/** Picks from what was discovered, the likeliest first. */
function TargetField({ target, checks, fault }: TargetProps) {
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
        ) : (
          <PartChecks checks={checks} parts={['backend']} />
        )
      }
    />
  )
}
