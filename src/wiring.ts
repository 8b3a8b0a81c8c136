/**
 * From settings to what the features take: the routes target's settings, what records may refer to, what an import must know;
 * which folders must be there; and what must be known of what they bring.
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { yamlDocuments } from './io/yaml/documents.ts'
import { siblingOf } from './io/files/workplace.ts'
import { templatePath } from './features/alerting/rendering.ts'
import { dnsAccounts } from './features/dns/accounts/dns-accounts.ts'
import { readAccounts } from './features/dns/accounts/accounts-wiring.ts'
import { foldersOf } from './features/dns/providers/settings.ts'
import { entrypointFor } from './features/routes/setting-kinds.ts'
import type { NamedFolder } from './config/folders.ts'
import type { FilePlace } from './config/kinds/sftp.ts'
import type { Settings } from './config/sections.ts'
import type { Feature } from './feature/feature.ts'
import type { Source } from './engine/components.ts'
import type { Protection } from './engine/pass/release-guards.ts'
import { Failure, fieldError } from './kernel/failure.ts'
import { isComponent } from './model/component.ts'
import { isOwnHost } from './model/network/address.ts'
import type { Offer } from './model/domain/rules.ts'
import type { ImportContext } from './ports/import-context.ts'
import { backendAuthorities, readAuthorityAt } from './features/domains/backend/backend-authorities-wiring.ts'
import type { Responsibility } from './features/certificates/target/desire.ts'
import { forwardAuthUrl } from './features/sso/probe/forward-auth-probe.ts'
import { sitePolicies } from './features/sso/sso-rules-wiring.ts'
import { siteHeaders } from './features/routes/middlewares/response-headers.ts'
import { catalogue, middlewareOffer } from './features/routes/middlewares/catalogue.ts'
import { parseOwnMiddlewares } from './features/routes/middlewares/own-middlewares.ts'
import type { NamedSecret } from './features/routes/middlewares/secrets-in.ts'
import { STAR_SINCE } from './features/routes/render/rules.ts'
import { atLeast, type OwnMiddleware, type RoutesSettings } from './features/routes/render/settings.ts'

export function routesSettings(settings: Settings): RoutesSettings {
  const { routes } = settings
  return {
    traefik_version: routes.traefik_version,
    // Two who serve one name would each wait for the other's certificate to end.
    cert_resolver: managesAllCertificates(settings) ? null : routes.cert_resolver,
    http_entrypoint: entrypointFor(routes.entrypoints, 'http').name,
    https_entrypoint: entrypointFor(routes.entrypoints, 'https').name,
    sso_forward_auth_url: forwardAuthUrl(routes.sso_url),
    https_port: entrypointFor(routes.entrypoints, 'https').port,
    open_paths: openPaths(settings),
    backend_authorities: backendAuthorities(routes.backend_ca_dir),
    own_middlewares: ownMiddlewares(routes.middlewares_file, settings),
  }
}

const openPaths = ({ sso }: Settings): RoutesSettings['open_paths'] =>
  new Map(
    [...sitePolicies(sso.policies_file)].flatMap(([domain, { bypass }]) =>
      bypass.length === 0 ? [] : [[domain, bypass]],
    ),
  )

/** Whether public names, too, get their certificates from us. */
const managesAllCertificates = ({ certificates }: Settings): boolean =>
  certificates.mode === 'manager' && certificates.acme_directory !== null

export const responsibilityOf = (settings: Settings): Responsibility =>
  managesAllCertificates(settings) ? 'all' : 'internal'

function ownMiddlewares(path: string | null, { http }: Settings): ReadonlyMap<string, OwnMiddleware> {
  if (path === null) return new Map()
  const read = yamlDocuments.read(readText(path))
  if (!read.ok) throw badMiddlewares(path, [`line ${read.line ?? '?'} ${read.msg}`])
  const { entries, errors } = parseOwnMiddlewares(read.data, secretsOf(http))
  if (errors.length > 0)
    throw badMiddlewares(
      path,
      errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}`),
    )
  return entries
}

const secretsOf = ({ proxy_secret, api_key }: Settings['http']): readonly NamedSecret[] => [
  ...(proxy_secret === null ? [] : [{ name: 'PLUMBLINE_PROXY_SECRET', secret: proxy_secret }]),
  ...(api_key === null ? [] : [{ name: 'API_KEY', secret: api_key }]),
]

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw badMiddlewares(path, [`cannot be read (${(cause as Error).message})`])
  }
}

const badMiddlewares = (path: string, faults: readonly string[]): Failure =>
  new Failure(
    'bad_configuration',
    faults.map((fault) => `PLUMBLINE_MIDDLEWARES_FILE: ${path}: ${fault}.`).join('\n'),
    {
      errors: faults.map((fault) =>
        fieldError(['PLUMBLINE_MIDDLEWARES_FILE'], `${path}: ${fault}`, 'config'),
      ),
    },
  )

/** The folders that settings name. Those of files are not made: a misspelt path would become a folder that nobody reads. */
export const namedFolders = (settings: Settings): readonly NamedFolder[] => [
  ...filledFolders(settings),
  ...foldersOf(settings.dns.providers, settings.dns),
  ...parentOf('PLUMBLINE_ACME_STORE', settings.certificates.acme_store),
]

/** Where files are put that others read, and that must be there. */
function filledFolders({ routes, certificates, sso, people, ssh }: Settings): readonly NamedFolder[] {
  return [
    ...parentOf('PLUMBLINE_ROUTES_FILE', routes.file),
    { name: 'PLUMBLINE_CERTIFICATES_DIR', folder: certificates.dir },
    ...parentOf('PLUMBLINE_CERTIFICATES_FILE', certificates.file),
    ...parentOf('PLUMBLINE_SSO_RULES_FILE', sso.rules_file),
    ...parentOf('PLUMBLINE_SSO_USERS_FILE', people.users_file),
    ...parentOf('PLUMBLINE_AUTHORIZED_KEYS', localPath(ssh.authorized_keys)),
  ]
}

const parentOf = (name: string, path: string | null): NamedFolder[] =>
  path === null ? [] : [{ name, folder: dirname(path) }]

/** Null for one on another machine. */
const localPath = (place: FilePlace | null): string | null => (place?.kind === 'file' ? place.path : null)

/** Every folder in which the daemon writes beside its data directory. */
export function writtenFolders(settings: Settings): readonly string[] {
  const { routes, alerting, ssh_targets } = settings
  const folders = [
    ...filledFolders(settings).map(({ folder }) => folder),
    // Where a routes file that was overwritten is kept.
    siblingOf(dirname(routes.file)) ?? [],
    ...zoneFolders(settings),
    ...writtenFiles(alerting, ssh_targets).map((path) => dirname(path)),
  ]
  return [...new Set(folders.flat().map((folder) => resolve(folder)))]
}

/** The accounts file may be for the daemon's user alone, or come later: then the settings themselves say what they say. */
function zoneFolders(settings: Settings): readonly string[] {
  const { dns } = settings
  try {
    return dnsAccounts(settings, readAccounts(dns.accounts_file)).flatMap(({ folder }) => folder ?? [])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return foldersOf(dns.providers, dns).map(({ folder }) => folder)
  }
}

const writtenFiles = (
  alerting: Settings['alerting'],
  { config, known_hosts }: Settings['ssh_targets'],
): readonly string[] =>
  [
    alerting.rules_file,
    alerting.watchdog_file,
    alerting.router_file,
    alerting.router_file && templatePath(alerting, alerting.router_file),
    localPath(config),
    localPath(known_hosts),
  ].filter((path) => path !== null)

/**
 * Names whose end would be felt far beyond themselves: the control plane's own, the sign-in page's, those that stand for
 * many, and the top of a zone.
 */
export function protectionOf(settings: Settings, { isApex, isPortal }: NamesKnown): Protection {
  const served = new Set(servedHosts(settings))
  return (name) => {
    if (served.has(name)) return 'serves this control plane'
    if (isPortal(name)) return 'is the sign-in page'
    if (name.startsWith('*.')) return 'stands for many names'
    return isApex(name) ? 'is the top of its zone' : null
  }
}

interface NamesKnown {
  /** Whether a zone is called so. */
  readonly isApex: (name: string) => boolean
  /** Whether people sign in there. */
  readonly isPortal: (name: string) => boolean
}

/** Under which names the API is called. A router asks under the public address, so that one is among them. */
export const servedHosts = ({ http, ddns }: Settings): readonly string[] =>
  ddns.public_url === null ? http.allowed_hosts : [...http.allowed_hosts, new URL(ddns.public_url).hostname]

/** TCP routes stand on entrypoints of their own or, by TLS name, beside the HTTP routes on that of HTTPS. */
export const offerOf = ({ routes }: Settings, target: RoutesSettings): Offer => ({
  tcp_entrypoints: routes.entrypoints
    .filter(({ name, role }) => role === 'tcp' || name === target.https_entrypoint)
    .map(({ name }) => name),
  tls_entrypoint: target.https_entrypoint,
  star_goes_first: atLeast(target.traefik_version, STAR_SINCE),
  middlewares: middlewareOffer(target),
  open_paths: target.open_paths,
  backend_authorities: new Set(target.backend_authorities.keys()),
  proxy_elsewhere: elsewhere(routes.traefik_api),
})

/** The host of an address that is not this one's loopback. */
function elsewhere(url: string | null): string | null {
  if (url === null) return null
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
  return isOwnHost(host) ? null : host
}

/** What reading somebody's Traefik files is measured against. */
export function importContext(settings: Settings): ImportContext {
  const target = routesSettings(settings)
  return {
    traefik_version: target.traefik_version,
    entrypoints: settings.routes.entrypoints.map(({ role, ...entry }) => ({ ...entry, kind: role })),
    static_setup: null,
    offer: offerOf(settings, target),
    catalogue: catalogue(target),
    headersOf: siteHeaders(target),
    sso_names: [],
    sso_addresses: [target.sso_forward_auth_url],
    access_rules: accessRules(settings),
    cert_resolver: target.cert_resolver,
    sees_proxy: settings.routes.traefik_api !== null,
    readAuthority: readAuthorityAt,
    environment: 'production',
    base_domain: null,
  }
}

function accessRules({
  sso: { rules_file, policies_file, default_policy },
}: Settings): ImportContext['access_rules'] {
  if (rules_file === null) return null
  return { default_policy, named: new Set(sitePolicies(policies_file).keys()) }
}

/**
 * A target that the engine was not built with would never be kept, and nobody would be told; one of a component that is not
 * listed could not be named by modes and commands.
 */
export function assertKnown(targets: readonly Source[], features: readonly Feature[]): void {
  for (const { name } of targets)
    if (!isComponent(name)) throw new Error(`The component ${name} is not in the list of model/component.ts.`)
  for (const feature of features)
    for (const target of feature.targets ?? [])
      if (!targets.includes(target))
        throw new Error(`The target ${target.name} of ${feature.name} came after the engine was built.`)
}
