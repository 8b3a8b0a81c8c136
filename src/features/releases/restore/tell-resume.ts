/** The decision between an older database and a newer world, for people: what it would do, and what it did. */
import type { ComponentResult } from '../../../core/answers.ts'
import type { ResumeAnswer, ResumePlan } from './resume.ts'
import { tellDone } from '../../../cli/text/tell-deployment.ts'
import { tellEditionDiff } from '../tell-releases.ts'
import { coloured, type Terminal } from '../../../cli/text/terminal.ts'

export function tellResume(answer: ResumeAnswer | ResumePlan, terminal: Terminal): void {
  if (answer.planned) tellStanding(answer, terminal)
  else tellDone(answer, terminal)
  for (const [what, names] of Object.entries(answer.changes))
    if (Array.isArray(names))
      for (const name of names) terminal.out(`  ${what.replaceAll('_', ' ')}: ${name}`)
  if (answer.changes.unknown_drafts > 0)
    terminal.out(`  not known any more: ${answer.changes.unknown_drafts} records that were never deployed`)
  if (answer.planned) tellPlanned(answer, terminal)
  else tellUndone(answer, terminal)
}

/** Whether something that was asked for was not done, or would not be. */
export function isPartRefused(answer: ResumeAnswer | ResumePlan): boolean {
  return answer.refused.length > 0 || (!answer.planned && answer.components.some(isUndone))
}

const UNDONE: readonly ComponentResult['outcome'][] = ['refused', 'failed', 'unknown', 'left_drifting']
const isUndone = ({ outcome }: ComponentResult): boolean => UNDONE.includes(outcome)

function tellStanding({ standing }: ResumePlan, terminal: Terminal): void {
  terminal.out(`The database is at change ${standing.database_number}.`)
  for (const { world, place, number, ahead } of standing.worlds)
    terminal.out(`  ${world} at change ${number}${ahead ? ', ahead' : ''}: ${place}`)
}

function tellPlanned({ take, diff, outside, warnings, hash }: ResumePlan, terminal: Terminal): void {
  if (diff !== null) {
    const [from, to] = take === 'world' ? ['database', 'world'] : ['world', 'database']
    terminal.out(`From the ${from} to the ${to}:`)
    tellEditionDiff(diff, terminal)
  }
  for (const { component, verb, item } of outside.actions)
    terminal.out(`  outside: ${component}: ${verb} ${item}`)
  if (outside.unified_diff !== null) terminal.out(`\n${coloured(outside.unified_diff).trimEnd()}`)
  for (const warning of warnings) terminal.note(`warning: ${warning}`)
  terminal.out(
    `Nothing was changed. If that is meant: plumbline releases resume --take ${take} --confirm ${hash}`,
  )
}

function tellUndone({ components }: ResumeAnswer, terminal: Terminal): void {
  for (const { key, outcome, message } of components.filter(isUndone))
    terminal.note(`${key} ${outcome.replaceAll('_', ' ')}: ${message ?? 'no reason was given'}`)
}
