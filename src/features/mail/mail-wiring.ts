/** From settings to sending mail. */
import type { Settings } from '../../config/sections.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { MailService } from './service.ts'
import { mailerModule } from './senders/mailer-wiring.ts'
import type { Store } from '../../ports/store.ts'
import { mailRecords } from './records.ts'
import { withSharedCheck } from './senders/shared-check.ts'

export interface MailModule {
  readonly service: MailService
  /** What was on its way when the process died is closed. */
  prepare(): Promise<void>
  stop(): Promise<void>
}

export interface MailParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

export function mailModule({ settings: { mail }, store, clock, log }: MailParts): MailModule {
  const module = mailerModule({ mail }, clock)
  const { from } = module
  const shared = module.mailer && withSharedCheck(module.mailer, clock)
  const recipient_domains = mail.recipient_domains.length === 0 ? null : mail.recipient_domains
  const { per_minute, per_day } = mail
  return {
    service: {
      mailer: shared?.mailer ?? null,
      from,
      per_minute,
      per_day,
      recipient_domains,
      store,
      clock,
      log,
    },
    async prepare() {
      const interrupted = await store.write((tx) => tx.of(mailRecords).interruptMails(clock.now()))
      if (interrupted > 0) log.warn('mails were interrupted', { count: interrupted })
    },
    async stop() {
      shared?.stop()
      await module.close()
    },
  }
}
