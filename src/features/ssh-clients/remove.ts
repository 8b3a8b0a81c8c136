/** Takes a client off the list. Only what is ours is ever meant: a foreign key neither matches nor goes. */
import { clientMeant, type KeyField } from './model/match.ts'
import { type PlannedAnswer, planned } from '../../core/answers.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { SshService } from './service.ts'
import {
  assertConfigured,
  bringThere,
  type ChangedClient,
  clientAudit,
  foreignWarnings,
  lineChange,
} from './change.ts'
import { sshClientRecords } from './records.ts'

export interface SentKey {
  readonly text: string
  /** Under which it was sent, for what is said of it. */
  readonly field: KeyField
}

/** Throws `validation_failed`, `not_found`, `conflict` with the candidates, and what keeps the gateway from following. */
export async function removeClient(
  ssh: SshService,
  { text, field }: SentKey,
  caller: Caller,
): Promise<ChangedClient | PlannedAnswer> {
  const committed = await ssh.commit(caller, async (tx, at) => {
    const client = clientMeant(await tx.of(sshClientRecords).sshClients(), text, field)
    assertConfigured(ssh)
    await tx.of(sshClientRecords).dropSshClient(client.fingerprint)
    const { fingerprint, name } = client
    const message = `SSH client ${name} (${fingerprint}) was removed.`
    await tx.addEvent({
      at,
      kind: 'ssh_client',
      message,
      facts: { fingerprint, name, actor: caller.actor.name },
    })
    return {
      result: { client, message },
      audit: [clientAudit('remove_ssh_client', client, client)],
      ...ONLY_SAVES,
      warnings: [],
      actions: lineChange(client, null),
      goes_on: 'unread',
    }
  })
  if (committed.planned) return planned(committed.plan)
  const { client, message } = committed.result
  ssh.events.added()
  const seen = await bringThere(ssh, client, caller)
  const { fingerprint, type, bits, name } = client
  const warnings = await foreignWarnings(ssh, client, { seen, signal: caller.signal })
  return { success: true, message, fingerprint, type, bits, name, warnings }
}
