/** Things by a word of theirs. */
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { search, type SearchDeps } from './search.ts'
import { SearchResult } from '../views.ts'

export const searchEndpoints = (deps: SearchDeps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/search',
    id: 'search',
    summary: 'Domains, people, records, edges, releases, requests and settings by a word of theirs',
    description:
      'Domains also by backend, tag and note, a release by its number, and where nothing else answers, a request by the beginning ' +
      'of its id among the newest entries of the audit trail. Nothing is looked at for it.',
    level: 'keyed',
    tags: ['System'],
    query: z.object({ q: z.string().min(1).max(100).describe('A word, or a part of one') }),
    replies: { 200: SearchResult },
    handler: async ({ query }) => ok({ q: query.q, hits: await search(deps, query.q) }),
  }),
]
