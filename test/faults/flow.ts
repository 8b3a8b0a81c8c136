/** The journey that is broken off everywhere, as data: each step with the audit rows that its one change leaves. */

export type Step =
  /** Starts the daemon: makes or finds the installation, listens, ticks, and waits until the world is as released. */
  | { readonly name: string; readonly kind: 'open'; readonly audit: readonly string[] }
  | {
      readonly name: string
      readonly kind: 'call'
      readonly method: string
      readonly path: string
      readonly body?: unknown
      readonly audit: readonly string[]
    }
  /** A stranger replaces the routes file; the step ends when the daemon has undone it. */
  | { readonly name: string; readonly kind: 'hand-edit'; readonly audit: readonly string[] }

const SITE = {
  service_type: 'http',
  environment: 'production',
  backend_host: '10.0.0.5',
  backend_port: 8080,
} as const

/** Records that only stand by: whatever dies, they stay as they are, and the edit of one of them never goes live. */
const BYSTANDERS = [
  { ...SITE, domain: 'keep.example.com', status: 'active' },
  { ...SITE, domain: 'open.example.com', auth_required: false, status: 'active' },
]
const APP = '/api/domains/3'

const call = (
  name: string,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  ...audit: readonly string[]
): Step => ({ name, kind: 'call', method, path, body, audit })

export const FLOW: readonly Step[] = [
  { name: 'open', kind: 'open', audit: [] },
  call('estate', ['POST', '/api/estate', { domains: BYSTANDERS }], 'import 1', 'import 2'),
  call('save', ['PUT', '/api/domains/1', { backend_port: 9999 }], 'update 1'),
  call('create', ['POST', '/api/domains', { ...SITE, domain: 'app.example.com' }], 'create 3'),
  call('activate', ['POST', `${APP}/activate`], 'activate 3'),
  call('edit', ['PUT', APP, { backend_port: 8081 }], 'update 3'),
  call('deploy', ['POST', `${APP}/deploy`], 'deploy 3'),
  { name: 'heal', kind: 'hand-edit', audit: [] },
  call('deactivate', ['POST', `${APP}/deactivate`], 'deactivate 3'),
  call('reactivate', ['POST', `${APP}/activate`], 'activate 3'),
  call('rename', ['PUT', APP, { domain: 'web.example.com' }], 'update 3'),
  call('redeploy', ['POST', `${APP}/deploy`], 'deploy 3'),
  call('delete', ['DELETE', APP], 'delete 3'),
]

export const STEPS: readonly string[] = FLOW.map(({ name }) => name)
