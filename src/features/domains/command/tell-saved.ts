/** A save as it would be: the fields that change, and what bringing them out would do afterwards. */
import { tellUndone } from '../../../cli/settle.ts'
import { isEmptyPlan, type Plan } from '../../../model/plan.ts'
import { tellCautions, tellPlan } from '../../../cli/text/tell-plan.ts'
import { tellProse, tellTable } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { styled, type Terminal } from '../../../cli/text/terminal.ts'
import { isOutside } from '../../../model/domain/record.ts'
import { carriedWords } from './carried.ts'
import { shownValue } from '../../../cli/text/shown-value.ts'
import type { RehearsedSave } from '../api/save-schemas.ts'

interface Follows {
  /** The same command, so that no other follows. */
  readonly deploys?: boolean
  /** What is deployed along with it. */
  readonly carried?: readonly string[]
}

export function tellRehearsed(
  rehearsed: RehearsedSave,
  terminal: Terminal,
  { deploys = false, carried = [] }: Follows = {},
): void {
  const { deploy, plan, changed } = rehearsed
  tellChanged(rehearsed, terminal, deploys ? (deploy?.plan ?? null) : null)
  tellCarried(carried, terminal)
  const later = new Set(deploy?.plan?.warnings)
  tellWarnings(
    plan.warnings.filter((warning) => !later.has(warning)),
    terminal,
  )
  if (deploy?.plan) {
    const who =
      deploys && deploy.by === 'deploy'
        ? 'Deploying it'
        : `"plumbline ${deploy.by === 'activate' ? 'on' : 'deploy'}"`
    if (isInwardAlone(rehearsed)) {
      tellProse(terminal, `\n${NOTHING_OUTSIDE}`)
      if (rehearsed.changed.some(isOutside)) tellCautions(deploy.plan, terminal)
    } else {
      tellProse(terminal, `\n${who} would then do this:`)
      tellPlan(deploy.plan, terminal)
    }
  }
  if (deploy?.refused) terminal.note(`It could not be deployed: ${deploy.refused.message}`)
  if (deploys && deploy?.by === 'deploy' && deploy.plan)
    tellUndone(deploy.plan, terminal, { asks_anyway: true })
  else if (changed.length === 0) terminal.note('Nothing was changed.')
  else
    terminal.note(
      `Nothing was changed. To save exactly this, say --confirm ${plan.hash} instead of --dry-run.`,
    )
}

export function tellCarried(carried: readonly string[], terminal: Terminal): void {
  if (carried.length > 0) tellProse(terminal, styled('yellow', carriedWords(carried)))
}

const NOTHING_OUTSIDE = 'Nothing outside has it, so a deploy would make no release.'

/** What a note, say, changes of what is deployed: a plan of it has nothing to say of that. */
export function tellNothingOutside(rehearsed: RehearsedSave, terminal: Terminal): boolean {
  const is_nothing = isInwardAlone(rehearsed) && !rehearsed.changed.some(isOutside)
  if (is_nothing) tellProse(terminal, NOTHING_OUTSIDE)
  return is_nothing
}

/** Fields change, and no component reads any of them. */
const isInwardAlone = ({ changed, deploy }: RehearsedSave): boolean => {
  const plan = deploy?.plan ?? null
  return changed.length > 0 && plan !== null && isEmptyPlan(plan) && plan.complete && plan.left.length === 0
}

/** As a page has them, but for those that a row of its plan names. */
export const changedLines = ({ before, after, changed }: RehearsedSave, plan: Plan): readonly string[] =>
  changed
    .filter((field) => !isNamedBy(plan, field))
    .map((field) =>
      before === null
        ? `${field}: ${shownValue(after[field])}`
        : `${field}: ${shownValue(before[field])} -> ${shownValue(after[field])}`,
    )

const isNamedBy = ({ rows }: Plan, field: string): boolean =>
  rows.some(({ fields }) => fields?.[field] !== undefined)

/** @param plan that is shown below, and names what it brings out itself; null where none is */
export function tellChanged(
  { before, after, changed }: RehearsedSave,
  terminal: Terminal,
  plan: Plan | null,
): void {
  if (changed.length === 0) return tellProse(terminal, 'Nothing to change: all of it is saved like that.')
  const alone = changed.filter((field) => plan === null || !isNamedBy(plan, field))
  const rows = alone.map((field) => ({
    cells: [
      before === null ? '+' : '~',
      field,
      before === null
        ? shownValue(after[field])
        : `${shownValue(before[field])} -> ${shownValue(after[field])}`,
    ],
    style: before === null ? ('green' as const) : ('yellow' as const),
  }))
  tellTable(terminal, rows, { indent: '  ' })
}
