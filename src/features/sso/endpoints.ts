/** Single sign-on: whether protected routes are, who can open what, and lifting a quarantine. */
import { z } from 'zod'
import type { Deps } from './deps.ts'
import { readAccess, AccessAnswer } from './access.ts'
import { liftQuarantine } from './sign-in/quarantine.ts'
import { SSO_CAUSES, type SsoEntry, type SsoUnknown, UNKNOWN_CAUSES, UNKNOWN_PARTS } from './report.ts'
import { DOMAIN_NAME } from '../../model/text/form.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'
import { difference, driftState } from '../../http/difference-views.ts'
import { noted } from '../../core/noted.ts'
import { readSsoDrift } from './read-drift.ts'
import { evaluateAttachments, evaluateRoutes } from './checks.ts'
import { instant } from '../../http/body/scalars.ts'

const tags = [{ name: 'SSO', description: 'Whether protected domains are protected, and who can open what' }]

const entries = (what: string) =>
  z
    .array(
      z.object({
        domain: z.string().describe("A record's name, or what a rule of nobody's is written for"),
        cause: z.enum(SSO_CAUSES),
        detail: z.string(),
        cure: z.string().describe('What would help, or what happens by itself'),
      }) satisfies z.ZodType<SsoEntry>,
    )
    .describe(what)

const unknown = (what: string) =>
  z
    .array(
      z.object({
        part: z.enum(UNKNOWN_PARTS),
        domain: z.string().nullable(),
        cause: z.enum(UNKNOWN_CAUSES),
        detail: z.string(),
        cure: z.string(),
      }) satisfies z.ZodType<SsoUnknown>,
    )
    .describe(what)

const SsoDrift = z
  .object({
    ok: z
      .boolean()
      .describe(
        'True exactly when all lists of drift, differences among them, and that of the unknown are empty; not_checked is none of them',
      ),
    drift: driftState(),
    differences: z
      .array(difference)
      .describe(
        'Of the rules file, as GET /api/drift tells them: also what changes no rule (a comment, a mode)',
      ),
    configured: z.boolean().describe('Whether access rules are managed: PLUMBLINE_SSO_RULES_FILE'),
    protected_domains: z.int(),
    missing_rule: entries('Saved as protected, and the rules file does not let in whom it should'),
    extra_rule: entries('Rules that no record asks for'),
    weaker_policy: entries(
      'More is let in than the record and its policy allow: by the rules file, or by whoever says for which host and path',
    ),
    missing_middleware: entries('The route does not ask the SSO provider, in the file or in the proxy'),
    extra_middleware: entries('The route asks it, though the record is open to everybody'),
    not_loaded: entries('The provider was not started since its rules were written'),
    open_route: entries('An anonymous request got through'),
    shut_out: entries('Nobody can sign in there, whatever the rules say'),
    unknown: unknown('What could not be found out: unreadable, or not seen'),
    not_checked: unknown(
      'What nobody looks at, so that ok says nothing of it: not_configured, it is not set up; not_provable, there is nothing that could be proven',
    ),
    quarantine: z.array(
      z.object({ domain_id: z.int(), domain: z.string(), since: instant(), evidence: z.string() }),
    ),
    observed_at: instant(),
  })
  .meta({ id: 'SsoDrift' })

const QuarantineLifted = z
  .object({ success: z.literal(true), message: z.string() })
  .meta({ id: 'QuarantineLifted' })

const name = (most: number) => z.string().min(1).max(most)

export const ssoEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/sso/drift',
    id: 'ssoDrift',
    summary: 'Are protected domains protected: flags, rules, middlewares, and what answers',
    description: 'Looks now and compares with what is saved. Changes nothing.',
    level: 'keyed',
    tags,
    replies: { 200: SsoDrift },
    handler: async (call) => ok(await tellSsoDrift(deps, call.signal)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/access',
    id: 'access',
    summary: 'Who can open what, by the rules and the groups that the SSO provider has',
    description:
      'Judged by the rules that the provider runs, or by the rules file where that is not known. Ask for a user, a host, or both; without a question: what anybody opens who has not signed in.',
    level: 'keyed',
    tags,
    query: z.object({
      user: name(100).optional().describe('What this user can open'),
      host: name(255).optional().describe('Who can open this host'),
    }),
    replies: { 200: AccessAnswer },
    problems: ['not_found', 'component_unavailable'],
    handler: async (call) => {
      const { user = null, host = null } = call.query
      return ok(await readAccess(deps, { user, host }, call.signal))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/sso/quarantine/{domain}/lift',
    id: 'liftQuarantine',
    summary: 'Put a route back that was taken out because it answered without signing in',
    description: 'It is asked again at once, and taken out again when it still answers.',
    level: 'keyed',
    tags,
    params: z.object({
      domain: name(255)
        .meta({ ...DOMAIN_NAME })
        .transform((text) => text.toLowerCase()),
    }),
    query: Changing,
    replies: { 200: QuarantineLifted.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await liftQuarantine(deps, call.params.domain, callerOf(call))),
  }),
]

const tellSsoDrift = (deps: Deps, signal: AbortSignal): ReturnType<typeof readSsoDrift> =>
  noted(deps, () => readSsoDrift(deps, signal), {
    sso_attachments: evaluateAttachments,
    sso_routes: evaluateRoutes,
  })
