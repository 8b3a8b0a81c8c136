/** The one list of what `plumbline doctor` looks at. At each moment of an examination it speaks in this order. */
import { apiKey } from './api-key.ts'
import { backends } from './backends.ts'
import { daemon } from './daemon.ts'
import { dataDirectory } from './data-directory.ts'
import { database } from './database.ts'
import { dns } from './dns.ts'
import { health } from './health.ts'
import { mail } from './mail.ts'
import { routes } from './routes.ts'
import { sshGateway } from './ssh-gateway.ts'
import { sso } from './sso.ts'
import type { World } from './world.ts'

export const WORLDS: readonly World[] = [
  dataDirectory,
  apiKey,
  routes,
  backends,
  health,
  dns,
  sso,
  daemon,
  sshGateway,
  mail,
  database,
]
