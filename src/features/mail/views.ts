/** The shape of the answers about mail, declared once. */
import { z } from 'zod'
import { Planned } from '../../http/common-views.ts'
import type { Answered } from '../../http/contract.ts'
import { instant } from '../../http/body/scalars.ts'

export const Alias = z
  .object({ address: z.string(), name: z.string().nullable(), is_default: z.boolean() })
  .meta({ id: 'SendAsAlias' })
export type Alias = Answered<typeof Alias>

export const MailAnswer = z
  .object({
    success: z.boolean(),
    state: z
      .enum(['sent', 'unknown'])
      .describe('unknown: it may have gone out. It is never sent again by itself'),
    message_id: z.string(),
    provider_id: z.string().nullable(),
    detail: z.string().nullable(),
    rejected: z.array(z.string()).describe('Recipients that were refused while others were taken'),
    from_address: z.string(),
  })
  .meta({ id: 'EmailSent' })
export type MailAnswer = Answered<typeof MailAnswer>

export const PlannedMail = z
  .object({
    ...Planned.shape,
    provider: z.enum(['smtp', 'gmail']),
    from_address: z.string(),
    recipients: z.array(z.string()).describe('Everybody who would get it, those in bcc among them'),
    message: z.object({
      headers: z
        .array(z.object({ name: z.string(), value: z.string() }))
        .describe('As they would go out; Date and Message-ID are made anew by each call'),
      size_bytes: z.int(),
    }),
    budget_left: z
      .object({ minute: z.int(), day: z.int() })
      .describe('How many more may go out; this one is not counted'),
  })
  .meta({ id: 'PlannedEmail' })
export type PlannedMail = Answered<typeof PlannedMail>

export const TokenView = z
  .object({
    state: z
      .enum(['never_asked', 'valid', 'expired', 'needs_consent', 'failing'])
      .describe('needs_consent: only a person can renew it'),
    expires_at: instant().nullable(),
    reason: z.string().nullable().describe('Why it is not valid, and what to do'),
  })
  .meta({ id: 'EmailToken' })
export type TokenView = Answered<typeof TokenView>

export const Refreshed = z
  .object({
    success: z.literal(true),
    refreshed: z.boolean().describe('False where the provider has no token, and for a dry run'),
    message: z.string(),
    token: TokenView.nullable(),
  })
  .meta({ id: 'EmailTokenRefreshed' })
export type Refreshed = Answered<typeof Refreshed>

export const PlannedRefresh = Refreshed.extend(Planned.shape).meta({ id: 'PlannedEmailTokenRefresh' })

const used = () => z.object({ used: z.int(), limit: z.int() })

export const MailHealth = z
  .object({
    configured: z.boolean(),
    ok: z.boolean().nullable().describe('Null where nothing is configured'),
    provider: z.enum(['smtp', 'gmail']).nullable(),
    detail: z.string().nullable(),
    token: TokenView.nullable(),
    budget: z.object({ minute: used(), day: used() }),
    last_sent_at: instant().nullable(),
    last_unknown_at: instant().nullable().describe('The last mail of which nobody knows whether it went out'),
  })
  .meta({ id: 'EmailHealth' })
export type MailHealth = Answered<typeof MailHealth>
