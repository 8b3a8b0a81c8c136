/** Settings of the routes target: the file, the proxy that reads it, and what that proxy offers. */
import { path, yamlPath } from '../../config/kinds/basic.ts'
import { httpUrl, httpUrlWithout } from '../../config/kinds/network.ts'
import { entrypoints, resolverName, showEntrypoints, showVersion, traefikVersion } from './setting-kinds.ts'
import { optional, setting } from '../../config/setting.ts'

export const routes = {
  file: setting({
    name: 'PLUMBLINE_ROUTES_FILE',
    example: '/etc/traefik/dynamic/routes.yml',
    schema: yamlPath,
    default: 'traefik/routes.yml',
    default_in: 'PLUMBLINE_DATA_DIR',
    help: 'The routes file. It belongs in a directory of its own, which the proxy watches.',
  }),
  traefik_api: optional({
    name: 'PLUMBLINE_TRAEFIK_API',
    example: 'http://traefik:8080',
    schema: httpUrlWithout('; set PLUMBLINE_TRAEFIK_API_USER and PLUMBLINE_TRAEFIK_API_PASSWORD'),
    help: 'Address of the proxy’s API, such as http://traefik:8080, to see what it has loaded.',
  }),
  traefik_metrics: optional({
    name: 'PLUMBLINE_TRAEFIK_METRICS',
    example: 'http://traefik:8080/metrics',
    schema: httpUrl,
    help: 'Address of the proxy’s metrics for Prometheus, such as http://traefik:8080/metrics, to count the requests of each domain.',
  }),
  static_file: optional({
    name: 'PLUMBLINE_TRAEFIK_STATIC',
    example: '/etc/traefik/traefik.yml',
    schema: path,
    help: 'The proxy’s static configuration (YAML or TOML), which says what its entrypoints do where its API is not set. Only read, at the start.',
  }),
  traefik_version: setting({
    name: 'PLUMBLINE_TRAEFIK_VERSION',
    example: '3.6.0',
    schema: traefikVersion,
    default: '3.0.0',
    show: showVersion,
    help: 'Version of the proxy. The routes file uses no key that is newer.',
  }),
  cert_resolver: optional({
    name: 'PLUMBLINE_CERT_RESOLVER',
    example: 'letsencrypt',
    schema: resolverName,
    help: 'The proxy’s certificate resolver for public names. Unset: its default certificate.',
  }),
  entrypoints: setting({
    name: 'PLUMBLINE_ENTRYPOINTS',
    example: 'http=80,https=443,ssh=2222',
    schema: entrypoints,
    default: 'web=80,websecure=443',
    show: showEntrypoints,
    help: 'The proxy’s entrypoints as name=port or name=port/http, /https or /tcp, comma-separated, each with the port that callers use.',
  }),
  sso_url: setting({
    name: 'PLUMBLINE_SSO_URL',
    example: 'http://127.0.0.1:9091',
    schema: httpUrl,
    default: 'http://authelia:9091',
    help: 'Base address of the SSO provider as the proxy reaches it. Where it is set, status is red while the provider does not answer.',
  }),
  backend_ca_dir: optional({
    name: 'PLUMBLINE_BACKEND_CA_DIR',
    example: '/etc/plumbline/authorities',
    schema: path,
    help: 'A folder of certificates (NAME.pem) of authorities of your own. A record names one as backend_tls.ca_name. Only read.',
  }),
  middlewares_file: optional({
    name: 'PLUMBLINE_MIDDLEWARES_FILE',
    example: '/etc/plumbline/middlewares.yml',
    schema: path,
    help: 'A YAML file with middlewares of your own for the catalogue. Only read.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly routes: typeof routes
  }
}
