/** A new domain: three fields, checks while typing, the plan beside, and one press that saves and deploys. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { domainAddress, go, queryOf } from '../../address.ts'
import { invalidate, useResource } from '../../api/cache.ts'
import { useChecks, type Checks } from '../../api/checks.ts'
import { call } from '../../api/client.ts'
import { fieldFaults, type Fault } from '../../api/fault.ts'
import { mayChange } from '../../api/session.ts'
import type { Discovery, Domain, DomainCheckRequest, Setting } from '../../api/types.ts'
import { apiField, type Draft, type FormField } from '../../model/draft.ts'
import {
  checkOf,
  copyDraft,
  emptyDraft,
  MORE_FIELDS,
  newBody,
  typedAgain,
  withoutSecrets,
  type NewDraft,
} from '../../model/new-domain.ts'
import { parseTarget } from '../../model/target.ts'
import { visible } from '../../model/visible.ts'
import { count } from '../../model/words.ts'
import { ChangeBox } from '../../parts/change/change.tsx'
import { DraftField } from '../../parts/draft-field.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { draftKey, keepDraft, keptDraft } from '../../api/kept-draft.ts'
import { Loading } from '../../parts/panel.tsx'
import { useSettled } from '../../parts/settled.ts'
import { Check, PartChecks } from './checks.tsx'

const NAME_PARTS = ['name', 'zone', 'free_here', 'free_at_provider', 'certificate'] as const

export function NewDomain() {
  const copied = queryOf('copy')
  const all = useResource<readonly Domain[]>(copied === null ? '' : '/api/domains').value
  if (copied !== null && all === undefined) return <Loading what={visible(copied)} />
  const from = all?.find(({ domain }) => domain === copied) ?? null
  return (
    <>
      <h1>New domain</h1>
      {from !== null && <p class="q2 sub">As {visible(from.domain)} is saved, under another name.</p>}
      <NewDomainForm key={from?.id} copied={from} />
    </>
  )
}

export function NewDomainForm({ copied = null }: { readonly copied?: Domain | null }) {
  const draft = useSignal<NewDraft>(
    typedAgain(
      copied === null ? emptyDraft(queryOf('name') ?? '', queryOf('target') ?? '') : copyDraft(copied),
      keptDraft<NewDraft>(),
    ),
  )
  // A page that is left for another one has nothing to keep.
  useEffect(() => {
    const own = draftKey()
    return () => keepDraft(null, own)
  }, [])
  const typed = JSON.stringify(draft.value)
  const settled = useSettled(typed)
  const asked = JSON.stringify(checkOf(draft.value))
  const checks = useChecks(
    useSettled(asked) === asked ? (JSON.parse(asked) as DomainCheckRequest | null) : null,
  )
  const body = newBody(draft.value, copied)
  const fault = useSignal<Fault | null>(null)
  const faults = fieldFaults(fault.value)
  const set = (changes: Partial<NewDraft>) => {
    draft.value = { ...draft.value, ...changes }
    keepDraft(withoutSecrets(draft.value))
  }
  const more = (field: keyof Draft, value: string) => set({ more: { ...draft.value.more, [field]: value } })
  const saveOnly = async () => {
    if (body === null) return
    const full = { environment: 'production', ...body, status: 'inactive' }
    const answer = await call<unknown>({ method: 'POST', path: '/api/domains', body: full })
    invalidate('all')
    if (answer.ok) go(domainAddress(body.domain))
    else fault.value = answer.fault
  }
  const { name, more: own } = draft.value
  return (
    <div class="pair gap">
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <Field
          big
          label="Name"
          name="name"
          value={name}
          autofocus
          placeholder="notes.home.example"
          fault={faults.get('domain') ?? null}
          onInput={(value) => set({ name: value })}
          hint={
            <PartChecks
              checks={checks}
              parts={own.static_ip.trim() === '' ? [...NAME_PARTS, 'address'] : NAME_PARTS}
            />
          }
        />
        <TargetField
          target={draft.value.target}
          onInput={(target) => set({ target })}
          checks={checks}
          fault={faults.get('backend_host') ?? faults.get('backend_port') ?? null}
        />
        <Choice
          full
          label="Who gets in"
          value={own.auth_required}
          options={[
            ['yes', 'who has signed in'],
            ['no', 'open to all'],
          ]}
          onChoose={(value) => more('auth_required', value)}
        />
        {own.auth_required === 'no' ? (
          <p class="check s">Anybody who knows the name can open it, without a sign-in.</p>
        ) : (
          <PolicyLine />
        )}
        <MoreFields draft={own} faults={faults} onInput={more} open={copied !== null} />
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
          {faults.size > 0 && (
            <span class="s c-bad">
              {count(faults.size, 'field')} {faults.size === 1 ? 'is' : 'are'} wrong
            </span>
          )}
        </p>
      </form>
      {body === null || settled !== typed ? (
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
          onStage={(kind) => {
            if (kind === 'done') keepDraft(null)
          }}
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

const POLICIES = new Map([
  ['one_factor', 'one factor'],
  ['two_factor', 'two factors'],
])

/** Factors and groups are no fields of a record: they are of the sign-in page, and a file says more of single names. */
function PolicyLine() {
  const settings = useResource<readonly Setting[]>('/api/settings').value ?? []
  const of = (name: string) => settings.find((one) => one.name === name)?.value ?? null
  const policy = of('PLUMBLINE_SSO_POLICY')
  if (of('PLUMBLINE_SSO_RULES_FILE') === null || policy === null) return null
  const file = of('PLUMBLINE_SSO_POLICIES_FILE')
  return (
    <p class="check s">
      <span>
        Everybody who signs in with {POLICIES.get(policy) ?? visible(policy)}. Groups and another number of
        factors for this name alone stand in{' '}
        {file === null ? (
          <>
            the file of <code>PLUMBLINE_SSO_POLICIES_FILE</code>
          </>
        ) : (
          <code>{visible(file)}</code>
        )}
        .
      </span>
    </p>
  )
}

interface MoreProps {
  readonly draft: Draft
  readonly faults: ReadonlyMap<string, string>
  readonly onInput: (field: keyof Draft, value: string) => void
  readonly open: boolean
}

function MoreFields({ draft, faults, onInput, open }: MoreProps) {
  const faultOf = (field: keyof Draft) => faults.get(apiField(field)) ?? null
  return (
    <details class="gap" open={open || MORE_FIELDS.some(({ field }) => faultOf(field) !== null)}>
      <summary>
        More{' '}
        <span class="s q2">kind, environment, health path, TLS, address, TTL, middlewares, tags, note</span>
      </summary>
      <div class="fields">
        {MORE_FIELDS.map((one) => (
          <DraftField
            key={one.field}
            of={open ? one : fieldOfNew(one)}
            value={draft[one.field]}
            onInput={onInput}
            fault={faultOf(one.field)}
          />
        ))}
      </div>
    </details>
  )
}

/** TCP wants an entry point and manual no target: both begin as a copy, or through the API. */
const fieldOfNew = (one: FormField): FormField =>
  one.field === 'service_type'
    ? { ...one, options: one.options!.filter(([kind]) => kind !== 'tcp-proxy' && kind !== 'manual') }
    : one

interface TargetProps {
  readonly target: string
  readonly onInput: (value: string) => void
  readonly checks: Checks
  readonly fault: string | null
}

/** Picks from what was discovered, the likeliest first. */
function TargetField({ target, onInput, checks, fault }: TargetProps) {
  const found = useResource<Discovery>('/api/discover').value?.not_exposed ?? []
  const offered = found.flatMap(({ suggestion }) =>
    suggestion === null ? [] : [`${suggestion.body.backend_host}:${suggestion.body.backend_port}`],
  )
  const parsed = parseTarget(target)
  const incomplete = target.trim() !== '' && (parsed === null || parsed.backend_port === null)
  return (
    <Field
      big
      label="Target"
      name="target"
      value={target}
      placeholder="192.168.1.20:3000"
      list={offered}
      fault={fault}
      onInput={onInput}
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
