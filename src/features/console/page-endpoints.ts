/** The console's page under each of its addresses, and its assets: an exact map, so that no path of a request reaches the disk. */
import { z } from 'zod'
import { Failure } from '../../kernel/failure.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import type { Asset, Bundle, Bundles } from './bundle-port.ts'
import { documentOf, type Page, PAGE_HEADERS, UNBUNDLED } from './page.ts'

const ADDRESSES = [
  '/start',
  '/domains',
  '/domains/{name}',
  '/domains/{name}/{part}',
  '/drift',
  '/changes',
  '/dns',
  '/certificates',
  '/access',
  '/people',
  '/ddns',
  '/ssh',
  '/edges',
  '/map',
  '/lan',
  '/discover',
  '/inventory',
  '/vpn',
  '/system',
] as const

/** What the overview asks for first. */
const OVERVIEW = '/api/overview'

const YEAR_S = 31_536_000
const word = () => z.string().max(300)

interface Served {
  readonly overview: Page
  readonly others: Page
  readonly assets: ReadonlyMap<string, Asset>
}

const made = new WeakMap<Bundle, Served>()

function servedOf(bundle: Bundle): Served {
  const known = made.get(bundle)
  if (known !== undefined) return known
  const served = {
    overview: documentOf(bundle, [OVERVIEW]),
    others: documentOf(bundle, []),
    assets: new Map(bundle.assets.map((asset) => [asset.name, asset])),
  }
  made.set(bundle, served)
  return served
}

const page = {
  method: 'GET',
  level: 'public',
  tags: ['Console'],
  summary: 'The web console',
  hidden: true,
} as const

export const pageEndpoints = (bundles: Bundles): readonly Endpoint[] => [
  addressEndpoint('/', bundles),
  ...ADDRESSES.map((path) => addressEndpoint(path, bundles)),
  endpoint({
    ...page,
    path: '/assets/{asset}',
    id: 'consoleAsset',
    params: z.object({ asset: word() }),
    replies: { 200: { content_type: 'application/octet-stream', description: 'A file of the console' } },
    handler: async ({ params }) => {
      const asset = (await servedBy(bundles))?.assets.get(params.asset)
      if (asset === undefined) throw new Failure('not_found', 'The console has no such file.')
      const headers = {
        ...PAGE_HEADERS,
        'Content-Type': asset.type,
        'Cache-Control': `public, max-age=${YEAR_S}, immutable`,
      }
      return { status: 200, body: asset.bytes, headers }
    },
  }),
]

/** Whatever stands behind `?` is for the page. */
const addressEndpoint = (path: `/${string}`, bundles: Bundles): Endpoint =>
  endpoint({
    ...page,
    path,
    id: `console:${path}`,
    document: true,
    params: z.object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, word()]))),
    query: z.looseObject({}),
    replies: { 200: { content_type: 'text/html; charset=utf-8', description: 'The page of the console' } },
    handler: async () => {
      const served = await servedBy(bundles)
      const { html, etag } = served === null ? UNBUNDLED : path === '/' ? served.overview : served.others
      return {
        status: 200,
        body: html,
        headers: { ...PAGE_HEADERS, 'Cache-Control': 'no-cache', ETag: etag },
      }
    },
  })

/** Null where it cannot be bundled. */
const servedBy = (bundles: Bundles): Promise<Served | null> => bundles.get().then(servedOf, () => null)
