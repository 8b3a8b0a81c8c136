/** Nobody is signed in: the ways in that are open here, in words, and a field for the key. */
import { useSignal } from '@preact/signals'
import type { Fault } from '../../api/fault.ts'
import { sessionState, signIn } from '../../api/session.ts'
import { Field } from '../../parts/field.tsx'
import { Mark } from '../../parts/icons.tsx'
import { FaultLine } from '../../parts/panel.tsx'

export function SignIn() {
  const state = sessionState.value
  if (state.kind === 'proxy') return <SignInEnded />
  const ways = state.kind === 'out' || state.kind === 'left' ? state.ways : []
  return (
    <main class="door">
      <div class="box pad">
        <h1 class="door-head">
          <Mark /> Plumbline
        </h1>
        {ways.includes('key') || ways.includes('link') ? <KeyForm ways={ways} /> : <SsoOnly />}
      </div>
    </main>
  )
}

function SsoOnly() {
  return (
    <>
      <p class="q2">From here the sign-in page of this installation is the only way in.</p>
      <p class="acts gap">
        <button type="button" class="btn first" onClick={() => window.location.reload()}>
          Sign in
        </button>
      </p>
    </>
  )
}

function KeyForm({ ways }: { readonly ways: readonly string[] }) {
  const key = useSignal('')
  const busy = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const send = async (event: Event) => {
    event.preventDefault()
    busy.value = true
    fault.value = await signIn({ key: key.value.trim() })
    busy.value = false
    // It is sent once and not kept here.
    key.value = ''
  }
  return (
    <form onSubmit={(event) => void send(event)}>
      <p class="q2">
        {ways.includes('link') && (
          <>
            Open the link that <code>plumbline console</code> prints, or type the API key.{' '}
          </>
        )}
        The key is sent once and not kept here.
      </p>
      <Field
        label="API key"
        type="password"
        name="key"
        value={key.value}
        autofocus
        onInput={(value) => {
          key.value = value
        }}
      />
      <FaultLine fault={fault.value} />
      <p class="acts gap">
        <button type="submit" class="btn first" disabled={busy.value || key.value.trim() === ''}>
          {busy.value ? 'Signing in' : 'Sign in'}
        </button>
      </p>
    </form>
  )
}

/** A fetch cannot follow the proxy to its sign-in page; a navigation can. */
const SignInEnded = () => (
  <main class="door">
    <div class="box pad">
      <h1 class="door-head">
        <Mark /> Your sign-in has ended
      </h1>
      <p class="q2">What you typed of a domain is kept in this tab.</p>
      <p class="acts gap">
        <button type="button" class="btn first" onClick={() => window.location.reload()}>
          Sign in again
        </button>
      </p>
    </div>
  </main>
)
