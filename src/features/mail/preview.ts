/** What a call about mail would do, in the plan of every other dry run. Nobody is asked for a token, and nothing is sent, counted or kept. */
import { randomUUID } from 'node:crypto'
import type { PlannedAnswer } from '../../core/answers.ts'
import type { Caller } from '../../core/caller.ts'
import { named } from '../../core/check.ts'
import { commit } from '../../core/commit/commit.ts'
import { type OutsideEffect, planOutside } from '../../core/commit/plan-outside.ts'
import { invalid } from '../../kernel/failure.ts'
import type { Deps } from './deps.ts'
import { noToken, tokenView } from './ask.ts'
import { checkMessage, type MailRequest } from './check-message.ts'
import { budgetLeft, mailerOf, messageFrom, messageIdFor, verifiedSender } from './send.ts'
import type { Refreshed, PlannedMail } from './views.ts'

/** Throws what the send would throw before it asks the provider to take the mail. */
export async function previewForCaller(
  deps: Deps,
  request: MailRequest,
  caller: Caller,
): Promise<PlannedMail> {
  const service = deps.mail
  const mailer = mailerOf(service)
  const checked = checkMessage(request, service.recipient_domains)
  if (!checked.ok) throw invalid(checked.errors)
  const { mail } = checked
  const sender = await verifiedSender(mailer, mail.from_address, caller.signal)
  const at = service.clock.now()
  const budget_left = await budgetLeft(service.store, service, { at, for_caller: true })
  const message_id = messageIdFor(randomUUID(), mail)
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc]
  const action = mailAction('create', `mail to ${named(recipients)}`, mail.subject)
  return {
    ...(await planOfMail(deps, [action], caller)),
    provider: mailer.provider,
    from_address: sender.address,
    recipients,
    message: await mailer.preview(messageFrom({ ...mail, sender, record: { message_id, begun_at: at } })),
    budget_left,
  }
}

export type PlannedRefresh = Refreshed & PlannedAnswer

/** What the call would do. Nobody is asked. */
export async function previewRefresh(deps: Deps, caller: Caller): Promise<PlannedRefresh> {
  const mailer = mailerOf(deps.mail)
  const present = mailer.token()
  const message = present === null ? noToken(mailer) : `${mailer.provider} would be asked for a new token.`
  const actions = present === null ? [] : [mailAction('update', 'access token', mailer.provider)]
  const plan = await planOfMail(deps, actions, caller)
  return { ...plan, success: true, refreshed: false, message, token: tokenView(present) }
}

type Action = OutsideEffect['actions'][number]

const mailAction = (verb: Action['verb'], item: string, after: string): Action => ({
  verb,
  item,
  before: null,
  after,
})

const planOfMail = (deps: Deps, actions: readonly Action[], caller: Caller): Promise<PlannedAnswer> =>
  planOutside((by, work) => commit(deps, by, work), caller, {
    component: 'mail',
    actions,
    goes_on: 'waiting',
  })
