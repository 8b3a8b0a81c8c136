/** What adding and removing a client share: the audit's words, bringing the gateway there, and the warnings about it. */
import { Failure } from '../../kernel/failure.ts'
import { failureFor } from '../../model/report.ts'
import { clientItem, type SshClient } from '../../model/ssh/client.ts'
import { lineOf } from './model/line.ts'
import type { AuditFacts } from '../../core/audit/facts.ts'
import type { Change } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { SeenKeys } from './authorized-keys-port.ts'
import type { SshService } from './service.ts'
import { GATEWAY } from '../../model/component.ts'
import { lookAtGateway } from './read.ts'
import { isForeignToo } from './view.ts'

export interface ChangedClient {
  readonly success: true
  readonly message: string
  readonly fingerprint: string
  readonly type: string
  readonly bits: number
  readonly name: string
  readonly warnings: readonly string[]
}

/** What the gateway's file would see of it; nothing where its line stays as it is. */
export function lineChange(before: SshClient | null, after: SshClient | null): Change<unknown>['actions'] {
  const [from, to] = [before, after].map((client) => (client === null ? null : lineOf(client)))
  if (from === to) return []
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
  const item = clientItem((after ?? before)!)
  return [{ component: GATEWAY, verb, item, before: from!, after: to!, reason: 'release' }]
}

/** Throws `component_unavailable` where there is no gateway to take the key. */
export function assertConfigured(ssh: SshService): void {
  if (ssh.file !== null) return
  throw new Failure(
    'component_unavailable',
    'No SSH gateway is set up: PLUMBLINE_AUTHORIZED_KEYS is not set. Set it to the path of its authorized_keys.',
  )
}

/** The whole line, so that what was taken away can be put back. A public key is no secret. */
export const clientAudit = (action: string, client: SshClient, before: SshClient | null): AuditFacts => ({
  action,
  domain_id: null,
  domain: null,
  revision_before: before?.revision ?? null,
  revision_after: action === 'remove_ssh_client' ? null : client.revision,
  detail: { fingerprint: client.fingerprint, name: client.name, line: lineOf(client) },
})

/**
 * Brings the gateway to what was saved. A key that was to be shut out and still stands there must not look like success:
 * throws with the reason, and says that it is saved.
 * @returns what stands there since; null where that was not looked at
 */
export async function bringThere(
  ssh: SshService,
  { fingerprint }: SshClient,
  { progress }: Pick<Caller, 'progress'>,
): Promise<SeenKeys | null> {
  const begun = ssh.looks?.begun() ?? 0
  const [report] = await ssh.engine().converge('open', { records: 'all', component: GATEWAY, progress })
  const failure = report === undefined ? null : failureFor(report, [])
  if (failure === null) return ssh.looks?.after(begun) ?? null
  const { code, message, retry_after_ms } = failure
  throw new Failure(code, `Saved, but not on the gateway yet: ${message} It is tried again by itself.`, {
    facts: { saved: true, fingerprint },
    ...(retry_after_ms > 0 && { retry_after_ms }),
  })
}

/**
 * A key that stands on a foreign line as well logs in by that line, whatever ours says.
 * @param seen what stands there; null: it is looked at
 */
export async function foreignWarnings(
  ssh: SshService,
  { fingerprint }: SshClient,
  { seen, signal }: { readonly seen: SeenKeys | null; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const found = seen ?? (await lookAtGateway(ssh, signal)).found
  return isForeignToo(fingerprint, found?.look ?? null) === true
    ? [
        'The same key stands on a line of the file that is not ours, and logs in by that one. Plumbline never touches it.',
      ]
    : []
}
