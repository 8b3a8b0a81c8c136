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
  const { deploy } = rehearsed
  tellChanged(rehearsed, terminal, deploys ? (deploy?.plan ?? null) : null)
  tellCarried(carried, terminal)
  tellWarnings(ownWarnings(rehearsed), terminal)
  if (deploy?.plan) tellFollowing(rehearsed, deploy.plan, { terminal, deploys })
  if (deploy?.refused) terminal.note(`It could not be deployed: ${deploy.refused.message}`)
  if (deploys && deploy?.by === 'deploy' && deploy.plan)
    tellUndone(deploy.plan, terminal, { asks_anyway: true })
  else terminal.note(undoneWords(rehearsed))
}

/** What its deploy does not say again. */
function ownWarnings({ plan, deploy }: RehearsedSave): readonly string[] {
  const later = new Set(deploy?.plan?.warnings)
  return plan.warnings.filter((warning) => !later.has(warning))
}

interface Following extends Required<Pick<Follows, 'deploys'>> {
  readonly terminal: Terminal
}

/** @param plan of the call that brings it out */
function tellFollowing(rehearsed: RehearsedSave, plan: Plan, { terminal, deploys }: Following): void {
  if (isInwardAlone(rehearsed)) {
    tellProse(terminal, `\n${NOTHING_OUTSIDE}`)
    if (rehearsed.changed.some(isOutside)) tellCautions(plan, terminal)
    return
  }
  const by = rehearsed.deploy?.by
  const command = `"plumbline ${by === 'activate' ? 'on' : 'deploy'}"`
  tellProse(terminal, `\n${deploys && by === 'deploy' ? 'Deploying it' : command} would then do this:`)
  tellPlan(plan, terminal)
}

const undoneWords = ({ changed, plan }: RehearsedSave): string =>
  changed.length === 0
    ? 'Nothing was changed.'
    : `Nothing was changed. To save exactly this, say --confirm ${plan.hash} instead of --dry-run.`

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
export const changedLines = (rehearsed: RehearsedSave, plan: Plan): readonly string[] =>
  rehearsed.changed
    .filter((field) => !isNamedBy(plan, field))
    .map((field) => `${field}: ${changeWords(rehearsed, field)}`)

const changeWords = ({ before, after }: RehearsedSave, field: RehearsedSave['changed'][number]): string =>
  before === null ? shownValue(after[field]) : `${shownValue(before[field])} -> ${shownValue(after[field])}`

const isNamedBy = ({ rows }: Plan, field: string): boolean =>
  rows.some(({ fields }) => fields?.[field] !== undefined)

/** @param plan that is shown below, and names what it brings out itself; null where none is */
export function tellChanged(rehearsed: RehearsedSave, terminal: Terminal, plan: Plan | null): void {
  const { before, changed } = rehearsed
  if (changed.length === 0) return tellProse(terminal, 'Nothing to change: all of it is saved like that.')
  const alone = changed.filter((field) => plan === null || !isNamedBy(plan, field))
  const rows = alone.map((field) => ({
    cells: [before === null ? '+' : '~', field, changeWords(rehearsed, field)],
    style: before === null ? ('green' as const) : ('yellow' as const),
  }))
  tellTable(terminal, rows, { indent: '  ' })
}
