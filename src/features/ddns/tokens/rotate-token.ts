/** Issues the successor of a site token; the old one goes on for 24 hours, so that the router can be changed in peace. */
import type { CoreParts } from '../../../core/parts.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { ddnsRecords, type DdnsToken } from '../records.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { addToken, hostRecord, hostWarnings, tokenAnswer, tokenAudit } from './add-token.ts'
import type { Ddns } from '../ddns.ts'
import { findToken } from './find-token.ts'
import { plannedSuccession } from './planned-key.ts'
import { GRACE_MS } from '../../../kernel/quarterly.ts'
import type { TokenAnswer } from '../views.ts'

/** Throws `not_found`, `record_disabled`, or `conflict` for a token that has an end already. */
export async function rotateToken(
  deps: CoreParts,
  ddns: Ddns,
  id: string,
  caller: Caller,
): Promise<TokenAnswer | PlannedAnswer> {
  const committed = await commit(deps, caller, async (tx, at) => {
    const old = endless(await findToken(tx, id))
    const { host, label } = old
    const record = await hostRecord(ddns, tx, host)
    const made = await addToken(tx, { host, label, at })
    const ends_at = at + GRACE_MS
    await tx.of(ddnsRecords).limitDdnsToken(id, ends_at)
    const message = `A new site key for ${host} was issued; the old one ends at ${isoTime(ends_at)}.`
    const facts = { token_id: made.token.id, before: id, host, label, actor: caller.actor.name }
    await tx.addEvent({ at, kind: 'token', message, facts })
    const audited = tokenAudit('rotate_token', made.token, record)
    const audit = [{ ...audited, detail: { ...audited.detail, before: id } }]
    const result = { made, ends_at, message }
    return {
      result,
      audit,
      ...ONLY_SAVES,
      actions: plannedSuccession(old),
      warnings: hostWarnings(record),
      closes: true,
    }
  })
  if (committed.planned) return planned(committed.plan)
  const { made, ends_at, message } = committed.result
  ddns.tokens.limit(id, ends_at)
  ddns.tokens.add(made.token)
  deps.events.added()
  return tokenAnswer(ddns, made, { message, warnings: committed.warnings })
}

function endless(token: DdnsToken): DdnsToken {
  if (token.expires_at === null) return token
  throw new Failure(
    'conflict',
    `This site token has an end already, ${isoTime(token.expires_at)}. Rotate its successor, or issue a new one.`,
  )
}
