/**
 * What the quarterly schedule does. It issues nothing: a router that cannot fetch a new key would be cut off by one. A
 * token that is due ends 24 hours after its successor is there; without a successor it stays valid, and is reported as due
 * until somebody rotates it. A successor has the label of the token that it follows: another label is another router's.
 * One whose end has come is ended for good, whatever the clock is set to later.
 */
import { type Clock, type Instant, isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { ddnsRecords, type DdnsToken } from '../records.ts'
import type { Schedule, Scheduled } from '../../../ports/schedule.ts'
import type { Store } from '../../../ports/store.ts'
import type { EventLog } from '../../../core/events/event-log.ts'
import { GRACE_MS, isRotationDue, latestRotation } from '../../../kernel/quarterly.ts'
import { hasJustEnded, isPast } from '../../../kernel/issued-secret.ts'
import type { TokenRegistry } from './token-registry.ts'

/** Ended tokens stay in the list for a while, so that their last use can be looked up. */
const ENDED_KEPT_MS: Milliseconds = 30 * 24 * 3_600_000

export interface RotationParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly tokens: TokenRegistry
}

/** Looks at the rotation's calendar at the start and with every hour. */
export function rotationByCalendar({
  schedule,
  clock,
  log,
  ...parts
}: RotationParts & { readonly schedule: Schedule; readonly clock: Clock; readonly log: Log }): Scheduled {
  return schedule({
    name: 'token rotation',
    pattern: '0 * * * *',
    work: () => rotateBySchedule(parts, clock.now()),
    failed: (error) => log.warn('tokens not rotated', { error }),
  })
}

/** Due and without an end. Pure. */
export const isDue = (token: DdnsToken, now: Instant): boolean =>
  token.expires_at === null && isRotationDue(token.created_at, now)

/** Due tokens, apart by whether a younger one of their label, without an end and not due itself, stands beside them. Pure. */
function dueTokens(
  tokens: readonly DdnsToken[],
  now: Instant,
): { readonly succeeded: readonly DdnsToken[]; readonly alone: readonly DdnsToken[] } {
  const due = tokens.filter((token) => isDue(token, now))
  const hasSuccessor = (old: DdnsToken) =>
    tokens.some(
      (token) =>
        token.host === old.host &&
        token.label === old.label &&
        token.expires_at === null &&
        !isRotationDue(token.created_at, now),
    )
  return { succeeded: due.filter(hasSuccessor), alone: due.filter((token) => !hasSuccessor(token)) }
}

/** Does what has become due since the last time, however long ago that was. A second call finds nothing to do. */
export async function rotateBySchedule(
  { store, events, tokens }: RotationParts,
  now: Instant,
): Promise<void> {
  const { succeeded, alone } = dueTokens(tokens.list(), now)
  const rotation = latestRotation(now)
  // Before there was a token there was nothing to rotate.
  const concerned = tokens.list().some(({ created_at }) => created_at < rotation)
  const turned = concerned && ((await store.of(ddnsRecords).lastRotation()) ?? 0) < rotation
  const outdated = tokens.list().some((token) => isPast(token, now - ENDED_KEPT_MS - 1))
  const over = (await store.of(ddnsRecords).ddnsTokens()).filter((token) => hasJustEnded(token, now))
  if (!turned && !outdated && succeeded.length === 0 && over.length === 0) return
  await store.write(async (tx) => {
    for (const token of succeeded) {
      await tx.of(ddnsRecords).limitDdnsToken(token.id, now + GRACE_MS)
      await tx.addEvent(limitEvent(token, now))
    }
    for (const { id, expires_at } of over) await tx.of(ddnsRecords).endDdnsToken(id, expires_at!)
    await tx.of(ddnsRecords).forgetDdnsTokens(now - ENDED_KEPT_MS)
    if (turned) await tx.of(ddnsRecords).saveRotation(rotation)
    if (turned && alone.length > 0) await tx.addEvent(dueEvent(alone, rotation, now))
  })
  for (const { id } of succeeded) tokens.limit(id, now + GRACE_MS)
  for (const { id, expires_at } of over) tokens.end(id, expires_at!)
  tokens.forget(now - ENDED_KEPT_MS)
  events.added()
}

function limitEvent({ id, host, label }: DdnsToken, at: Instant) {
  const ends_at = isoTime(at + GRACE_MS)
  return {
    at,
    kind: 'token',
    message: `The old site key for ${host} ends at ${ends_at}: it is due, and its successor is there.`,
    facts: { token_id: id, host, label, expires_at: ends_at },
  }
}

function dueEvent(alone: readonly DdnsToken[], rotation: Instant, at: Instant) {
  const hosts = [...new Set(alone.map(({ host }) => host))]
  return {
    at,
    kind: 'rotation_due',
    message: `Site keys of ${hosts.join(', ')} are to be rotated; they stay valid until then.`,
    facts: { rotation: isoTime(rotation), hosts, tokens: alone.map(({ id }) => id) },
  }
}
