/** Where a route leads: the service entry of one domain, over HTTP or TCP. */
import { BACKEND_SCHEMES } from '../../../model/domain/backend-tls.ts'
import { SERVICE_TYPES } from '../../../model/domain/record.ts'
import { API_TRANSPORT, TRANSPORT_MARK } from './names.ts'
import type { Traits, Values } from './route.ts'
import type { PlainMap } from './settings.ts'

/** The entry in `http.services`. */
export const httpService = (traits: Traits, { domain, address, health }: Values): PlainMap => ({
  loadBalancer: {
    ...(traits.has_health_check && { healthCheck: { interval: '30s', path: health, timeout: '5s' } }),
    ...(traits.is_foreign && { passHostHeader: false }),
    // Every byte at once, so that no message waits for the next one.
    ...(traits.service_type === 'websocket' && { responseForwarding: { flushInterval: '-1ms' } }),
    servers: [{ url: `${traits.scheme}://${address}` }],
    ...transportPart(traits, domain),
  },
})

function transportPart({ has_transport, service_type }: Traits, domain: string): PlainMap {
  if (has_transport) return { serversTransport: TRANSPORT_MARK + domain }
  return service_type === 'api' ? { serversTransport: API_TRANSPORT } : {}
}

/** Every trait that shows in `httpService`. */
export const serviceShape = (traits: Traits): number =>
  TYPE_NUMBERS[traits.service_type] * 24 +
  BACKEND_SCHEMES.indexOf(traits.scheme) * 8 +
  (traits.has_health_check ? 1 : 0) +
  (traits.is_foreign ? 2 : 0) +
  (traits.has_transport ? 4 : 0)

export const TYPE_NUMBERS = Object.fromEntries(SERVICE_TYPES.map((type, i) => [type, i])) as Record<
  Traits['service_type'],
  number
>

/** The entry in `tcp.services`. */
export const tcpService = ({ address }: Pick<Values, 'address'>): PlainMap => ({
  loadBalancer: { servers: [{ address }] },
})
