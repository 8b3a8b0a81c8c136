/** Looking at a name and a backend before anything of them is saved. */
import { z } from 'zod'
import { asked } from '../../domains/api/forms.ts'
import { readerAmong } from '../../../core/shares.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import type { Deps } from '../deps.ts'
import { checkNewDomain } from './check.ts'
import { Checked } from './views.ts'

const CheckRequest = z
  .strictObject({
    domain: z.string().min(1).max(253).describe('The name that is wanted, as far as it is typed'),
    backend_host: z.string().min(1).max(253).optional(),
    backend_port: z.int().min(1).max(65_535).optional(),
    service_type: asked.service_type.optional(),
  })
  .meta({
    id: 'DomainCheckRequest',
    examples: [{ domain: 'notes.example.com', backend_host: '192.168.1.20', backend_port: 3000 }],
  })

export const checkEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/api/domains/check',
    reads: true,
    id: 'checkDomain',
    summary: 'Whether a new name and its backend would do',
    description:
      'Grammar, zone and account, free here and at the provider, the covering certificate, the address that would be published, and one ' +
      'connection to the vetted backend. Each answers for itself within seconds. Changes nothing; what is asked of others counts with ' +
      'the looks at backends, thirty a minute, and is unknown beyond that.',
    level: 'keyed',
    tags: ['Domains'],
    body: CheckRequest,
    replies: { 200: Checked },
    handler: async (call) => {
      const by = { signal: call.signal, reader: readerAmong(call) }
      return ok({ checks: await checkNewDomain(deps, call.body, by) })
    },
  }),
]
