/** What of records that are saved or deployed is allowed and may well not do what is meant, beyond what a record says by itself. */
import { firstOf } from '../kernel/async/first-of.ts'
import { isPrivateAddress, privateAddressRemark } from '../kernel/private-address.ts'
import { isPublished } from '../model/domain/address-sources.ts'
import type { DomainFields } from '../model/domain/record.ts'
import type { IntentRow } from '../model/intent.ts'
import { endedRemarks } from '../features/domains/backend/ended.ts'
import type { Deps } from './deps.ts'
import { providerRemarks } from '../features/sso/provider/remarks.ts'

type Asked = Pick<Deps, 'sso' | 'dns' | 'backend' | 'clock' | 'log'>

/** Never throws: what it remarks on is done by then. @param records without those that are to go */
export async function recordRemarks(
  deps: Asked,
  records: readonly DomainFields[],
): Promise<readonly string[]> {
  try {
    return [
      ...(await providerRemarks(deps, records)),
      ...firstOf(privateAddresses(deps, records)),
      ...firstOf(endedRemarks(deps, records)),
    ]
  } catch (error) {
    deps.log.error('records are not remarked on', { error })
    return []
  }
}

export const liveFields = (rows: readonly (IntentRow | null)[]): readonly DomainFields[] =>
  rows.flatMap((row) => (row?.live === true ? [row.fields] : []))

/**
 * Where the whole internet is told of it. A name server of one's own may serve one's own network, and whoever publishes a private
 * address for all names (which the start remarks on) means that network.
 */
function privateAddresses({ dns }: Pick<Deps, 'dns'>, records: readonly DomainFields[]): readonly string[] {
  if (dns.hosted.size === 0 || dns.addresses.public_ip.some(isPrivateAddress)) return []
  return records
    .filter((fields) => isPublished(fields) && dns.hosted.has(dns.accountFor(fields.domain) ?? ''))
    .flatMap(({ domain, static_ip }) => {
      const remark = privateAddressRemark(static_ip)
      return remark === null ? [] : [`${domain}: static_ip ${remark}.`]
    })
}
