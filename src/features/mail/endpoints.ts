/** E-mail: verified senders, sending, the provider's token, and whether it all works. */
import { z } from 'zod'
import type { Deps } from './deps.ts'
import type { MailService } from './service.ts'
import { readAliases, refreshToken } from './ask.ts'
import { MAX_RECIPIENTS, mailFaults } from './check-message.ts'
import { previewForCaller, previewRefresh } from './preview.ts'
import { sendForCaller } from './send-for-caller.ts'
import { MAIL_ADDRESS, oneLine } from '../../model/text/form.ts'
import { having, when } from '../../http/body/json-conditions.ts'
import { faultsBeside } from '../../http/beside.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { ok } from '../../http/ok.ts'
import { noted } from '../../core/noted.ts'
import { evaluateMail } from './checks.ts'
import { mailHealth } from './health.ts'
import { MailHealth, Alias, MailAnswer, PlannedMail, Refreshed, PlannedRefresh } from './views.ts'

const tags = [{ name: 'E-mail', description: 'Sending mail, and whether it would work' }]
const address = () =>
  z
    .string()
    .min(3)
    .max(254)
    .meta({ ...MAIL_ADDRESS })
const addresses = () => z.array(address()).max(MAX_RECIPIENTS).meta({ uniqueItems: true })

/** @param senders that are known without asking the provider; none where it has to be asked */
const emailFrom = (senders: readonly string[]) =>
  z
    .strictObject({
      from_address: address()
        .meta(only(senders))
        .describe('A verified sender, as GET /api/email/aliases lists it'),
      from_name: z
        .string()
        .meta({ ...oneLine(100) })
        .max(100)
        .optional()
        .describe('Left out: the name of the sender'),
      to: addresses().min(1),
      cc: addresses().optional(),
      bcc: addresses().optional(),
      reply_to: address().optional(),
      subject: z
        .string()
        .max(500)
        .meta({ ...oneLine(500) }),
      text: z.string().max(1_000_000).optional().describe('This or html, or both'),
      html: z.string().max(1_000_000).optional(),
    })
    .meta({
      id: 'Email',
      examples: [
        {
          from_address: 'plumbline@example.com',
          to: ['jo@example.com'],
          subject: 'A test',
          text: 'Hello Jo.',
        },
      ],
      allOf: [when(having('html'), null, having('text'))],
    })

const only = (senders: readonly string[]) => (senders.length === 0 ? {} : { enum: [...senders] })

const fixedSenders = ({ mailer, from }: MailService): readonly string[] =>
  mailer?.provider === 'smtp' ? from : []

const DryRun = Changing.pick({ dry_run: true })

/** A message of two texts of a million characters. */
const BODY_LIMIT = 3 * 1024 * 1024

export function emailEndpoints(deps: Deps): readonly Endpoint[] {
  const Email = emailFrom(fixedSenders(deps.mail))
  return [
    endpoint({
      method: 'GET',
      path: '/api/email/aliases',
      id: 'emailAliases',
      summary: 'Verified senders',
      level: 'open',
      tags,
      replies: { 200: z.array(Alias) },
      problems: ['component_unavailable', 'provider_credentials', 'provider_busy'],
      handler: async (call) => ok(await readAliases(deps.mail, call.signal)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/email/send',
      id: 'sendEmail',
      summary: 'Send one mail, at most once',
      description:
        'Within a budget per minute and day, a fifth of which is left to alerts and invitations. With an Idempotency-Key a repeat gets the first answer.',
      level: 'open',
      tags,
      body: Email,
      faults: faultsBeside({
        schema: Email,
        stand_in: { from_address: '', to: [], subject: '' },
        evaluate: mailFaults,
      }),
      body_limit: BODY_LIMIT,
      body_members: { keys: 2000, entries: 2000 },
      query: DryRun,
      replies: { 200: MailAnswer.or(PlannedMail) },
      problems: [
        'rate_limited',
        'component_unavailable',
        'provider_credentials',
        'provider_refused',
        'provider_busy',
      ],
      handler: async (call) =>
        call.query.dry_run === true
          ? ok(await previewForCaller(deps, call.body, callerOf(call)))
          : ok(await sendForCaller(deps.mail, call.body, call.signal)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/email/refresh-token',
      id: 'refreshEmailToken',
      summary: 'Get a new access token from the mail provider now',
      level: 'open',
      tags,
      query: DryRun,
      replies: { 200: PlannedRefresh.or(Refreshed) },
      problems: ['component_unavailable', 'provider_credentials'],
      handler: async (call) =>
        ok(
          call.query.dry_run === true
            ? await previewRefresh(deps, callerOf(call))
            : await refreshToken(deps.mail, call.signal),
        ),
    }),
    endpoint({
      method: 'GET',
      path: '/api/email/health',
      id: 'emailHealth',
      summary: 'Whether mail could be sent',
      level: 'open',
      tags,
      replies: { 200: MailHealth },
      handler: async (call) => ok(await tellMailHealth(deps, call.signal)),
    }),
  ]
}

const tellMailHealth = (deps: Deps, signal: AbortSignal): Promise<MailHealth> =>
  noted(deps, () => mailHealth(deps.mail, signal), { mail: evaluateMail })
