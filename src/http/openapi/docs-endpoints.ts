/**
 * The interactive documentation: Swagger UI from the installed package and a start script of our own, nothing inline and
 * nothing from the network, so that it runs under a policy that allows only this host.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sha256 } from '../../kernel/digest.ts'
import { Failure } from '../../kernel/failure.ts'
import { endpoint, type Endpoint } from '../contract.ts'

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
  'Cache-Control': 'private, no-cache',
}

/** Addresses are relative, so that the page also works below a path prefix of a proxy. */
const pageOf = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

/** Whoever has signed in to the console tries calls here, too: with the secret that its page keeps for this address. */
const START = `function withSecret(request) {
  let secret = null
  try {
    secret = localStorage.getItem('plumbline.session-secret')
  } catch {}
  if (secret !== null && new URL(request.url, location.href).origin === location.origin)
    request.headers = { ...request.headers, 'X-Plumbline-Session-Secret': secret }
  return request
}

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: withSecret,
})
`

interface Asset {
  readonly path: `/${string}`
  readonly type: string
  readonly read: () => Promise<string | Buffer>
}

const packaged = (file: string) => () =>
  readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`)).catch((cause: unknown) => {
    throw new Failure(
      'component_unavailable',
      `The documentation needs ${file} of the package swagger-ui-dist, which is not installed. Run npm ci.`,
      { cause },
    )
  })

/** Every file that is served, by its exact path: there is no folder to climb out of. */
const assetsOf = (title: string): readonly Asset[] => [
  { path: '/docs', type: 'text/html; charset=utf-8', read: async () => pageOf(title) },
  { path: '/docs/start.js', type: 'text/javascript; charset=utf-8', read: async () => START },
  { path: '/docs/swagger-ui.css', type: 'text/css; charset=utf-8', read: packaged('swagger-ui.css') },
  {
    path: '/docs/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    read: packaged('swagger-ui-bundle.js'),
  },
]

/** @param title of the service: plain words of ours */
export const docsEndpoints = (title: string): readonly Endpoint[] => [
  ...assetsOf(title).map(assetEndpoint),
  withoutSlash,
]

/** The other spelling that people type. Relative, too. */
const withoutSlash = endpoint({
  method: 'GET',
  path: '/docs/',
  id: 'docsWithoutSlash',
  summary: 'Interactive documentation',
  level: 'open',
  tags: ['System'],
  hidden: true,
  document: true,
  replies: {},
  handler: () => new Response(null, { status: 308, headers: { Location: '../docs' } }),
})

const assetEndpoint = (asset: Asset): Endpoint =>
  endpoint({
    method: 'GET',
    path: asset.path,
    id: `asset:${asset.path}`,
    summary: 'Interactive documentation',
    level: 'open',
    tags: ['System'],
    hidden: true,
    ...(asset.path === '/docs' && { document: true }),
    replies: { 200: { content_type: asset.type, description: 'A file of the documentation page' } },
    handler: served(asset),
  })

/** Read at first use and kept: the set is fixed and small. */
function served(asset: Asset) {
  const load = async () => {
    const body = Buffer.from(await asset.read())
    return { body, headers: { ...HEADERS, ETag: `"${sha256([body]).slice(0, 32)}"` } }
  }
  let loaded: ReturnType<typeof load> | null = null
  return async () => {
    loaded ??= load()
    try {
      return { status: 200 as const, ...(await loaded) }
    } catch (error) {
      loaded = null
      throw error
    }
  }
}
