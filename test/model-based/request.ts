/** How a deed is asked for over the API. */
import type { Deed } from './model.ts'

export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export function requestOf(deed: Deed): ApiCall {
  switch (deed.kind) {
    case 'create':
      return { method: 'POST', path: '/api/domains', body: deed.fields }
    case 'update':
      return { method: 'PUT', path: `/api/domains/${deed.id}`, body: deed.change }
    case 'delete':
      return { method: 'DELETE', path: `/api/domains/${deed.id}` }
    case 'activate':
    case 'deactivate':
    case 'disable':
    case 'deploy':
      return { method: 'POST', path: `/api/domains/${deed.id}/${deed.kind}` }
    case 'deploy-all':
      return { method: 'POST', path: '/api/deploy-all' }
    case 'estate':
      return {
        method: 'POST',
        path: '/api/estate',
        body: { domains: deed.entries.map(({ fields, status }) => ({ ...fields, status })) },
      }
  }
}
