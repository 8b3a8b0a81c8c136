/** Dynamic DNS for people: site tokens, and what gateways reported. The calls of the gateways stand in `update-endpoints.ts`. */
import type { CoreParts } from '../../core/parts.ts'
import { z } from 'zod'
import { ADDRESS_SOURCES } from '../../model/domain/address-sources.ts'
import { CARRIED_OVER, MANAGED_TYPES } from '../../model/network/dns.ts'
import type { Ddns } from './ddns.ts'
import { rowsByName } from './hosts/known-hosts.ts'
import { NOT_IN_FORCE } from './hosts/in-force.ts'
import { issueToken, MAX_LABEL } from './tokens/issue-token.ts'
import { readHosts } from './hosts/read-hosts.ts'
import { revokeToken } from './tokens/revoke-token.ts'
import { rotateToken } from './tokens/rotate-token.ts'
import { type ListedToken as Listed, TOKEN_STATES, tokenView } from './tokens/token-view.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { DOMAIN_NAME, plainText } from '../../model/text/form.ts'
import { formed, wholeNumber } from '../../http/body/scalars.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { created, ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'

const tags = [{ name: 'Dynamic DNS', description: 'Gateways that report their address, and their tokens' }]

const instant = () => z.string().describe('RFC 3339, UTC')

const Token = z
  .object({
    id: z.string(),
    host: z.string().describe('The one name that it can report addresses for'),
    label: z.string(),
    state: z
      .enum(TOKEN_STATES)
      .describe('rotation_due: older than the quarter and without a successor, valid all the same'),
    created_at: instant(),
    expires_at: instant().nullable().describe('Null while it is valid without end'),
    last_used_at: instant().nullable(),
  })
  .meta({ id: 'SiteToken' })

const ListedToken = Token.extend({
  has_record: z
    .boolean()
    .describe('False where no record that is not disabled has its name, so that it opens nothing'),
}).meta({ id: 'ListedSiteToken' })

const answer_fields = {
  success: z.literal(true),
  message: z.string(),
  warnings: z.array(z.string()),
  token: Token,
}

const TokenIssued = z
  .object({
    ...answer_fields,
    key: z.string().describe('The secret. It is shown this once and kept nowhere'),
    lines: z
      .object({
        url: z.string().describe('The address of the connection counts; with &ip=… behind it, that one'),
        curl: z.string(),
        unifi: z
          .object({
            service: z.literal('custom'),
            hostname: z.string(),
            username: z.string(),
            password: z.string(),
            server: z.string(),
          })
          .describe('The fields of the form'),
        inadyn: z.string(),
        ddclient: z.string(),
      })
      .describe('What is typed into a router, ready to be copied'),
  })
  .meta({ id: 'SiteTokenIssued' })

const TokenRevoked = z.object(answer_fields).meta({ id: 'SiteTokenRevoked' })

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

const type = z.enum(MANAGED_TYPES)

export const flapping = z
  .array(z.object({ type, held: z.string(), asked: z.string(), until: instant() }))
  .describe('Types whose address goes back and forth, so that one is held')

export const waiting = z
  .array(z.object({ type, address: z.string(), due_at: instant() }))
  .describe('What was reported too soon, and when it is taken if nothing else is reported until then')

export const refused = z
  .object({ at: instant(), code: z.string(), detail: z.string() })
  .nullable()
  .describe('The last report, where it was refused and none was taken since; forgotten with a restart')

const Hosts = z
  .object({
    rotation: z.object({
      next_at: instant().describe('The last Sunday of March, June, September or December, 02:00'),
      last_at: instant().nullable(),
      rotation_due: z.array(z.string()).describe('Hosts whose token is to be rotated by somebody'),
    }),
    hosts: z.array(
      z.object({
        host: z.string(),
        domain_id: z.int().nullable(),
        is_hub: z.boolean(),
        ddns_enabled: z.boolean().nullable().describe('Null where there is no record'),
        in_force: z.boolean().describe('Whether what is reported for it counts'),
        because: z.enum(NOT_IN_FORCE).nullable().describe('Why it does not'),
        counts: z
          .object({ source: z.enum([...ADDRESS_SOURCES, CARRIED_OVER]), addresses: z.array(z.string()) })
          .nullable()
          .describe(
            'What is published for it now; carried_over: what was published before its gateway was to report',
          ),
        ipv4: z.string().nullable(),
        ipv6: z.string().nullable(),
        changed_at: instant().nullable(),
        reported_at: instant().nullable(),
        flapping,
        waiting,
        refused,
        tokens: z.int().describe('Site tokens that are valid now'),
        history: z
          .array(z.object({ type, address: z.string(), at: instant(), actor: z.string() }))
          .describe('Newest first'),
      }),
    ),
  })
  .meta({ id: 'DdnsHosts' })

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
    replies: { 201: TokenIssued, 200: Planned },
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
    description: 'Reports with it are refused from now on.',
    level: 'keyed',
    tags,
    params: TokenId,
    query: Changing,
    replies: { 200: TokenRevoked.or(Planned) },
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
    replies: { 200: TokenIssued.or(Planned) },
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
    replies: { 200: Hosts },
    handler: async (call) => ok(await readHosts(ddns, call.query.history ?? 20)),
  }),
]

/** By host, the oldest first. */
async function listTokens({ tokens, clock, store, hub_host }: Ddns): Promise<readonly Listed[]> {
  const [working, released] = [await rowsByName(store), await rowsByName(store, 'released')]
  const isKnown = (host: string) => host === hub_host || working.has(host) || released.has(host)
  return tokens.list().map((token) => ({ ...tokenView(token, clock.now()), has_record: isKnown(token.host) }))
}
