/** The one list of what the health page looks at beside what is kept true, in the order in which it is shown. */
import type { CheckStorage } from '../../ports/storage-check.ts'
import type { Deps } from '../../operations/deps.ts'
import type { HealthCheck } from '../../core/check.ts'
import { acmeCheck, certificatesCheck } from '../certificates/checks.ts'
import { servedCheck } from '../certificates/wire/check.ts'
import { credentialsCheck } from '../keys/credentials/check.ts'
import { databaseCheck, journalCheck } from './database-check.ts'
import { ddnsCheck } from '../ddns/checks.ts'
import { accountChecks, integrityCheck, resolversCheck } from '../dns/checks.ts'
import { mailCheck } from '../mail/checks.ts'
import { usersCheck } from '../people/checks.ts'
import { worldCheck } from './world-check.ts'
import { proxyCheck } from '../routes/checks.ts'
import { attachmentChecks } from '../sso/checks.ts'

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
