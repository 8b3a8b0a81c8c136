/**
 * The dashboard: an exact list of files, each read from disk when it is asked for, so that an edit is seen after a reload.
 * Addresses in them are relative.
 */
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { sha256 } from '../../kernel/digest.ts'
import type { ReadPage } from './page-port.ts'

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'private, no-cache',
}

const script = (name: string) =>
  ({ path: `/static/${name}.js`, file: `${name}.js`, type: 'text/javascript; charset=utf-8' }) as const

const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/static/dashboard.css', file: 'dashboard.css', type: 'text/css; charset=utf-8' },
  { path: '/static/dialog.css', file: 'dialog.css', type: 'text/css; charset=utf-8' },
  { path: '/static/mark.svg', file: 'mark.svg', type: 'image/svg+xml' },
  ...['dashboard', 'words', 'dom', 'api', 'cards', 'peers', 'dialog', 'fields', 'networks'].map(script),
] as const

/** The page reads its filter from its own address. Nothing else may stand there, a key least of all. */
const Filter = z.object({ site: z.string().max(64).optional(), q: z.string().max(200).optional() })

export const pageEndpoints = (readPage: ReadPage): readonly Endpoint[] =>
  FILES.map(({ path, file, type }) =>
    endpoint({
      method: 'GET',
      path,
      id: `page:${file}`,
      summary: 'The dashboard',
      level: 'open',
      tags: ['VPN'],
      hidden: true,
      ...(path === '/' && { document: true, query: Filter }),
      replies: { 200: { content_type: type, description: 'A file of the dashboard' } },
      handler: async () => {
        const body = await readPage(file)
        return { status: 200, body, headers: { ...HEADERS, ETag: `"${sha256([body]).slice(0, 32)}"` } }
      },
    }),
  )
