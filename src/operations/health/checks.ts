/** The one list of what the health page looks at beside what is kept true, in the order in which it is shown. */
import type { CheckStorage } from '../../ports/storage-check.ts'
import type { Deps } from '../deps.ts'
import type { HealthCheck } from './check.ts'
import { acmeCheck, certificatesCheck } from './checks/certificates.ts'
import { servedCheck } from './checks/certificates-served.ts'
import { credentialsCheck } from './checks/credentials.ts'
import { databaseCheck, journalCheck } from './checks/database.ts'
import { ddnsCheck } from './checks/ddns.ts'
import { accountChecks, integrityCheck, resolversCheck } from './checks/dns.ts'
import { mailCheck } from './checks/mail.ts'
import { usersCheck } from './checks/people.ts'
import { worldCheck } from './checks/world.ts'
import { proxyCheck } from './checks/proxy.ts'
import { attachmentChecks } from './checks/sso.ts'

export interface BroughtChecks {
  readonly of_features: readonly HealthCheck[]
  readonly of_rooms: readonly HealthCheck[]
}

/** @param brought what features and rooms bring themselves */
export const healthChecks = (
  deps: Deps,
  checkStorage: CheckStorage,
  { of_features, of_rooms }: BroughtChecks,
): readonly HealthCheck[] => [
  databaseCheck(deps, checkStorage),
  journalCheck(deps),
  worldCheck(deps),
  proxyCheck(deps),
  ...accountChecks(deps),
  integrityCheck(deps),
  resolversCheck(deps),
  certificatesCheck(deps),
  servedCheck(deps),
  acmeCheck(deps),
  ...attachmentChecks(deps),
  usersCheck(deps),
  mailCheck(deps),
  ddnsCheck(deps),
  credentialsCheck(deps),
  ...of_features,
  ...of_rooms,
]
