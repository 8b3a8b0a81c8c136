/** Issues a site token: a credential that can report addresses for one host name and do nothing else. */
import type { CoreParts } from '../../../core/parts.ts'
import { fieldError, invalid } from '../../../kernel/failure.ts'
import { parseDomainName } from '../../../model/domain/hostname.ts'
import { textFault } from '../../../model/text/text.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import { ONLY_SAVES } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { addToken, hostRecord, hostWarnings, tokenAnswer, tokenAudit } from './add-token.ts'
import type { Ddns } from '../ddns.ts'
import { plannedIssue } from './planned-key.ts'
import type { TokenAnswer } from '../views.ts'

export const MAX_LABEL = 100

export interface TokenRequest {
  /** A domain record's name or the hub host, in any spelling. */
  readonly host: string
  /** What it is for: `router in the attic`. */
  readonly label: string
}

/** Throws `validation_failed`, `not_found` or `record_disabled`. */
export async function issueToken(
  deps: CoreParts,
  ddns: Ddns,
  request: TokenRequest,
  caller: Caller,
): Promise<TokenAnswer | PlannedAnswer> {
  const { host, label } = checked(request)
  const message = `A site key for ${host} was issued.`
  const beside = besideOthers(ddns, { host, label })
  const committed = await commit(deps, caller, async (tx, at) => {
    const record = await hostRecord(ddns, tx, host)
    const made = await addToken(tx, { host, label, at })
    const facts = { token_id: made.token.id, host, label, actor: caller.actor.name }
    await tx.addEvent({ at, kind: 'token', message, facts })
    const audit = [tokenAudit('issue_token', made.token, record)]
    return {
      result: made,
      audit,
      ...ONLY_SAVES,
      actions: plannedIssue({ host, label }),
      warnings: [...beside, ...hostWarnings(record)],
    }
  })
  if (committed.planned) return planned(committed.plan)
  ddns.tokens.add(committed.result.token)
  deps.events.added()
  return tokenAnswer(ddns, committed.result, { message, warnings: committed.warnings })
}

/** One of the same label is most likely one for the same router. */
function besideOthers({ tokens }: Pick<Ddns, 'tokens'>, { host, label }: TokenRequest): readonly string[] {
  const others = tokens
    .list()
    .filter((token) => token.host === host && token.label === label && token.expires_at === null)
  if (others.length === 0) return []
  const which = label === '' ? 'without a label' : `with the label "${label}"`
  return [
    `${host} has ${others.length === 1 ? 'a key' : `${others.length} keys`} ${which} already, which ${others.length === 1 ? 'goes' : 'go'} on: "plumbline token rotate" replaces a key, "plumbline token revoke" ends one.`,
  ]
}

function checked({ host, label }: TokenRequest): TokenRequest {
  const name = parseDomainName(host)
  const fault = textFault(label, MAX_LABEL)
  const errors = [
    ...(name.ok ? [] : [fieldError(['body', 'host'], name.msg, name.type)]),
    ...(fault === null ? [] : [fieldError(['body', 'label'], fault, 'text')]),
  ]
  if (!name.ok || errors.length > 0) throw invalid(errors)
  return { host: name.value, label }
}
