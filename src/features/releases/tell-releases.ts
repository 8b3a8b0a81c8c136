/** Releases for people: a list, one, what lies between two, and what a restore did or would do. */
import type { RestoreAnswer, RestoreLists, RestorePlan } from './restore/restore.ts'
import type { ReleaseDetail, ReleaseSummary } from './read.ts'
import type { ReleaseDiff } from './diff.ts'
import { isEmptyPlan } from '../../model/plan.ts'
import { actorShown } from '../../cli/text/actor-shown.ts'
import type { EditionDiff } from './diff-editions.ts'
import { tellDeployment } from '../../cli/text/tell-deployment.ts'
import { tellCautions, tellPlan } from '../../cli/text/tell-plan.ts'
import { type Terminal, coloured, shortTime, styled } from '../../cli/text/terminal.ts'
import { tellWarnings } from '../../cli/text/tell-warnings.ts'
import { fieldLines } from '../../cli/text/shown-value.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'

export function tellReleases(releases: readonly ReleaseSummary[], terminal: Terminal): void {
  const head = ['RELEASE', 'TIME', 'ACTOR', 'MOVED', 'RESULT', 'REASON']
  const rows = releases.map((release) => [
    String(release.number),
    shortTime(release.created_at),
    actorShown(release.actor),
    String(release.rows_moved),
    resultOf(release),
    release.reason,
  ])
  tellTable(terminal, rows, { head })
}

const resultOf = ({ results }: ReleaseSummary): string =>
  [...new Set(Object.values(results))].join(', ') || 'not recorded'

const SIGN = { add: '+', update: '~', remove: '-' } as const

export function tellRelease(release: ReleaseDetail, terminal: Terminal): void {
  const { number, created_at, actor, request_id, reason, plan_hash } = release
  tellProse(terminal, `Release ${number}: ${reason}`)
  const facts = [
    [
      'made',
      `${shortTime(created_at)} by ${actorShown(actor)}${request_id === '' ? '' : ` (request ${request_id})`}`,
    ],
    ...(plan_hash === null ? [] : [['plan', plan_hash]]),
    ...Object.entries(release.digests).map(([key, digest]) => [
      key,
      `sha256 ${digest.slice(0, 12)}, ${release.results[key] ?? 'not recorded'}`,
    ]),
  ]
  tellTable(terminal, facts, { indent: '  ' })
  const rows = release.rows.map(({ change, domain, revision, fields }) => ({
    cells: [SIGN[change], domain, revision === null ? '' : `revision ${revision}`],
    below: fieldLines(fields),
  }))
  tellTable(terminal, rows, { indent: '  ' })
  tellWarnings(release.warnings, terminal)
}

export function tellReleaseDiff(diff: ReleaseDiff, terminal: Terminal): void {
  terminal.out(`From ${diff.from === null ? 'nothing' : `release ${diff.from}`} to release ${diff.to}:`)
  tellEditionDiff(diff, terminal)
  if (diff.unified_diff !== null) terminal.out(`\n${coloured(diff.unified_diff).trimEnd()}`)
  if (diff.note !== null) terminal.out(`\n${diff.note}`)
}

export function tellEditionDiff(diff: EditionDiff, terminal: Terminal): void {
  const moved = diff.added.length + diff.removed.length + diff.changed.length
  if (moved === 0) terminal.out('  no record differs')
  for (const { domain } of diff.added) terminal.out(styled('green', `  + ${domain}`))
  for (const { domain } of diff.removed) terminal.out(styled('red', `  - ${domain}`))
  for (const { domain, fields } of diff.changed) {
    terminal.out(styled('yellow', `  ~ ${domain}`))
    for (const [name, { before, after }] of Object.entries(fields))
      terminal.out(`      ${name}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`)
  }
}

export function tellRestore(answer: RestoreAnswer | RestorePlan, terminal: Terminal): void {
  if (!('dry_run' in answer)) tellDeployment(answer, terminal)
  else if (isEmptyPlan(answer.plan) && answer.plan.complete && movesRecords(answer)) {
    tellProse(terminal, 'Outside nothing changes by it.')
    tellCautions(answer.plan, terminal)
  } else tellPlan(answer.plan, terminal)
  tellLists(answer, terminal, 'dry_run' in answer ? 'would be ' : '')
}

export const movesRecords = ({ restored, created, deactivated }: RestoreLists): boolean =>
  restored.length + created.length + deactivated.length > 0

/** @param would before each line of a rehearsal */
function tellLists(lists: RestoreLists, terminal: Terminal, would: string): void {
  for (const { domain, changed } of lists.restored)
    tellProse(terminal, `  ${would}restored: ${domain} (${changed.join(', ')})`)
  for (const { domain, replaces } of lists.created)
    tellProse(terminal, `  ${would}created anew: ${domain} (was domain ${replaces})`)
  for (const { domain } of lists.deactivated) terminal.out(`  ${would}deactivated: ${domain}`)
  for (const { domain, reason } of lists.skipped)
    tellProse(terminal, `  ${would}skipped: ${domain}. ${reason}`)
}
