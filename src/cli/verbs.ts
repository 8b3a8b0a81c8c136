/** The one list of verbs, in the order of the help text. */
import type { Verb } from './verb.ts'
import { access } from './verbs/access.ts'
import { apply } from './verbs/apply.ts'
import { audit } from './verbs/audit.ts'
import { certificates } from './verbs/certificates.ts'
import { config } from './verbs/config.ts'
import { deploy } from './verbs/deploy.ts'
import { discover } from '../features/discovery/command.ts'
import { dns } from './verbs/dns.ts'
import { doctor } from './verbs/doctor.ts'
import { drift } from './verbs/drift.ts'
import { edges } from '../features/edges/command.ts'
import { explain } from './verbs/explain.ts'
import { exportEstate } from './verbs/export.ts'
import { health } from './verbs/health.ts'
import { importEstate } from './verbs/import.ts'
import { notifications } from './verbs/notifications.ts'
import { installUnit } from './verbs/install-unit.ts'
import { keys } from './verbs/keys.ts'
import { plan } from './verbs/plan.ts'
import { releases } from './verbs/releases.ts'
import { render } from './verbs/render.ts'
import { quickstart, serve } from './verbs/serve.ts'
import { sshClients } from '../features/ssh-clients/command.ts'
import { status } from './verbs/status.ts'
import { token } from './verbs/token.ts'
import { users } from './verbs/users.ts'

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
