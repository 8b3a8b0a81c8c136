/** The one list of verbs, in the order of the help text. */
import type { Verb } from './cli/verb.ts'
import { access } from './features/sso/command.ts'
import { apply } from './features/deploy/plans/apply-command.ts'
import { audit } from './features/system/audit-command.ts'
import { certificates } from './features/certificates/command.ts'
import { config } from './cli/config-verb.ts'
import { deploy } from './features/deploy/command.ts'
import { discover } from './features/discovery/command.ts'
import { dns } from './features/dns/command.ts'
import { doctor } from './cli/doctor-verb.ts'
import { drift } from './features/explain/drift-command.ts'
import { edges } from './features/edges/command.ts'
import { explain } from './features/explain/command.ts'
import { exportEstate } from './features/import/export-command.ts'
import { health } from './features/health/command.ts'
import { importEstate } from './features/import/import-command.ts'
import { notifications } from './features/notifications/command.ts'
import { installUnit } from './service/command.ts'
import { keys } from './features/keys/command.ts'
import { plan } from './features/deploy/plans/command.ts'
import { releases } from './features/releases/command.ts'
import { render } from './features/domains/render-command.ts'
import { quickstart, serve } from './cli/serve-verb.ts'
import { sshClients } from './features/ssh-clients/command.ts'
import { status } from './features/health/status-command.ts'
import { token } from './features/ddns/command.ts'
import { users } from './features/people/command.ts'

export const VERBS: readonly Verb[] = [
  serve,
  quickstart,
  render,
  status,
  health,
  drift,
  explain,
  plan,
  apply,
  deploy,
  releases,
  audit,
  importEstate,
  exportEstate,
  dns,
  certificates,
  token,
  keys,
  users,
  access,
  sshClients,
  edges,
  discover,
  notifications,
  doctor,
  config,
  installUnit,
]
