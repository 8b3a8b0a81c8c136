/** What every service answers of itself: its description (OpenAPI), and the page on which that is tried. */
import { z } from 'zod'
import { sha256 } from '../../kernel/digest.ts'
import { endpoint, type Endpoint, type Tag } from '../contract.ts'
import { docsEndpoints } from './docs-endpoints.ts'
import { type About, openApiDocument, PLUMBLINE } from './document.ts'
import type { Offered } from './offered.ts'

interface Description {
  /** Every endpoint of the service, these included; asked for when the first reader comes. */
  readonly endpoints: () => readonly Endpoint[]
  /** Names that records may use here. */
  readonly offered?: Offered | undefined
  /** Default: the main service. */
  readonly about?: About
  readonly tags: readonly (string | Tag)[]
}

export const descriptionEndpoints = ({
  endpoints,
  offered,
  about = PLUMBLINE,
  tags,
}: Description): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/openapi.json',
    id: 'openapi',
    summary: 'This description (OpenAPI 3.1)',
    level: 'open',
    document: true,
    tags,
    replies: { 200: z.looseObject({ openapi: z.string() }).describe('An OpenAPI 3.1 document') },
    handler: described(() => openApiDocument(endpoints(), offered, about)),
  }),
  ...docsEndpoints(about.title),
]

/** The document is made once and then served from memory, the same bytes to everybody. */
function described(document: () => ReturnType<typeof openApiDocument>) {
  const make = async () => {
    const body = await document()
    const json = Buffer.from(JSON.stringify(body))
    return { body, json, headers: { ETag: `"${sha256([json]).slice(0, 32)}"`, 'Cache-Control': 'no-cache' } }
  }
  let made: ReturnType<typeof make> | null = null
  return async () => ({ status: 200 as const, ...(await (made ??= make())) })
}
