/** What is wrong target by target: one that shows another host key than the known one. */
import { type Finding, type FindingSource, known } from '../../core/finding.ts'
import { SSH_PROXY } from '../../model/component.ts'
import { changedWords, remedyFor } from './host-keys.ts'
import { sshTargetRecords, type SshTarget } from './records.ts'
import type { SshTargetService } from './service.ts'

export const targetFindings =
  ({ store }: Pick<SshTargetService, 'store'>): FindingSource =>
  async () =>
    known(changedKeys(await store.of(sshTargetRecords).sshTargets()))

/** Pure. */
const changedKeys = (rows: readonly SshTarget[]): readonly Finding[] =>
  rows.flatMap((row) =>
    row.shown_at === null || row.state === 'gone'
      ? []
      : [
          {
            id: `ssh_target/${row.id}`,
            kind: 'consent_needed',
            severity: 'urgent',
            component: SSH_PROXY,
            key: row.name,
            domains: [],
            since: row.shown_at,
            message: changedWords(row),
            remedy: remedyFor(row),
            alert_after_ms: 0,
          },
        ],
  )
