/** Targets that show another host key than the known one: for the status page all together, for whoever is alerted one by one. */
import { drifting, type HealthCheck, healthy, named, notConfigured, reportedApart } from '../../core/check.ts'
import { type Finding, type FindingSource, known } from '../../core/finding.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import { SSH_PROXY } from '../../model/component.ts'
import { changedWords, remedyFor } from './host-keys.ts'
import { sshTargetRecords, type SshTarget } from './records.ts'
import type { SshTargetService } from './service.ts'

/** Only the rows are read, which the rounds and the deploys write. */
const EVERY_MS: Milliseconds = 10_000

export const hostKeysCheck = ({
  store,
  is_set_up,
}: Pick<SshTargetService, 'store' | 'is_set_up'>): HealthCheck => ({
  name: 'ssh-host-keys',
  kind: 'watch',
  configured: is_set_up,
  every_ms: EVERY_MS,
  async look() {
    const rows = await store.of(sshTargetRecords).sshTargets()
    const having = rows.filter(({ state, host_key }) => state === 'present' && host_key !== null)
    if (having.length === 0) return notConfigured('No host key of an SSH target is known yet.')
    const differing = rows.filter(hasChanged)
    if (differing.length === 0) return healthy('No target shows another host key than the known one.')
    const names = named(differing.map(({ name }) => name))
    return drifting('host_key_changed', `${names}: another host key than the known one.`, {
      differences: differing.map((row) => {
        return { item: row.name, cause: 'host_key_changed', domains: [], detail: changedWords(row) }
      }),
    })
  },
  advises: reportedApart(
    'plumbline ssh-targets shows both keys; the known one stays until a person says otherwise.',
  ),
})

export const targetFindings =
  ({ store }: Pick<SshTargetService, 'store'>): FindingSource =>
  async () =>
    known(changedKeys(await store.of(sshTargetRecords).sshTargets()))

const hasChanged = ({ state, shown_at }: SshTarget): boolean => state !== 'gone' && shown_at !== null

/** Pure. */
const changedKeys = (rows: readonly SshTarget[]): readonly Finding[] =>
  rows.filter(hasChanged).map((row) => ({
    id: `ssh_target/${row.id}`,
    kind: 'consent_needed',
    severity: 'urgent',
    component: SSH_PROXY,
    key: row.name,
    domains: [],
    since: row.shown_at!,
    message: changedWords(row),
    remedy: remedyFor(row),
    alert_after_ms: 0,
  }))
