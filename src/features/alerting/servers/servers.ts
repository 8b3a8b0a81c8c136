/** The two servers as settings name them. */
import type { HttpClient } from '../../../ports/http-client.ts'
import type { Server } from './ask.ts'

export interface Servers {
  readonly prometheus: Server | null
  readonly alertmanager: Server | null
}

export const serversOf = (
  urls: { readonly prometheus: string | null; readonly alertmanager: string | null },
  http: Pick<HttpClient, 'request'>,
): Servers => ({
  prometheus: urls.prometheus === null ? null : { name: 'Prometheus', url: urls.prometheus, http },
  alertmanager: urls.alertmanager === null ? null : { name: 'Alertmanager', url: urls.alertmanager, http },
})
