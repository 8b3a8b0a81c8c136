/** The keys of this API: named, several at once, each with a successor whose predecessor goes on for a day. */
import { z } from 'zod'
import type { Deps } from './deps.ts'
import { issueKey, KEY_NAME, revokeKey, rotateKey } from './change.ts'
import { listKeys } from './key-view.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { formOf } from '../../model/text/form.ts'
import { formed } from '../../http/body/scalars.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { created, ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'
import { KEY_ACCESS, KeyView, KeyMadeAnswer, KeyAnswer } from './views.ts'

const tags = [{ name: 'Keys', description: 'Keys of this API and other credentials, without their secrets' }]
const KeyRequest = z
  .strictObject({
    name: formed(formOf(KEY_NAME)).describe('Who uses it: 1 to 63 lower-case letters, digits, inner hyphens'),
    access: z
      .enum(KEY_ACCESS)
      .optional()
      .describe('Default everything. read: it may look at everything and change nothing'),
  })
  .meta({ id: 'ApiKeyRequest', examples: [{ name: 'backup-job' }] })
const KeyId = z.object({ key_id: formed({ pattern: '^[0-9a-f]{16}$' }) })

export const keyEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/keys',
    id: 'apiKeys',
    summary: 'The keys of this API, without the keys themselves',
    description: 'Each with its name, its state and when it was last used.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(KeyView) },
    handler: async () => ok(listKeys(deps.keys)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/keys',
    id: 'issueApiKey',
    summary: 'Issue a named key',
    description:
      'One for each program, so that each can be ended alone. The key is shown this once; Idempotency-Key is not honoured.',
    level: 'keyed',
    tags,
    query: Changing,
    body: KeyRequest,
    secret_reply: true,
    replies: { 201: KeyMadeAnswer, 200: Planned },
    problems: ['name_taken'],
    handler: async (call) => {
      const answer = await issueKey(deps, call.body, callerOf(call))
      return 'dry_run' in answer ? ok(answer) : created(answer)
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/keys/{key_id}/rotate',
    id: 'rotateApiKey',
    summary: 'Issue the successor of a key; the old one goes on for 24 hours',
    description: 'The successor is shown this once; Idempotency-Key is not honoured.',
    level: 'keyed',
    tags,
    params: KeyId,
    query: Changing,
    secret_reply: true,
    replies: { 200: KeyMadeAnswer.or(Planned) },
    problems: ['not_found', 'conflict'],
    handler: async (call) => ok(await rotateKey(deps, call.params.key_id, callerOf(call))),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/keys/{key_id}',
    id: 'revokeApiKey',
    summary: 'End a key at once',
    description: 'Calls with it are refused from now on. The main key is ended by rotating it.',
    level: 'keyed',
    tags,
    params: KeyId,
    query: Changing,
    replies: { 200: KeyAnswer.or(Planned) },
    problems: ['not_found', 'conflict'],
    handler: async (call) => ok(await revokeKey(deps, call.params.key_id, callerOf(call))),
  }),
]
