/** Where a route leads: the service entry of one domain, over HTTP or TCP. */
import { SERVICE_TYPES } from '../../model/domain.ts'
import { quote } from '../../model/quoted.ts'
import { API_TRANSPORT, roleMark } from './names.ts'
import type { Traits, Values } from './route.ts'

const healthCheck = (path: string): string =>
  `        healthCheck:\n          interval: "30s"\n          path: ${quote(path)}\n          timeout: "5s"\n`

/** Every byte at once, so that no message waits for the next one. */
const UNBUFFERED = '        responseForwarding:\n          flushInterval: "-1ms"\n'
const FOREIGN_HOST = '        passHostHeader: false\n'
const API = `        serversTransport: ${quote(API_TRANSPORT)}\n`

/** The entry in `http.services`. */
export const httpService = (traits: Traits, { domain, address, health }: Values): string =>
  `    ${quote(roleMark('site') + domain)}:\n      loadBalancer:\n` +
  (traits.has_health_check ? healthCheck(health) : '') +
  (traits.is_foreign ? FOREIGN_HOST : '') +
  (traits.service_type === 'websocket' ? UNBUFFERED : '') +
  `        servers:\n          - url: ${quote(`${traits.is_https ? 'https' : 'http'}://${address}`)}\n` +
  (traits.service_type === 'api' ? API : '')

/** Every trait that shows in `httpService`. */
export const serviceShape = (traits: Traits): number =>
  TYPE_NUMBERS[traits.service_type] * 8 +
  (traits.has_health_check ? 1 : 0) +
  (traits.is_foreign ? 2 : 0) +
  (traits.is_https ? 4 : 0)

export const TYPE_NUMBERS = Object.fromEntries(SERVICE_TYPES.map((type, i) => [type, i])) as Record<
  Traits['service_type'],
  number
>

/** The entry in `tcp.services`. */
export const tcpService = ({ domain, address }: Values): string =>
  `    ${quote(roleMark('tcp') + domain)}:\n      loadBalancer:\n        servers:\n          - address: ${quote(address)}\n`
