/** A call that was refused or failed: the error first, and before it the plan that it speaks of. */
import type { Failure } from '../../kernel/failure.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { Plan } from '../../model/plan.ts'
import type { Terms } from '../words/terms.ts'
import { tellPlan } from './tell-plan.ts'
import { tellJson, type Terminal } from './terminal.ts'

export function tellRefusal(
  failure: Failure,
  terminal: Pick<Terminal, 'out' | 'note' | 'width' | 'json'>,
  terms: Terms,
): void {
  const { details, message } = failure
  const { note, width, json } = terminal
  const plan = details.facts?.['plan'] as Plan | null | undefined
  if (json) tellJson(terminal, problemOf(failure))
  else if (plan) tellPlan({ ...plan, guards: [] }, { note, out: note, ...(width !== undefined && { width }) })
  const lines = details.errors?.map((error) => terms.fault(error)) ?? [terms.sentence(message)]
  for (const line of lines) note(`plumbline: ${visible(line)}`)
}

/** As the API answers it, also where no call was made. */
function problemOf({ code, message, details: { facts = {}, errors } }: Failure) {
  const { status, plan } = facts
  return {
    ...(typeof status === 'number' && { status }),
    code: typeof facts['code'] === 'string' ? facts['code'] : code,
    detail: message,
    ...(errors !== undefined && { errors }),
    ...(plan !== null && plan !== undefined && { plan }),
  }
}
