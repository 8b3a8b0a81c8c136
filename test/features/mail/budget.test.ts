/** The budget of mails over a real store: what callers send leaves room for alerts and invitations. */
import { expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Mailer } from '../../../src/features/mail/port.ts'
import { sendForCaller } from '../../../src/features/mail/send-for-caller.ts'
import { sendMail } from '../../../src/features/mail/send.ts'
import type { MailService } from '../../../src/features/mail/service.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { eachScratch } from '../../store/scratch.ts'

const scratch = eachScratch()
const signal = new AbortController().signal
const MAIL = { from_address: 'plumbline@example.com', to: ['jo@example.net'], subject: 'Hi', text: 'there' }

async function mailing(most: { readonly per_minute: number; readonly per_day: number }) {
  const mailer = {
    provider: 'smtp',
    senders: async () => [{ address: MAIL.from_address, name: null, is_default: true }],
    send: async (_mail: unknown, leaving: () => Promise<void>) => {
      await leaving()
      return { kind: 'sent', provider_id: null, rejected: [] }
    },
  } as unknown as Mailer
  const store = await scratch.open(scratch.directory())
  const parts = { mailer, from: [], recipient_domains: null, store, clock: handClock(), log: silentLog }
  const service: MailService = { ...parts, ...most }
  const codeOf = (error: unknown) => (error instanceof Failure ? error.code : String(error))
  const state = (sending: Promise<{ readonly state: string }>) => sending.then((sent) => sent.state, codeOf)
  return {
    byCaller: () => state(sendForCaller(service, MAIL, signal)),
    own: (key: string) => state(sendMail(service, MAIL, { key, signal })),
  }
}

it.each([
  ['day', { per_minute: 100, per_day: 10 }],
  ['minute', { per_minute: 10, per_day: 100 }],
])('callers use up four fifths of a %s, and the rest is for alerts and invitations', async (_, most) => {
  const { byCaller, own } = await mailing(most)
  for (let i = 0; i < 8; i++) expect(await byCaller()).toBe('sent')
  expect(await byCaller()).toBe('rate_limited')
  expect(await own('notification/1')).toBe('sent')
  expect(await own('invitation/1')).toBe('sent')
  expect(await own('notification/2')).toBe('rate_limited')
})

it('own mails count, too: callers have none of what those took', async () => {
  const { byCaller, own } = await mailing({ per_minute: 100, per_day: 5 })
  for (let i = 0; i < 4; i++) expect(await own(`notification/${i}`)).toBe('sent')
  expect(await byCaller()).toBe('rate_limited')
})

it('a window of one is anybody’s', async () => {
  const { byCaller } = await mailing({ per_minute: 1, per_day: 100 })
  expect([await byCaller(), await byCaller()]).toEqual(['sent', 'rate_limited'])
})
