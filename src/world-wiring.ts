/** From settings to what knows how far the world is: a holder beside each file that is kept true. */
import { dirname, join } from 'node:path'
import { type HolderOptions, worldHolder } from './io/files/world-holder.ts'
import type { Settings } from './config/sections.ts'
import { WorldGuard } from './engine/world/guard.ts'
import type { Foundation } from './foundation.ts'
import type { StoreReader } from './ports/store.ts'
import type { HeldContent } from './ports/world-holder.ts'
import { sshClientRecords } from './features/ssh-clients/records.ts'
import { peopleRecords } from './features/people/records.ts'

export function worldGuard({
  settings,
  store,
  log,
}: Pick<Foundation, 'settings' | 'store' | 'log'>): WorldGuard {
  const { installation_id } = store
  return new WorldGuard({
    store,
    content: worldContent(store),
    holders: worldsOf(settings).map((world) => worldHolder({ ...world, installation_id, sign: store.sign })),
    older_database: settings.engine.older_database,
    log,
  })
}

/** The routes file first: it is always there, so its holder also stands for what has no file, such as DNS. */
function worldsOf({ routes, sso, people, certificates, ssh, alerting }: Settings) {
  const worlds: Omit<HolderOptions, 'installation_id' | 'sign'>[] = [
    { world: 'routes', file: routes.file, watched: true },
  ]
  const { rules_file } = sso
  if (rules_file !== null) worlds.push({ world: 'sso', file: rules_file, watched: false })
  if (people.users_file !== null) worlds.push({ world: 'people', file: people.users_file, watched: false })
  if (certificates.acme_directory !== null) {
    const file = certificates.file ?? join(dirname(routes.file), 'certificates.yml')
    worlds.push({ world: 'certificates-file', file, watched: true })
  }
  if (ssh.authorized_keys?.kind === 'file')
    worlds.push({ world: 'ssh-gateway', file: ssh.authorized_keys.path, watched: false })
  // The files themselves bear no number: another text would be a reload.
  const of_alerting = alerting.rules_file ?? alerting.router_file
  if (of_alerting !== null) worlds.push({ world: 'alerting', file: of_alerting, watched: false })
  return worlds
}

/** What stands beside the number in each holder: what the world depends on and does not say itself. */
const worldContent =
  (store: Pick<StoreReader, 'intent' | 'latestRelease' | 'of'>) => async (): Promise<HeldContent> => {
    const people = await store.of(peopleRecords).people()
    return {
      release: (await store.latestRelease())?.number ?? 0,
      rows: (await store.intent('released')).rows,
      present: (await store.intent('working')).rows.map(({ domain_id }) => domain_id),
      ssh_clients: await store.of(sshClientRecords).sshClients(),
      people: people.map(({ username, revoked_at }) => ({ username, revoked: revoked_at !== null })),
    }
  }
