/** The installation that the import tests are for: usual entrypoints, a few TCP ones, the catalogue that we really have. */
import type { ImportContext } from '../../../../src/ports/import-context.ts'
import { catalogue, middlewareOffer } from '../../../../src/features/routes/middlewares/catalogue.ts'
import { siteHeaders } from '../../../../src/features/routes/middlewares/response-headers.ts'
import { someSettings } from '../../routes/target/settings.ts'

export const SETTINGS = someSettings({ traefik_version: [3, 7, 0] })

export const CONTEXT: ImportContext = {
  traefik_version: [3, 7, 0],
  entrypoints: [
    { name: 'web', port: 80, kind: 'http' },
    { name: 'websecure', port: 443, kind: 'https' },
    { name: 'mqtt', port: 1883, kind: 'tcp' },
    { name: 'imaps', port: 993, kind: 'tcp' },
    { name: 'ssh', port: 2222, kind: 'tcp' },
    { name: 'ldaps', port: 636, kind: 'tcp' },
  ],
  static_setup: null,
  offer: {
    tcp_entrypoints: ['websecure', 'mqtt', 'imaps', 'ssh', 'ldaps'],
    tls_entrypoint: 'websecure',
    middlewares: middlewareOffer(SETTINGS),
    open_paths: SETTINGS.open_paths,
    backend_authorities: new Set(),
  },
  catalogue: catalogue(SETTINGS),
  headersOf: siteHeaders(SETTINGS),
  sso_names: ['our-login'],
  sso_addresses: [],
  access_rules: null,
  cert_resolver: SETTINGS.cert_resolver,
  readAuthority: () => null,
  sees_proxy: true,
  environment: 'production',
  base_domain: null,
}
