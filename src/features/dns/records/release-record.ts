/**
 * Giving up a set of ours, by name and type. Without an account it is the one that is kept. One that the ledger has at another
 * account is meant only where that account is named: the same call twice never gives up two sets.
 */
import { Failure } from '../../../kernel/failure.ts'
import type { OwnedRrset } from '../../../model/network/dns.ts'
import type { PlannedAnswer } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import { releaseCommand } from '../target/leaving/elsewhere.ts'
import type { RecordAnswer } from '../views.ts'
import { isKept } from './external-ip.ts'
import { itemOf, lookFor, type RecordName, settle } from './settle-record.ts'

export interface ReleaseWish extends RecordName {
  /** Left out: the account that is kept. */
  readonly account?: string | undefined
}

/** Throws `not_found`, and `conflict` for what is not ours. */
export async function releaseRecord(
  deps: Deps,
  wish: ReleaseWish,
  caller: Caller,
): Promise<RecordAnswer | PlannedAnswer> {
  const { zone, records } = await lookFor(deps, wish, caller)
  const owned = (await deps.store.of(dnsRecords).ownedRrsets()).filter(
    (row) => row.zone === zone && row.name === wish.name && row.type === wish.type,
  )
  const meant = owned.filter((row) =>
    wish.account === undefined ? isKept(row, deps.dns) : row.account === wish.account,
  )
  const [first] = meant
  if (first === undefined) throw notReleasable(wish, owned)
  const decision = { wish, zone, verb: 'release' } as const
  if (!isKept(first, deps.dns))
    return settle(deps, caller, {
      ...decision,
      rows: meant,
      is_forgotten: true,
      message: `${itemOf(wish)} of the account ${first.account} is given up: what stands there is no longer ours.`,
      warnings: [],
    })
  const is_wanted = records.some(({ desired }) => desired !== null)
  return settle(deps, caller, {
    ...decision,
    rows: meant.map((row) => ({ ...row, state: 'releasing' })),
    message: `${itemOf(wish)} is given up: it stays as it is and is no longer ours.`,
    warnings: is_wanted ? [`${wish.name} is deployed, so it is shown as somebody else's from now on.`] : [],
  })
}

function notReleasable({ account, ...wish }: ReleaseWish, [other]: readonly OwnedRrset[]): Failure {
  if (account !== undefined)
    return new Failure(
      'conflict',
      `${itemOf(wish)} is not ours at the account ${account}, so there is nothing to give up.`,
    )
  const where =
    other === undefined
      ? ', so there is nothing to give up.'
      : ` at the account that is kept. Of the account ${other.account} it is given up by: ${releaseCommand(other)}`
  return new Failure('conflict', `${itemOf(wish)} is not ours${where}`)
}
