/** All credentials of the installation on one page: how old each is, and what is due. */
import { z } from 'zod'
import { CREDENTIAL_KINDS, CREDENTIAL_STATES, type CredentialParts, readCredentials } from './read.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { instant } from '../../../http/body/scalars.ts'

const Credentials = z
  .object({
    next_rotation_at: instant().describe('The last Sunday of March, June, September or December, 02:00'),
    last_rotation_at: instant().nullable(),
    credentials: z.array(
      z.object({
        kind: z.enum(CREDENTIAL_KINDS).describe('external: issued by somebody else, such as a DNS provider'),
        id: z.string().describe('Of the key or token; external: the name of the setting'),
        name: z.string().describe('Of the key, the host, the edge, the heartbeat, or the setting'),
        state: z
          .enum(CREDENTIAL_STATES)
          .describe('rotation_due: older than the quarter and without a successor, valid all the same'),
        since: instant().describe('When it was issued; of what others issued, when it was first seen here'),
        expires_at: instant().nullable().describe('Null while it is valid without end'),
        remedy: z.string().describe('How it is rotated'),
      }),
    ),
  })
  .meta({ id: 'Credentials' })

export const credentialEndpoints = (parts: CredentialParts): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/credentials',
    id: 'credentials',
    summary: 'Every credential, how old it is, and what is due for rotation',
    description: 'What this installation holds of others: which, where from, how old. Never the secrets.',
    level: 'keyed',
    tags: ['Keys'],
    replies: { 200: Credentials },
    handler: async () => ok(await readCredentials(parts)),
  }),
]
