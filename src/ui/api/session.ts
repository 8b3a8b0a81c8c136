/** Who is signed in and what they may; the ways in where nobody is. */
import { computed, signal } from '@preact/signals'
import { call, whenSignedOut } from './client.ts'
import { keepSessionSecret } from './session-secret.ts'
import { readerText } from '../model/text/reader-words.ts'
import type { Fault } from './fault.ts'

export interface Session {
  readonly actor: string
  readonly way: string
  readonly may: 'change' | 'read'
  readonly groups: readonly string[]
  readonly expires_at: string | null
  readonly sign_out: string | null
}

export type SessionState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'in'; readonly session: Session }
  /** The session has ended, or there was none. */
  | { readonly kind: 'out'; readonly ways: readonly string[] }
  /** Signed out by hand. */
  | { readonly kind: 'left'; readonly ways: readonly string[] }
  /** The proxy before us has ended the sign-in: only a navigation brings it back. */
  | { readonly kind: 'proxy' }

export const sessionState = signal<SessionState>({ kind: 'asking' })

/** Whether this page has been somebody's since it was opened, or since they left. */
export const wasIn = signal(false)

export const session = computed(() => (sessionState.value.kind === 'in' ? sessionState.value.session : null))
export const mayChange = computed(() => session.value?.may === 'change')

/** Why an act is not possible now, or null. */
export const whyNot = computed(() => {
  const own = session.value
  if (own === null || own.may === 'change') return null
  return readerText(own)
})

/** How often somebody who may only look has asked for a change by a key: each time the reason is said anew. */
export const refusedPresses = signal(0)

/** What a single key begins, for whoever may change. */
export function ifMayChange(begin: () => void): void {
  if (mayChange.peek()) begin()
  else refusedPresses.value += 1
}

export async function askSession(): Promise<void> {
  const answer = await call<Session>({ path: '/api/session' })
  if (!answer.ok) return
  sessionState.value = { kind: 'in', session: answer.body }
  wasIn.value = true
}

export function watchSession(): void {
  whenSignedOut((fault) => {
    if (sessionState.peek().kind === 'left') return
    sessionState.value = fault.kind === 'proxy' ? { kind: 'proxy' } : { kind: 'out', ways: waysOf(fault) }
  })
}

function waysOf(fault: Fault): readonly string[] {
  const problem = fault.kind === 'signed_out' ? fault.problem : null
  const ways = problem !== null && 'ways' in problem ? problem.ways : undefined
  return Array.isArray(ways) ? ways.map(String) : ['key', 'link', 'sso']
}

/** With the key of the API or with the code of a sign-in link. Null where it went well. */
export async function signIn(
  proof: { readonly key: string } | { readonly code: string },
): Promise<Fault | null> {
  const answer = await call<{ readonly secret: string }>({
    method: 'POST',
    path: '/api/session',
    body: proof,
  })
  if (!answer.ok) return answer.fault
  keepSessionSecret(answer.body.secret)
  await askSession()
  return null
}

export async function signOut(): Promise<void> {
  const address = session.peek()?.sign_out ?? null
  const answer = await call({ method: 'DELETE', path: '/api/session' })
  // Without its secret it goes on: the sign-in stands over the page by now and says so.
  if (!answer.ok && answer.fault.kind === 'signed_out' && answer.fault.problem?.code === 'session_not_proven')
    return
  keepSessionSecret(null)
  if (address !== null) window.location.assign(address)
  else sessionState.value = { kind: 'left', ways: ['key', 'link', 'sso'] }
  wasIn.value = false
}

/** The code behind `#k=` of a sign-in link; it is taken out of the address at once. */
export function takeCode(): string | null {
  const code = /^#k=([\w-]+)$/.exec(window.location.hash)?.[1] ?? null
  if (code !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search)
  return code
}
