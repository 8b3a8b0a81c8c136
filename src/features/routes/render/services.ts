/** Where a route leads: the service entry of one domain, over HTTP or TCP. */
import { quote } from '../../../kernel/text/quoted.ts'
import { BACKEND_SCHEMES } from '../../../model/domain/backend-tls.ts'
import { SERVICE_TYPES } from '../../../model/domain/record.ts'
import { API_TRANSPORT, roleMark, TRANSPORT_MARK } from './names.ts'
import type { Traits, Values } from './route.ts'

const healthCheck = (path: string): string =>
  `        healthCheck:\n          interval: "30s"\n          path: ${quote(path)}\n          timeout: "5s"\n`

/** Every byte at once, so that no message waits for the next one. */
const UNBUFFERED = '        responseForwarding:\n          flushInterval: "-1ms"\n'
const FOREIGN_HOST = '        passHostHeader: false\n'
const transport = (name: string): string => `        serversTransport: ${quote(name)}\n`

/** The entry in `http.services`. */
export const httpService = (traits: Traits, { domain, address, health }: Values): string =>
  `    ${quote(roleMark('site') + domain)}:\n      loadBalancer:\n` +
  (traits.has_health_check ? healthCheck(health) : '') +
  (traits.is_foreign ? FOREIGN_HOST : '') +
  (traits.service_type === 'websocket' ? UNBUFFERED : '') +
  `        servers:\n          - url: ${quote(`${traits.scheme}://${address}`)}\n` +
  (traits.has_transport
    ? transport(TRANSPORT_MARK + domain)
    : traits.service_type === 'api'
      ? transport(API_TRANSPORT)
      : '')

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
export const tcpService = ({ domain, address }: Values): string =>
  `    ${quote(roleMark('tcp') + domain)}:\n      loadBalancer:\n        servers:\n          - address: ${quote(address)}\n`
