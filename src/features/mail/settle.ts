/**
 * What became of a mail whose outcome is not known: looked for where the provider keeps what was sent, before anybody is
 * told. A provider may take a while until a message can be found, so that it is absent only after several looks; and one
 * that certainly is not there was not sent.
 */
import type { Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { SendOutcome } from './port.ts'
import type { MailRecord } from './records.ts'
import type { MailService } from './service.ts'

/** Waits before each look. */
const RETRY_WAITS_MS: readonly Milliseconds[] = [0, 1_000, 4_000, 10_000]
/** A call that was broken off may still be worked on: so old is one that is not. */
const STALE_MS: Milliseconds = 5 * 60_000
const LOOK_WITHIN_MS: Milliseconds = 10_000

/** The outcome as it is known now; the same one where nothing can be found out. @param unknown the outcome of the send */
export async function settled(
  service: MailService,
  record: Pick<MailRecord, 'message_id' | 'begun_at'>,
  unknown: SendOutcome & { readonly kind: 'unknown' },
): Promise<SendOutcome> {
  const { mailer, clock } = service
  if (mailer === null) return unknown
  const stale = clock.now() - record.begun_at > STALE_MS
  try {
    for (const wait_ms of stale ? [0] : RETRY_WAITS_MS) {
      if (wait_ms > 0) await clock.sleep(wait_ms)
      const found = await mailer.find(record.message_id, AbortSignal.timeout(LOOK_WITHIN_MS))
      if (found === null) return unknown
      if (found !== 'absent') return { kind: 'sent', provider_id: found.provider_id, rejected: [] }
    }
  } catch (error) {
    const why = error instanceof Failure ? error.message : 'The provider did not say in time.'
    return { ...unknown, detail: `${unknown.detail} It could not be looked for: ${why}` }
  }
  return {
    kind: 'refused',
    code: 'component_unavailable',
    detail: `${unknown.detail} It was looked for in the mailbox and is not there: it was not sent.`,
    passing: true,
    retry_after_ms: 0,
  }
}
