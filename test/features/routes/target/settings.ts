/** Settings of the routes target for tests, and the offer that goes with them. */
import type { Offer } from '../../../../src/model/domain/rules.ts'
import { middlewareOffer } from '../../../../src/features/routes/middlewares/catalogue.ts'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import type { RoutesSettings } from '../../../../src/features/routes/render/settings.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'

export const someSettings = (over: Partial<RoutesSettings> = {}): RoutesSettings => ({
  traefik_version: [3, 0, 0],
  cert_resolver: 'letsencrypt',
  http_entrypoint: 'web',
  https_entrypoint: 'websecure',
  sso_forward_auth_url: 'http://authelia:9091/api/authz/forward-auth',
  https_port: 443,
  open_paths: new Map(),
  backend_authorities: new Map(),
  own_middlewares: new Map(),
  ...over,
})

export const offerOf = (settings: RoutesSettings): Offer => ({
  tcp_entrypoints: ['mqtt', 'postgres', 'websecure'],
  tls_entrypoint: settings.https_entrypoint,
  middlewares: middlewareOffer(settings),
  open_paths: settings.open_paths,
  backend_authorities: new Set(settings.backend_authorities.keys()),
})

/** The rendered text of live rows. */
export const textOfRows = (rows: readonly RowWish[], settings = someSettings()): string =>
  Buffer.concat(renderRoutes(anIntent(...rows), settings).chunks).toString('latin1')
