/** Adding and removing heartbeats, and their tokens: one transaction each, audited, with a dry run. */
import type { z } from 'zod'
import { invalid } from '../../kernel/failure.ts'
import type { Secret } from '../../kernel/secret.ts'
import { planned, type PlannedAnswer } from '../../core/answers.ts'
import { OF_NO_RECORD } from '../../core/audit/facts.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import { heartbeatRecords, heartbeatTokens } from './records.ts'
import { findHeartbeat } from './find.ts'
import type { Heartbeats } from './heartbeats.ts'
import { type Heartbeat, heartbeatFaults } from './state.ts'
import { issueToken, revokeTokens, rotateTokens } from '../../kernel/issued-tokens.ts'
import { tokensOf } from '../../store/token-rows.ts'
import type { HeartbeatIssued, HeartbeatSaved } from './views.ts'
import { heartbeatView } from './view.ts'

export type HeartbeatAnswer = z.output<typeof HeartbeatSaved>
export type HeartbeatTokenAnswer = z.output<typeof HeartbeatIssued>

/** Throws `validation_failed` or `name_taken`. */
export async function addHeartbeat(
  heartbeats: Heartbeats,
  { name }: { readonly name: string },
  caller: Caller,
): Promise<HeartbeatTokenAnswer | PlannedAnswer> {
  const errors = heartbeatFaults({ name })
  if (errors.length > 0) throw invalid(errors)
  const committed = await heartbeats.commit(caller, async (tx, at) => {
    const row = await tx.of(heartbeatRecords).insertHeartbeat({ name, created_at: at })
    const token = await issueToken(tokensOf(tx, heartbeatTokens, row.id), at)
    return saved({ row, token }, 'add_heartbeat', row)
  })
  if (committed.planned) return planned(committed.plan)
  const { row, token } = committed.result
  heartbeats.contacts.added(row)
  heartbeats.watch.changed()
  return issued(heartbeats, row, { message: `The heartbeat ${name} was added.`, token })
}

/** Nobody misses it any more; its tokens end at once. Throws `not_found`. */
export async function removeHeartbeat(
  heartbeats: Heartbeats,
  name: string,
  caller: Caller,
): Promise<Pick<HeartbeatAnswer, 'success' | 'message'> | PlannedAnswer> {
  const committed = await heartbeats.commit(caller, async (tx) => {
    const row = await findHeartbeat(tx, name)
    await tx.of(heartbeatRecords).deleteHeartbeat(row.id)
    return { ...saved(row, 'remove_heartbeat', row), closes: true, goes_on: 'waiting' }
  })
  if (committed.planned) return planned(committed.plan)
  heartbeats.contacts.forget(committed.result.id)
  heartbeats.watch.changed()
  return { success: true, message: `The heartbeat ${name} was removed; its tokens have ended.` }
}

/** Issues the successor of the token; the old one goes on for 24 hours. Throws `not_found`. */
export async function rotateHeartbeatToken(
  heartbeats: Heartbeats,
  name: string,
  caller: Caller,
): Promise<HeartbeatTokenAnswer | PlannedAnswer> {
  const committed = await heartbeats.commit(caller, async (tx, at) => {
    const row = await findHeartbeat(tx, name)
    const rotated = await rotateTokens(tokensOf(tx, heartbeatTokens, row.id), at)
    return { ...saved({ row, ...rotated }, 'rotate_heartbeat_token', row), closes: true }
  })
  if (committed.planned) return planned(committed.plan)
  const { row, token, rest } = committed.result
  return issued(heartbeats, row, { message: `A new token for ${name} was issued${rest}.`, token })
}

/** Ends all tokens of the heartbeat at once. Throws `not_found`. */
export async function revokeHeartbeatTokens(
  heartbeats: Heartbeats,
  name: string,
  caller: Caller,
): Promise<HeartbeatAnswer | PlannedAnswer> {
  const committed = await heartbeats.commit(caller, async (tx, at) => {
    const row = await findHeartbeat(tx, name)
    const ended = await revokeTokens(tokensOf(tx, heartbeatTokens, row.id), at)
    const change = saved({ row, ended }, 'revoke_heartbeat_tokens', row)
    return { ...change, closes: true, goes_on: 'waiting' }
  })
  if (committed.planned) return planned(committed.plan)
  const { row, ended } = committed.result
  return shown(heartbeats, row, `${ended} of the tokens of ${name} were ended.`)
}

const saved = <R>(result: R, action: string, { id, name }: Heartbeat) => ({
  result,
  audit: [{ ...OF_NO_RECORD, action, detail: { heartbeat_id: id, name } }],
  ...ONLY_SAVES,
  does: { action, name },
  warnings: [],
})

const shown = ({ contacts }: Heartbeats, row: Heartbeat, message: string): HeartbeatAnswer => ({
  success: true,
  message,
  heartbeat: heartbeatView(contacts.known(row)),
})

function issued(
  heartbeats: Heartbeats,
  row: Heartbeat,
  { message, token }: { readonly message: string; readonly token: Secret },
): HeartbeatTokenAnswer {
  const endpoint = `${heartbeats.baseUrl()}/api/heartbeats/${row.name}`
  const text = token.reveal()
  return {
    ...shown(heartbeats, row, message),
    token: text,
    endpoint,
    settings: `PLUMBLINE_EXTERNAL_HEARTBEAT_URL=${endpoint}\nPLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN=${text}\n`,
    // By -f alone nobody would read why it was refused.
    curl: `curl --fail-with-body -sS -X POST -H 'Authorization: Bearer ${text}' ${endpoint}`,
  }
}
