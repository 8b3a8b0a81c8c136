/** Takes names and addresses of guests into rows of ours. What is released is not touched by it. */
import { type PlannedAnswer, planned } from '../../core/answers.ts'
import { OF_NO_RECORD } from '../../core/audit/facts.ts'
import type { Caller } from '../../core/caller.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import { planSync, type SyncPlan } from './model/sync.ts'
import { sshTargetRecords, type SshTarget } from './records.ts'
import type { SshTargetService } from './service.ts'

export interface SyncedNames extends Omit<SyncPlan, 'rows'> {
  /** Whether all clusters have shown all that they have; null where none is configured. */
  readonly complete: boolean | null
  /** Rows of lost guests that were taken out. */
  readonly forgotten: readonly string[]
}

/** @param forget also takes out the rows of guests that are there no more */
export async function syncNames(
  targets: SshTargetService,
  forget: boolean,
  caller: Caller,
): Promise<SyncedNames & ({ readonly dry_run: false } | PlannedAnswer)> {
  const seen = await targets.seen()
  const committed = await targets.commit(caller, async (tx, at) => {
    const before = await tx.of(sshTargetRecords).sshTargets()
    const released = await tx.of(sshTargetRecords).sshProxyHosts()
    const { rows, ...plan } = planSync(before, seen, { ...targets.wanted, released, at })
    const forgotten = forget ? rows.filter(({ state }) => state === 'gone') : []
    const left = forget ? rows.filter(({ state }) => state !== 'gone') : rows
    await tx.of(sshTargetRecords).dropSshTargets(without(before, left))
    await tx.of(sshTargetRecords).saveSshTargets(changed(before, left))
    const result = { ...plan, complete: seen.complete, forgotten: forgotten.map(({ name }) => name) }
    const { added, renamed, moved, lost, removed } = plan
    const is_same = [added, renamed, moved, lost, removed, forgotten].every((list) => list.length === 0)
    if (is_same) return { result, ...ONLY_SAVES, audit: [], warnings: [] }
    const counts = {
      added: added.length,
      renamed: renamed.length,
      moved: moved.length,
      lost: lost.length,
      removed: removed.length,
      forgotten: forgotten.length,
    }
    await tx.addEvent({
      at,
      kind: 'ssh_targets',
      message: `SSH targets: ${added.length} added, ${renamed.length} renamed, ${moved.length} moved, ${lost.length} without a guest.`,
      facts: { ...counts, actor: caller.actor.name },
    })
    const audit = [{ ...OF_NO_RECORD, action: 'sync_ssh_targets', detail: counts }]
    return {
      result,
      ...ONLY_SAVES,
      audit,
      does: { added, renamed, moved, lost, removed, forgotten: result.forgotten },
      warnings: [],
    }
  })
  const { result } = committed
  if (committed.planned) return { ...result, ...planned(committed.plan) }
  targets.events.added()
  return { ...result, dry_run: false }
}

const without = (before: readonly SshTarget[], after: readonly SshTarget[]): readonly string[] => {
  const ids = new Set(after.map(({ id }) => id))
  return before.map(({ id }) => id).filter((id) => !ids.has(id))
}

/** Rows that are not as they were. */
export function changed(before: readonly SshTarget[], after: readonly SshTarget[]): readonly SshTarget[] {
  const old = new Map(before.map((row) => [row.id, row]))
  return after.filter((row) => !isEqual(row, old.get(row.id)))
}

const isEqual = (row: SshTarget, old: SshTarget | undefined): boolean =>
  old !== undefined && (Object.keys(row) as (keyof SshTarget)[]).every((field) => row[field] === old[field])
