/** A call that was refused or failed: the error first, and before it the plan that it speaks of. */
import type { Failure } from '../../kernel/failure.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { Plan } from '../../model/plan.ts'
import { tellPlan } from './tell-plan.ts'
import type { Terminal } from './terminal.ts'

export function tellRefusal(
  { details, message }: Failure,
  { note, width, json }: Pick<Terminal, 'note' | 'width' | 'json'>,
): void {
  const plan = details.facts?.['plan'] as Plan | null | undefined
  if (plan && !json)
    tellPlan({ ...plan, guards: [] }, { note, out: note, ...(width !== undefined && { width }) })
  const lines = details.errors?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`) ?? [message]
  for (const line of lines) note(`plumbline: ${visible(line)}`)
}
