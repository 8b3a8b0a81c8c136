/**
 * The one list of features: a line of import and a line of the list each. Its order is that of the help text and of the
 * documentation of the settings, where no manifest says otherwise.
 */
import { DOMAINS } from './features/domains/index.ts'
import { HEALTH } from './features/health/index.ts'
import { EXPLAIN } from './features/explain/index.ts'
import { LAMPS } from './features/lamps/index.ts'
import { DASHBOARD } from './features/dashboard/index.ts'
import { DEPLOY } from './features/deploy/index.ts'
import { SYSTEM } from './features/system/index.ts'
import { RELEASES } from './features/releases/index.ts'
import { IMPORT } from './features/import/index.ts'
import { ROUTES } from './features/routes/index.ts'
import { HISTORY } from './features/history/index.ts'
import { DNS } from './features/dns/index.ts'
import { CERTIFICATES } from './features/certificates/index.ts'
import { DDNS } from './features/ddns/index.ts'
import { SSO } from './features/sso/index.ts'
import { PEOPLE } from './features/people/index.ts'
import { MAIL } from './features/mail/index.ts'
import { SSH_CLIENTS } from './features/ssh-clients/index.ts'
import { EDGES } from './features/edges/index.ts'
import { EXTERNAL_CHECK } from './features/external-check/index.ts'
import { HEARTBEATS } from './features/heartbeats/index.ts'
import { KEYS } from './features/keys/index.ts'
import { DISCOVERY } from './features/discovery/index.ts'
import { NOTIFICATIONS } from './features/notifications/index.ts'
import { INVENTORY } from './features/inventory/index.ts'
import { NETWORK } from './features/network/index.ts'
import { ALERTING } from './features/alerting/index.ts'
import { VPN } from './features/vpn/index.ts'
import { SSH_TARGETS } from './features/ssh-targets/index.ts'
import { CONSOLE } from './features/console/index.ts'

export const FEATURES = [
  DOMAINS,
  HEALTH,
  EXPLAIN,
  LAMPS,
  DASHBOARD,
  DEPLOY,
  SYSTEM,
  RELEASES,
  IMPORT,
  ROUTES,
  HISTORY,
  DNS,
  CERTIFICATES,
  DDNS,
  SSO,
  PEOPLE,
  MAIL,
  SSH_CLIENTS,
  EDGES,
  EXTERNAL_CHECK,
  HEARTBEATS,
  KEYS,
  DISCOVERY,
  NOTIFICATIONS,
  INVENTORY,
  NETWORK,
  SSH_TARGETS,
  ALERTING,
  VPN,
  CONSOLE,
] as const
