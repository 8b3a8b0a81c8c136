/** Asks the targets for their host keys in rounds: one that changed is not found out by the next deploy alone. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Loop } from '../../kernel/async/loop.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../ports/store.ts'
import type { ContactHost } from './contact-port.ts'
import { contactAll, withContact } from './host-keys.ts'
import { type SshTarget, sshTargetRecords } from './records.ts'
import { changed } from './sync-names.ts'

/** Each contact is a line in the log of a server. */
const EVERY_MS: Milliseconds = 15 * 60_000

interface KeyWatchParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly contact: ContactHost
}

export function keyWatch(parts: KeyWatchParts): Loop {
  /** Those for which the last round had no time. */
  let left: ReadonlySet<string> = new Set()
  return new Loop({
    clock: parts.clock,
    round: async (signal) => {
      left = await lookAtKeys(parts, { first: left, signal })
      return EVERY_MS
    },
    failed: (error) => parts.log.warn('host keys not looked at', { error }),
  })
}

/** One round. Keys that are known are compared; a first one is taken by a deploy alone. @returns who was not asked, by id */
export async function lookAtKeys(
  { store, clock, contact }: Omit<KeyWatchParts, 'log'>,
  { first, signal }: { readonly first: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  const asked = (await store.of(sshTargetRecords).sshTargets()).filter(hasKey)
  const order = asked.toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)))
  const contacts = await contactAll(order, contact, signal)
  const before = new Map(asked.map((row) => [row.id, row]))
  /** Of a row that is another one by now, nothing was asked. */
  const evaluated = (rows: readonly SshTarget[]): readonly SshTarget[] =>
    rows.filter(hasKey).flatMap((row) => {
      const was = before.get(row.id)
      const is_same = was?.address === row.address && was.port === row.port && was.host_key === row.host_key
      return is_same ? [withContact(row, contacts.get(row.id), clock.now()).row] : []
    })
  if (changed(asked, evaluated(asked)).length > 0)
    await store.write(async (tx) => {
      const rows = await tx.of(sshTargetRecords).sshTargets()
      await tx.of(sshTargetRecords).saveSshTargets(changed(rows, evaluated(rows)))
    })
  return new Set(asked.map(({ id }) => id).filter((id) => !contacts.has(id)))
}

const hasKey = ({ state, host_key }: SshTarget): boolean => state === 'present' && host_key !== null
