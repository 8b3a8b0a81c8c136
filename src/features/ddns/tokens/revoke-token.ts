/** Ends a site token at once, and for good, with what it reported and what is not taken yet. A repeat finds it ended. */
import type { CoreParts } from '../../../core/parts.ts'
import { dropPendingOf } from '../addresses/pending.ts'
import { ddnsRecords, type DdnsToken, type PendingAddress } from '../records.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { tokenAudit } from './add-token.ts'
import { actorOf } from './authenticate.ts'
import type { Ddns } from '../ddns.ts'
import { findToken } from './find-token.ts'
import { plannedEnd } from './planned-key.ts'
import { endedDigest, hasEnded } from '../../../kernel/issued-secret.ts'
import { tokenView } from './token-view.ts'
import type { RevokedAnswer } from '../views.ts'

/** Throws `not_found`. */
export async function revokeToken(
  deps: CoreParts,
  ddns: Ddns,
  id: string,
  caller: Caller,
): Promise<RevokedAnswer | PlannedAnswer> {
  const committed = await commit(deps, caller, async (tx, at) => {
    const token = await findToken(tx, id)
    const expires_at = hasEnded(token, at) ? token.expires_at! : at
    const result = { ...token, expires_at, digest: endedDigest(token.digest) }
    await tx.of(ddnsRecords).endDdnsToken(id, expires_at)
    const dropped = await dropPendingOf(tx, actorOf({ kind: 'token', token }))
    const none = { result, audit: [], ...ONLY_SAVES, warnings: dropped.map(droppedWords) }
    if (hasEnded(token, at)) return { ...none, goes_on: 'waiting' }
    const message = endOf(token)
    const facts = { token_id: id, host: token.host, label: token.label, actor: caller.actor.name }
    await tx.addEvent({ at, kind: 'token', message, facts })
    const audited = tokenAudit('revoke_token', token, await tx.domainByName(token.host))
    const lost = dropped.map(({ address }) => address)
    const detail = { ...audited.detail, ...(lost.length > 0 && { dropped: lost }) }
    const audit = [{ ...audited, detail }]
    return { ...none, audit, actions: plannedEnd(token), closes: true, goes_on: 'waiting' }
  })
  if (committed.planned) return planned(committed.plan)
  const { result } = committed
  ddns.tokens.end(id, result.expires_at)
  ddns.addresses.changedOutside()
  deps.events.added()
  return {
    success: true,
    message: endOf(result),
    warnings: committed.warnings,
    token: tokenView(result, ddns.clock.now()),
  }
}

const droppedWords = ({ host, address }: PendingAddress): string =>
  `${host}: ${address}, which this key reported and which waits, is dropped; what was reported before stays. What another key reported meanwhile has to be reported again.`

const endOf = ({ host }: DdnsToken): string => `The site key for ${host} has ended.`
