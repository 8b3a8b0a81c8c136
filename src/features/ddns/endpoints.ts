/** Dynamic DNS for people: site tokens, and what gateways reported. The calls of the gateways stand in `update-endpoints.ts`. */
import type { CoreParts } from '../../core/parts.ts'
import { z } from 'zod'
import type { Ddns } from './ddns.ts'
import { rowsByName } from './hosts/known-hosts.ts'
import { issueToken, MAX_LABEL } from './tokens/issue-token.ts'
import { readHosts } from './hosts/read-hosts.ts'
import { revokeToken } from './tokens/revoke-token.ts'
import { rotateToken } from './tokens/rotate-token.ts'
import { tokenView } from './tokens/token-view.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { DOMAIN_NAME, plainText } from '../../model/text/form.ts'
import { formed, wholeNumber } from '../../http/body/scalars.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { created, ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'
import { ListedToken, TokenAnswer, RevokedAnswer, HostsAnswer } from './views.ts'

const tags = [{ name: 'Dynamic DNS', description: 'Gateways that report their address, and their tokens' }]

const TokenRequest = z
  .strictObject({
    host: z
      .string()
      .max(1024)
      .meta({ ...DOMAIN_NAME })
      .describe('Name of a domain record, or the hub host'),
    label: formed(plainText(MAX_LABEL))
      .optional()
      .describe('What it is for, up to 100 characters: "router in the attic"'),
  })
  .meta({ id: 'SiteTokenRequest', examples: [{ host: 'home.example.com', label: 'router in the attic' }] })

const TokenId = z.object({ token_id: z.uuid('must be the id of a site token') })

const ROTATES = `Issues the successor. The old token goes on for 24 hours, so that the router can be changed in peace. The
quarterly schedule issues nothing by itself, because a router cannot fetch a new key: it ends tokens that are older than
the quarter and have a successor, and says \`rotation_due\` of the others, which stay valid.`

export const ddnsEndpoints = (deps: CoreParts, ddns: Ddns): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/ddns/tokens',
    id: 'siteTokens',
    summary: 'The site tokens of gateways, without their secrets',
    description: 'Each is good for one name. The secret is shown only when it is issued.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(ListedToken) },
    handler: async () => ok(await listTokens(ddns)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/ddns/tokens',
    id: 'issueSiteToken',
    summary: 'Issue a site token, with the lines to type into a router',
    description:
      'For one name. The answer holds the secret, this once, and the lines to copy into a router. Idempotency-Key is not honoured.',
    level: 'keyed',
    tags,
    query: Changing,
    body: TokenRequest,
    secret_reply: true,
    replies: { 201: TokenAnswer, 200: Planned },
    problems: ['not_found', 'record_disabled'],
    handler: async (call) => {
      const { host, label = '' } = call.body
      const answer = await issueToken(deps, ddns, { host, label }, callerOf(call))
      return 'dry_run' in answer ? ok(answer) : created(answer)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/ddns/tokens/{token_id}',
    id: 'revokeSiteToken',
    summary: 'End a site token at once',
    description:
      'Reports with it are refused from now on, and what it reported and what waits is dropped, as `warnings` say.',
    level: 'keyed',
    tags,
    params: TokenId,
    query: Changing,
    replies: { 200: RevokedAnswer.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await revokeToken(deps, ddns, call.params.token_id, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/ddns/tokens/{token_id}/rotate',
    id: 'rotateSiteToken',
    summary: 'Issue the successor of a site token',
    description: ROTATES,
    level: 'keyed',
    tags,
    params: TokenId,
    query: Changing,
    secret_reply: true,
    replies: { 200: TokenAnswer.or(Planned) },
    problems: ['not_found', 'conflict', 'record_disabled'],
    handler: async (call) => ok(await rotateToken(deps, ddns, call.params.token_id, callerOf(call))),
  }),
  endpoint({
    method: 'GET',
    path: '/api/ddns/hosts',
    id: 'ddnsHosts',
    summary: 'What gateways reported, and when keys are rotated',
    description: 'Each with what counts for it now, what was reported, and its history.',
    level: 'keyed',
    tags,
    query: z.object({
      history: wholeNumber({ min: 0, max: 1000 }).optional().describe('Changes of each host; default 20'),
    }),
    replies: { 200: HostsAnswer },
    handler: async (call) => ok(await readHosts(ddns, call.query.history ?? 20)),
  }),
]

/** By host, the oldest first. */
async function listTokens({ tokens, clock, store, hub_host }: Ddns): Promise<readonly ListedToken[]> {
  const [working, released] = [await rowsByName(store), await rowsByName(store, 'released')]
  const isKnown = (host: string) => host === hub_host || working.has(host) || released.has(host)
  return tokens.list().map((token) => ({ ...tokenView(token, clock.now()), has_record: isKnown(token.host) }))
}
