/** What an estate document would do, as `plumbline import` and `plumbline sync` tell it before they do it. */
import { expectGood, type Api, type ApiRequest } from '../../cli/api.ts'
import type { PlannedEstate } from '../../cli/text/applied.ts'
import { fieldLines } from '../../cli/text/shown-value.ts'
import { tellBeside } from '../../cli/text/table.ts'
import { vanishing } from '../../cli/text/tell-plan.ts'
import { styled, type Terminal } from '../../cli/text/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { FieldChanges } from '../../model/domain/field-changes.ts'
import { isEmptyPlan } from '../../model/plan.ts'

/** @param request without `dry_run` */
export const plannedEstate = (api: Api, request: ApiRequest): Promise<PlannedEstate> =>
  expectGood<PlannedEstate>(api, { ...request, path: `${request.path}?dry_run=true` })

export const isNothing = ({ plan, created, updated, deleted }: PlannedEstate): boolean =>
  isEmptyPlan(plan) && created.length + updated.length + deleted.length === 0

/** Nobody outside gets to it any more: somebody else serves it, or public DNS does not name it. */
const OUT_OF_SERVICE: ReadonlySet<unknown> = new Set(['manual', 'internal'])

/** Something that is served goes, or may never come back: a script has to say that it means it. */
export const takesAway = ({ plan, changed, deleted }: PlannedEstate): boolean =>
  deleted.length > 0 ||
  vanishing(plan).length > 0 ||
  plan.rows.some(({ fields }) => OUT_OF_SERVICE.has(fields?.['service_type']?.after)) ||
  changed.some(({ fields }) => fields['status']?.after === 'disabled')

/** Records, of which a plan has only what moves outside. */
export function tellDifference(planned: PlannedEstate, terminal: Terminal): void {
  const { created, updated, deleted } = planned
  const unplanned = unplannedIn(planned)
  for (const name of created) terminal.out(styled('green', `  + ${name}`))
  for (const name of updated) {
    terminal.out(styled('yellow', `  ~ ${name}`))
    for (const line of fieldLines(unplanned.get(name))) tellBeside(terminal, '      ', visible(line))
  }
  for (const name of deleted) terminal.out(styled('red', `  - ${name}, to be deleted`))
}

/** Fields that no row of the plan names, such as a note: they are saved, and nothing of them goes out. */
function unplannedIn({ changed, plan }: PlannedEstate): ReadonlyMap<string, FieldChanges> {
  const planned = new Map(plan.rows.map(({ domain, fields = {} }) => [domain, fields]))
  return new Map(
    changed.map(({ domain, fields }) => [
      domain,
      Object.fromEntries(
        Object.entries(fields).filter(([name]) => planned.get(domain)?.[name] === undefined),
      ),
    ]),
  )
}

/** As a page has them, but for what the rows of its plan say. */
export const savedLines = (planned: PlannedEstate): readonly string[] => {
  const unplanned = unplannedIn(planned)
  const moved = new Set(planned.plan.rows.map(({ domain }) => domain))
  return [
    ...planned.created.filter((name) => !moved.has(name)).map((name) => `+ ${name}`),
    ...planned.updated.flatMap((name) => fieldLines(unplanned.get(name)).map((line) => `~ ${name}: ${line}`)),
    ...planned.deleted.map((name) => `- ${name}, deleted`),
  ]
}
