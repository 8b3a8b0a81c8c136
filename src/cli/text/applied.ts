/** The answers of `POST /api/estate`, and how they are told. */
import type { FieldChanges } from '../../model/domain/field-changes.ts'
import type { Plan } from '../../model/plan.ts'
import { tellProse } from './table.ts'
import { tellWarnings } from './tell-warnings.ts'
import type { VerbContext } from '../verb.ts'

export interface Applied {
  readonly message: string
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly unchanged: readonly string[]
  readonly deleted: readonly string[]
  readonly changed: readonly { readonly domain: string; readonly fields: FieldChanges }[]
  readonly warnings: readonly string[]
  readonly release: number
}

export interface PlannedEstate extends Pick<
  Applied,
  'created' | 'updated' | 'unchanged' | 'deleted' | 'changed'
> {
  readonly plan: Plan
}

export function tellApplied(applied: Applied, { terminal }: VerbContext): void {
  tellProse(terminal, `${applied.message} Release ${applied.release}.`)
  for (const name of applied.created) terminal.out(`  + ${name}`)
  for (const name of applied.updated) terminal.out(`  ~ ${name}`)
  for (const name of applied.deleted) terminal.out(`  - ${name}`)
  tellWarnings(applied.warnings, terminal)
}
