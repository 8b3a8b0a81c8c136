/**
 * One mail, at most once. That its text goes out is durable before the first byte does, and the outcome after the last,
 * so that only a crash or a broken connection in between leaves `unknown`, which is never repeated without a person.
 *
 * | row under the key          | what happens                                         |
 * |----------------------------|------------------------------------------------------|
 * | none                       | budget, row, send, outcome                           |
 * | refused: certainly not out | the same again under the old row                     |
 * | sent                       | answered as it was                                   |
 * | begun                      | conflict: another call is at it                      |
 * | unknown                    | looked for at the provider: then as sent or refused; |
 * |                            | where it does not tell, answered as unknown          |
 * | sending                    | answered as unknown: a second one could be a double  |
 */
import { randomUUID } from 'node:crypto'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure, type FailureCode, fieldError, invalid } from '../../kernel/failure.ts'
import { mailboxKey, mailDomain } from '../../model/network/mailbox.ts'
import type { Mail, Mailer, Sender, SendOutcome } from './port.ts'
import { type MailRecord, mailRecords } from './records.ts'
import type { StoreReader, StoreWriter } from '../../ports/store.ts'
import { type CheckedMail, checkMessage, type MailRequest } from './check-message.ts'
import type { MailService } from './service.ts'
import { settled } from './settle.ts'

export interface MailResult {
  readonly state: 'sent' | 'refused' | 'unknown'
  readonly message_id: string
  readonly provider_id: string | null
  readonly detail: string | null
  /** Recipients that were refused while others were taken. */
  readonly rejected: readonly string[]
  readonly from_address: string
  /** Why it was refused; null otherwise. */
  readonly refusal: {
    readonly code: FailureCode
    readonly passing: boolean
    readonly retry_after_ms: number
  } | null
}

const MINUTE_MS: Milliseconds = 60_000
const DAY_MS: Milliseconds = 24 * 3_600_000
const KEPT_MS: Milliseconds = 90 * DAY_MS
const SEND_WITHIN_MS: Milliseconds = 60_000

/**
 * Throws `validation_failed` (also for a sender that is not verified), `rate_limited`, `component_unavailable` where mail
 * is not configured or senders cannot be found out, `provider_credentials`.
 * @param key names the mail for good: whoever sends twice under one key sends once
 */
export async function sendMail(
  service: MailService,
  request: MailRequest,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<MailResult> {
  const mailer = mailerOf(service)
  const checked = checkMessage(request, service.recipient_domains)
  if (!checked.ok) throw invalid(checked.errors)
  const { mail } = checked
  const sender = await verifiedSender(mailer, mail.from_address, signal)
  await settleEarlier(service, key)
  const begun = await service.store.write((tx) => begin(tx, service, { key, mail }))
  if (begun.known) return resultOf(begun.record, [], null)
  const tried = await attempt(service, mailer, { ...mail, sender, record: begun.record })
  const outcome = tried.kind === 'unknown' ? await settled(service, begun.record, tried) : tried
  const record = endedBy(begun.record, outcome, service.clock.now())
  await service.store.write((tx) => tx.of(mailRecords).saveMail(record))
  service.log.info('mail ended', { mail: record.id, state: record.state, recipients: record.recipients })
  return resultOf(record, outcome.kind === 'sent' ? outcome.rejected : [], refusalOf(outcome))
}

/** A mail of which nobody knew by its end, such as one that a crash cut off: by now the provider may tell. */
async function settleEarlier(service: MailService, key: string): Promise<void> {
  const before = await service.store.of(mailRecords).mailByKey(key)
  if (before?.state !== 'unknown') return
  const detail = before.detail ?? 'Its outcome is not known.'
  const outcome = await settled(service, before, { kind: 'unknown', detail })
  if (outcome.kind === 'unknown') return
  await service.store.write(async (tx) => {
    // Another call may have settled it meanwhile, and be sending it again.
    if ((await tx.of(mailRecords).mailByKey(key))?.state !== 'unknown') return
    await tx.of(mailRecords).saveMail(endedBy(before, outcome, service.clock.now()))
  })
}

export function mailerOf({ mailer }: MailService): Mailer {
  if (mailer !== null) return mailer
  throw new Failure(
    'component_unavailable',
    'Mail is not configured: set PLUMBLINE_MAIL_PROVIDER to smtp or gmail.',
  )
}

/** Throws `validation_failed` for a sender that is not verified. */
export async function verifiedSender(mailer: Mailer, address: string, signal: AbortSignal): Promise<Sender> {
  const senders = await mailer.senders(signal)
  const found = senders.find((sender) => mailboxKey(sender.address) === mailboxKey(address))
  if (found !== undefined) return found
  const msg = `must be a verified sender: ${senders.map((sender) => sender.address).join(', ') || 'there is none'}`
  throw invalid([fieldError(['body', 'from_address'], msg, 'sender')])
}

interface Begun {
  /** Somebody began it before, and it is not to be sent again. */
  readonly known: boolean
  readonly record: MailRecord
}

async function begin(
  tx: StoreWriter,
  service: MailService,
  { key, mail }: { readonly key: string; readonly mail: CheckedMail },
): Promise<Begun> {
  const at = service.clock.now()
  const before = await tx.of(mailRecords).mailByKey(key)
  if (before?.state === 'begun') throw new Failure('conflict', 'This mail is being sent by another call.')
  if (before !== null && before.state !== 'refused') return { known: true, record: before }
  await budgetLeft(tx, service, { at, for_caller: key.startsWith(OF_CALLERS) })
  await tx.of(mailRecords).forgetMails(at - KEPT_MS)
  const record = begunRecord(mail, before, { key, at })
  await tx.of(mailRecords).saveMail(record)
  return { known: false, record }
}

/** A mail that was refused before keeps its id. */
function begunRecord(
  mail: CheckedMail,
  before: MailRecord | null,
  { key, at }: { readonly key: string; readonly at: Instant },
): MailRecord {
  const id = before?.id ?? randomUUID()
  const message_id = before?.message_id ?? messageIdFor(id, mail)
  const { from_address } = mail
  const recipients = mail.to.length + mail.cc.length + mail.bcc.length
  const unended = { state: 'begun', detail: null, provider_id: null, begun_at: at, ended_at: null } as const
  return { id, key, message_id, from_address, recipients, ...unended }
}

export const messageIdFor = (id: string, { from_address }: Pick<CheckedMail, 'from_address'>): string =>
  `<${id}@${mailDomain(from_address)}>`

/** How the keys of mails begin that callers send. */
export const OF_CALLERS = 'call/'

/**
 * Four fifths of a window: the rest is left to our own mails, alerts and invitations, since anybody on a trusted network may
 * send one. In a window of one, the one is anybody's.
 */
const mostForCallers = (most: number): number => Math.max(1, Math.floor((most * 4) / 5))

export interface BudgetAsked {
  readonly at: Instant
  /** Of a caller, who may not use up what our own mails need. */
  readonly for_caller: boolean
}

/** Counted by rows, so that a restart does not open the gate again. Throws `rate_limited` where nothing is left. */
export async function budgetLeft(
  tx: StoreReader,
  { per_minute, per_day }: MailService,
  { at, for_caller }: BudgetAsked,
): Promise<{ readonly minute: number; readonly day: number }> {
  const left = { minute: 0, day: 0 }
  for (const [all, window_ms, word] of [
    [per_minute, MINUTE_MS, 'minute'],
    [per_day, DAY_MS, 'day'],
  ] as const) {
    const { count, oldest } = await tx.of(mailRecords).mailsSince(at - window_ms, at)
    const most = for_caller ? mostForCallers(all) : all
    const limit = most < all ? `${most} of ${all}, the rest is for alerts and invitations` : most
    left[word] = most - count
    if (count >= most)
      throw new Failure('rate_limited', `${count} mails were sent within a ${word}; the limit is ${limit}.`, {
        retry_after_ms: Math.max(1, (oldest ?? at) + window_ms - at),
      })
  }
  return left
}

interface Outgoing extends CheckedMail {
  readonly sender: Sender
  readonly record: Pick<MailRecord, 'message_id' | 'begun_at'>
}

export function messageFrom(outgoing: Outgoing): Mail {
  const { sender, record, from_name, to, cc, bcc, reply_to, subject, text, html } = outgoing
  const party = (address: string) => ({ address, name: null })
  return {
    message_id: record.message_id,
    at: record.begun_at,
    from: { address: sender.address, name: from_name ?? sender.name },
    to: to.map(party),
    cc: cc.map(party),
    bcc: bcc.map(party),
    reply_to: reply_to === null ? null : party(reply_to),
    subject,
    text,
    html,
  }
}

/** Once begun, a mail is not broken off because its caller has gone, who will want to know how it ended. */
async function attempt(
  service: MailService,
  mailer: Mailer,
  outgoing: Outgoing & { readonly record: MailRecord },
): Promise<SendOutcome> {
  const { record } = outgoing
  try {
    return await mailer.send(
      messageFrom(outgoing),
      () => service.store.write((tx) => tx.of(mailRecords).saveMail({ ...record, state: 'sending' })),
      AbortSignal.timeout(SEND_WITHIN_MS),
    )
  } catch (error) {
    service.log.error('a mail ended in a way that is not known', { mail: record.id, error })
    return { kind: 'unknown', detail: 'The mailer failed inside; the log has the reason.' }
  }
}

function endedBy(record: MailRecord, outcome: SendOutcome, ended_at: Instant): MailRecord {
  const ended = { ...record, state: outcome.kind, ended_at }
  return outcome.kind === 'sent'
    ? { ...ended, provider_id: outcome.provider_id }
    : { ...ended, detail: outcome.detail }
}

const refusalOf = (outcome: SendOutcome): MailResult['refusal'] =>
  outcome.kind === 'refused'
    ? { code: outcome.code, passing: outcome.passing, retry_after_ms: outcome.retry_after_ms }
    : null

const resultOf = (
  { state, message_id, provider_id, detail, from_address }: MailRecord,
  rejected: readonly string[],
  refusal: MailResult['refusal'],
): MailResult => ({
  state: state === 'sending' || state === 'begun' ? 'unknown' : state,
  message_id,
  provider_id,
  detail: state === 'sending' ? 'It is being sent by another call.' : detail,
  rejected,
  from_address,
  refusal,
})
