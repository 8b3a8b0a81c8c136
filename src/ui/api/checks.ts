/** What the API says of a new name and its target before anything of them is saved: each part answers for itself. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from './client.ts'
import { faultText } from './fault.ts'
import type { DomainCheck, DomainCheckRequest } from './types.ts'

export type Checked = DomainCheck['checks'][number]

export type Checks =
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'checked'; readonly checks: readonly Checked[] }
  /** Nothing is known; it blocks nobody. */
  | { readonly kind: 'unknown'; readonly detail: string }

const NONE: Checks = { kind: 'none' }

/** Of the last request alone: what comes late for an earlier one is dropped. Null asks for nothing. */
export function useChecks(request: DomainCheckRequest | null): Checks {
  const found = useSignal<Checks>(NONE)
  useEffect(() => {
    if (request === null) {
      found.value = NONE
      return undefined
    }
    let current = true
    found.value = { kind: 'looking' }
    void call<DomainCheck>({
      method: 'POST',
      path: '/api/domains/check',
      body: request,
    }).then((answer) => {
      if (!current) return
      found.value = answer.ok
        ? { kind: 'checked', checks: answer.body.checks }
        : { kind: 'unknown', detail: faultText(answer.fault) }
    })
    return () => {
      current = false
    }
  }, [JSON.stringify(request)])
  return found.value
}
