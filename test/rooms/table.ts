/** The floor plan as data: which room may import which, where each library lives, what no room may do. */

/** A room may import itself, Node, and what stands here: a room, or one file of a room. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  config: [
    'kernel',
    'features/discovery/settings',
    'features/edges/settings.ts',
    'features/ssh-clients/settings.ts',
  ],
  model: ['kernel'],
  ports: ['kernel', 'model'],
  engine: ['kernel', 'model', 'ports'],
  targets: ['kernel', 'model', 'ports', 'engine/target.ts', 'engine/cause.ts'],
  operations: ['kernel', 'model', 'ports', 'engine'],
  http: ['kernel', 'model', 'operations'],
  adapters: ['kernel', 'model', 'ports'],
  companions: ['kernel', 'model', 'ports', 'operations', 'http'],
  ui: [],
  cli: [
    'kernel',
    'model',
    'ports/documents.ts',
    'operations',
    'features/edges/command.ts',
    'features/discovery/command.ts',
    'features/ssh-clients/command.ts',
  ],
  core: ['kernel', 'model', 'ports', 'engine', 'operations', 'http/contract.ts'],
  features: [
    'kernel',
    'core',
    'config',
    'model',
    'ports',
    'engine/target.ts',
    'operations',
    'http',
    'cli',
    'adapters/files/authorized-keys.ts',
    'adapters/greeting',
    'adapters/http-client',
    'adapters/ssh',
    // The form in which an edge is served the routes is the form of the routes file.
    'targets/routes/as-json.ts',
  ],
  // A second composition root, for looking only: of adapters and the command it may have what is named here, and no more.
  doctor: [
    'kernel',
    'config',
    'model',
    'ports',
    'operations',
    'adapters/authelia/check-text.ts',
    'adapters/docker/container.ts',
    'adapters/http-client',
    'adapters/sqlite/invariants.ts',
    'adapters/sqlite/lock.ts',
    'adapters/yaml/users',
    'cli/api.ts',
    'cli/verb.ts',
    'features/ssh-clients/read.ts',
    'wiring.ts',
  ],
  service: ['kernel', 'config', 'cli/verb.ts'],
}

/** Rooms with one door: the files at the top of `src` that may import anything of them. To all others every room is open. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  doctor: ['surroundings.ts'],
  service: ['surroundings.ts', 'daemon.ts'],
}

/** What may stand at the top of `src`, where every arrow is allowed: the wiring of one area each, and these. */
export const AREA_WIRING = /^[a-z]+(?:-[a-z]+)*-wiring\.ts$/
export const COMPOSITION_ROOT: readonly string[] = [
  'main.ts',
  'command.ts',
  'surroundings.ts',
  'daemon.ts',
  'quickstart.ts',
  'features.ts',
  'foundation.ts',
  'house.ts',
  'house-deps.ts',
  'house-life.ts',
  'room.ts',
  'wiring.ts',
  'version.ts',
]

/** Rooms whose folders are neighbours that do not know each other; only the list of the room knows them all. */
export const STRANGERS: Readonly<Record<string, string>> = {
  targets: 'a target never imports another target',
  adapters: 'an adapter never imports another adapter',
  companions: 'a companion never imports another companion',
  features: 'a feature imports of another one only what the table names',
}
/** Folders whose folders are strangers in turn: `adapters/dns/cloudflare` and `adapters/dns/powerdns`. Files beside them are common. */
export const NESTED = ['adapters/dns']
/** The one file of such a folder that may know all of them. */
export const LISTS = ['index.ts']

/** Where a library may be imported: a folder or a file below `src`. What stands nowhere may be imported nowhere. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  zod: ['config', 'http', 'features', 'adapters/dns', 'adapters/resolver', 'adapters/traefik'],
  hono: ['http'],
  '@hono/node-server': ['http'],
  'zod-openapi': ['http'],
  'swagger-ui-dist': ['http'],
  xstate: ['model'],
  diff: ['kernel/text-diff.ts'],
  kysely: ['adapters/sqlite'],
  'better-sqlite3': ['adapters/sqlite'],
  pino: ['adapters/log'],
  '@prometheus-io/client': ['adapters/metrics'],
  yaml: ['adapters/yaml'],
  'smol-toml': ['adapters/toml'],
  'dns-packet': ['adapters/dns-lookup'],
  'acme-client': ['adapters/acme'],
  tldts: ['targets/dns', 'model/new-name.ts'],
  '@node-rs/argon2': ['adapters/argon2'],
  'node-cron': ['adapters/cron'],
  nodemailer: ['adapters/mail'],
  ssh2: ['adapters/ssh'],
  undici: ['adapters/http-client', 'adapters/docker', 'adapters/traefik', 'cli', 'features/discovery/docker'],
}
/** Libraries that make one: a query builder and the driver that it needs. */
export const ONE_LIBRARY: Readonly<Record<string, string>> = { 'better-sqlite3': 'kysely' }

/** Rooms that decide and do not act: the outside world is reached through a port. */
export const WITHOUT_EFFECTS = ['model', 'ports', 'engine', 'targets', 'operations', 'core', 'features']
export const EFFECTS =
  /^node:(?:fs|fs\/promises|child_process|cluster|dgram|dns|dns\/promises|http|https|http2|tls|worker_threads)$/

/** Rooms that look at files and change none. */
export const LOOKING_ONLY = ['doctor']

export const MOST_LINES = 300
/** Source files that may be longer, with the reason. */
export const LONG_FILES: Readonly<Record<string, string>> = {}
