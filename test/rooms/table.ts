/** The floor plan as data: which room may import which, where each library lives, what no room may do. */

/** Where features keep the SQL of their rows: a handle and a query, no driver. */
const ROWS_OF_FEATURES: readonly string[] = [
  'features/certificates/order-records.ts',
  'features/certificates/records.ts',
  'features/console/records.ts',
  'features/ddns/records.ts',
  'features/discovery/proxmox/records.ts',
  'features/dns/records.ts',
  'features/edges/records.ts',
  'features/explain/records.ts',
  'features/heartbeats/records.ts',
  'features/history/records.ts',
  'features/mail/records.ts',
  'features/network/records.ts',
  'features/notifications/records.ts',
  'features/people/records.ts',
  'features/ssh-clients/records.ts',
  'features/ssh-targets/records.ts',
  'features/vpn/records.ts',
  'features/sso/records.ts',
]

/** A room may import itself, Node, and what stands here: a room, or one file of a room. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  model: ['kernel'],
  ports: ['kernel', 'model'],
  engine: ['kernel', 'model', 'ports'],
  core: ['kernel', 'model', 'ports', 'engine'],
  store: ['kernel', 'model', 'ports'],
  io: ['kernel', 'model', 'ports'],
  http: ['kernel', 'model', 'core'],
  // What is asked of the surroundings for `import --traefik`.
  cli: ['kernel', 'model', 'ports/documents.ts', 'ports/import-context.ts', 'core'],
  // Features add their sections to its own.
  config: ['kernel'],
  // What a feature brings names a check, an endpoint, a verb and a setting.
  feature: [
    'model',
    'engine',
    'core',
    'http/contract.ts',
    'http/companion.ts',
    'cli/verb.ts',
    'config/setting.ts',
  ],
  features: [
    'kernel',
    'core',
    'feature',
    'config',
    'model',
    'ports',
    'engine',
    'http',
    'cli',
    // What rows are written with.
    'store/batches.ts',
    'store/stored-json.ts',
    'store/token-rows.ts',
  ],
  // A second composition root, for looking only: of the rest it may have what is named here, and no more.
  doctor: [
    'kernel',
    'config',
    'model',
    'ports',
    'core/check.ts',
    'io/docker/container.ts',
    'io/http-client',
    'store/invariants.ts',
    'store/files/holder-in.ts',
    'cli/api.ts',
    // One way in which a command finds out that a backend does not answer.
    'cli/backends.ts',
    'cli/verb.ts',
    'features/dns/views.ts',
    'features/health/read-health.ts',
    'features/mail/views.ts',
    'features/people/users-file',
    'features/ssh-clients/views.ts',
    'features/sso',
  ],
  service: ['kernel', 'config', 'cli'],
  // The pages of the console know the API and no more.
  ui: [],
}

/** The files of a feature that put it together: they may import anything but another feature that no row names. */
export const BUILDERS = /(?:^|\/)(?:feature|sources|[a-z-]+-wiring)\.ts$/

/** What a feature shows of itself before anything is built: the list of features imports it, and nothing else does. */
export const MANIFEST = /^features\/[a-z-]+\/index\.ts$/
export const LIST_OF_FEATURES = 'features.ts'

/**
 * Files and rooms outside of features that name the folder of one, and why. A row whose file names none any more has to go;
 * a new one is a step back.
 */
export const NAMES_FEATURES: Readonly<Record<string, string>> = {
  [LIST_OF_FEATURES]: 'it is the list',
  'build-features.ts': 'features are given here what they need of each other',
  'companions-wiring.ts': 'companions are given here what they tell of',
  'core-wiring.ts': 'what a person has said may stay is known before the engine looks',
  'deps-wiring.ts': 'what operations get is put together of what features keep',
  doctor: 'a second composition root, for looking only',
  'foundation.ts': 'tests put what meets a provider or an authority between',
  'build-daemon.ts': 'the main key is there before any feature',
  'http-wiring.ts': 'callers present the keys that a feature keeps',
  'quickstart.ts': 'the sample estate is read as an import is',
  'surroundings.ts': 'the command reads files of the proxy without a daemon',
  'wiring.ts': 'what several features are set up with is read of the settings once',
  'world-wiring.ts': 'what the holders beside the files count is read of the rows of features',
}

/** What a feature may import of another one, and why. */
export const OF_OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alerting: {
    mail: 'the alert router sends by the same mail server',
  },
  certificates: {
    dns: 'challenges are answered in a zone; CAA records say who may issue',
  },
  console: {
    keys: 'a sign-in rests on the key that was shown',
  },
  deploy: {
    domains: 'a plan names its records, and which rows of them a deploy moves is decided there',
    routes: 'whether the proxy has loaded and serves what was written',
    sso: 'the sign-in page is guarded before a route opens',
  },
  edges: {
    routes: 'an edge is served the routes in the form of the routes file',
  },
  'external-check': {
    mail: 'loss and recovery are mailed',
  },
  explain: {
    dns: 'a name that no zone takes is part of the drift',
    certificates: 'which certificate is served',
    domains: 'the record, and whether its backend certificate has ended',
    health: 'the conditions of the record',
    routes: 'what the proxy does with it',
    sso: 'who may pass',
  },
  health: {
    certificates: 'which certificate is served is watched here',
    routes: 'what the proxy loads, and the last deploy, are part of the status',
  },
  history: {
    certificates: 'a handshake shows whether the proxy answers',
    domains: 'backends are looked at as a probe looks at them',
    sso: 'so does the proof that a route is closed',
  },
  import: {
    domains: 'what is imported is saved as records',
    routes: 'rules and files of the proxy are read by one reader',
  },
  inventory: {
    discovery: 'what runs where is looked at there',
    dns: 'a record set of ours without a record is an orphan',
    health: 'how the service itself is',
    network: 'a name of ours at a controller, without its guest, is an orphan',
  },
  lamps: {
    certificates: 'what is held and served of a domain is a lamp',
    dns: 'so are its records and what name servers show of them',
    health: 'what is watched is known there',
    history: 'how a backend was seen last is a part of a lamp',
    routes: 'the routes of a domain are a lamp',
    sso: 'so is the sign-in in front of it',
  },
  keys: {
    ddns: 'tokens are credentials, too',
    edges: 'tokens are credentials, too',
    heartbeats: 'tokens are credentials, too',
  },
  vpn: {
    discovery: 'controllers know names of peers, uplinks and networks',
  },
  network: {
    discovery: 'controllers and guests are looked at there',
  },
  notifications: {
    alerting: 'what the alert stack cannot tell of itself goes to whoever waits for alerts',
    health: 'what helps against a part of its page',
    mail: 'a trouble is told by mail',
  },
  dashboard: {
    certificates: 'when they end',
    ddns: 'which public addresses there are',
    dns: 'records are found by a word',
    domains: 'how many records there are, and of which kind',
    edges: 'they are found by a word',
    people: 'so are they',
    health: 'the verdict',
    notifications: 'what needs somebody',
  },
  people: {
    mail: 'invitations are sent',
    sso: 'people are the users of the SSO provider',
  },
  releases: {
    ddns: 'a record that comes back carries its names',
    dns: 'records of a zone that were left are taken up again',
    domains: 'records are restored',
    people: 'people are restored',
    routes: 'the entry points that released records name',
    'ssh-clients': 'clients of the gateway are restored',
  },
  routes: {
    dns: 'the address that DNS serves stands beside a route',
    domains: 'the backend behind a route',
  },
  'ssh-targets': {
    discovery: 'which guests run, and where, is seen there',
  },
  sso: {
    routes: 'a rule guards a route',
  },
  system: {
    deploy: 'the scope of an operation',
    explain: 'an audit entry in words',
    health: 'what is watched is repeated, too',
  },
}

/** Folders of features that reach outside: they may use what `io` offers, and only builders and their neighbours enter them. */
export const VENDORS: readonly string[] = [
  'features/certificates/acme',
  'features/certificates/acme-store',
  'features/certificates/files',
  'features/certificates/tls-probe',
  'features/certificates/x509',
  'features/console/bundler',
  'features/deploy/files',
  'features/discovery/docker',
  'features/discovery/proxmox',
  'features/discovery/unifi',
  'features/dns/lookup',
  'features/dns/providers',
  'features/dns/resolver',
  'features/domains/backend/probe',
  'features/external-check/files',
  'features/external-check/probes',
  'features/keys/files',
  'features/mail/senders',
  'features/notifications/webhook',
  'features/people/argon2',
  'features/people/users-file',
  'features/routes/folder',
  'features/routes/traefik',
  'features/ssh-clients/files',
  'features/ssh-clients/sshd',
  'features/ssh-targets/sshd',
  'features/sso/authelia',
  'features/sso/probe',
  'features/sso/rules-file',
  'features/vpn/gateway',
  'features/vpn/pages',
]
/** What others may know of such a folder: the interface that it fills. */
export const INTERFACES = /(?:^|\/)(?:(?:[a-z-]+-)?port|settings)\.ts$/

/** Rooms with one door: the files at the top of `src` that may import anything of them. To all others every room is open. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  doctor: ['surroundings.ts', 'build-daemon.ts'],
  service: ['surroundings.ts', 'daemon.ts', 'verbs.ts'],
}

/** What may stand at the top of `src`, where every arrow is allowed: the wiring of one area each, and these. */
export const AREA_WIRING = /^[a-z]+(?:-[a-z]+)*-wiring\.ts$/
export const COMPOSITION_ROOT: readonly string[] = [
  'main.ts',
  'command.ts',
  'surroundings.ts',
  'command-api.ts',
  'own-api.ts',
  'daemon.ts',
  'quickstart.ts',
  LIST_OF_FEATURES,
  'build-features.ts',
  'foundation.ts',
  'build-daemon.ts',

  'daemon-lifecycle.ts',
  'verbs.ts',
  'wiring.ts',
]

/** Rooms whose folders are neighbours that do not know each other. */
export const STRANGERS: Readonly<Record<string, string>> = {
  io: 'what reaches one thing outside never imports what reaches another',
  features: 'a feature imports of another one only what the table names',
}
/** Folders whose folders are strangers in turn: `cloudflare` and `powerdns`. Files beside them are common. */
export const NESTED = ['features/dns/providers']
/** The one file of such a folder that may know all of them. */
export const LISTS = ['index.ts']

/** Where a library may be imported: a folder or a file below `src`. What stands nowhere may be imported nowhere. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  zod: ['config', 'http', 'features'],
  hono: ['http'],
  '@hono/node-server': ['http'],
  'zod-openapi': ['http'],
  'swagger-ui-dist': ['http'],
  xstate: ['kernel', 'model', 'features'],
  diff: ['kernel/text/diff.ts'],
  kysely: ['store', ...ROWS_OF_FEATURES],
  'better-sqlite3': ['store'],
  pino: ['io/log'],
  '@prometheus-io/client': ['io/metrics'],
  yaml: ['io/yaml', 'features/people/users-file', 'features/sso/rules-file'],
  'smol-toml': ['io/toml'],
  'dns-packet': ['features/dns/lookup'],
  'acme-client': ['features/certificates/acme'],
  tldts: ['features/dns/target/zones', 'model/domain/new-name.ts'],
  '@node-rs/argon2': ['features/people/argon2'],
  'node-cron': ['io/cron'],
  nodemailer: ['features/mail/senders'],
  ssh2: ['io/ssh', 'features/ssh-clients/sshd', 'features/ssh-targets/sshd', 'features/vpn/gateway'],
  qr: ['features/vpn/qr'],
  preact: ['ui'],
  '@preact/signals': ['ui'],
  '@fontsource-variable/atkinson-hyperlegible-next': ['ui/style'],
  '@fontsource-variable/atkinson-hyperlegible-mono': ['ui/style'],
  esbuild: ['features/console/bundler'],
  undici: ['io/http-client', 'io/docker', 'features/discovery/docker', 'features/sso/probe'],
}
/** Libraries that make one: a query builder and the driver that it needs. */
export const ONE_LIBRARY: Readonly<Record<string, string>> = { 'better-sqlite3': 'kysely' }

/** Rooms that decide and do not act: the outside world is reached through a port. */
export const WITHOUT_EFFECTS = ['model', 'ports', 'engine', 'core', 'feature', 'features']
export const EFFECTS =
  /^node:(?:fs|fs\/promises|child_process|cluster|dgram|dns|dns\/promises|http|https|http2|tls|worker_threads)$/

/** Rooms that look at files and change none. */
export const LOOKING_ONLY = ['doctor']

export const MAX_LINES = 300
/** Source files that may be longer, with the reason. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'ui/api/types.ts': 'generated from schema/openapi.json',
  'ui/api/companions/network.ts': 'generated from the document of the companion',
}
