/** A mail provider that hangs keeps nobody waiting who only asks how it is. */
import { expect, it } from 'vitest'
import { readAliases } from '../../../src/features/mail/ask.ts'
import type { MailService } from '../../../src/features/mail/service.ts'
import { mailHealth } from '../../../src/features/mail/health.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { heeds, WAYS_TO_HANG } from '../../kit/hanging.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

function service(ask: (signal: AbortSignal) => Promise<never>) {
  const clock = handClock()
  const mailer = { provider: 'gmail', senders: ask, check: ask, token: () => null }
  const rows = { mailsSince: async () => ({ count: 0, oldest: null }), lastMail: async () => null }
  const store = { of: () => rows }
  return { clock, service: { clock, mailer, store, per_minute: 1, per_day: 1 } as unknown as MailService }
}

it.each(WAYS_TO_HANG)(
  'one that %s: its senders are not known, its health is not well, after five seconds',
  async (_, ask) => {
    const { clock, service: at } = service(ask)
    const asking = Promise.allSettled([readAliases(at, never), mailHealth(at, never)])
    await settled()
    clock.pass(5000)
    const message = 'gmail did not answer within 5000 ms.'
    const [aliases, health] = await asking
    expect(aliases).toMatchObject({ reason: { code: 'component_unavailable', message } })
    expect(health).toMatchObject({ value: { ok: false, detail: message } })
    expect(clock.sleepers()).toBe(0)
  },
)

it('the end of the caller is thrown', async () => {
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(readAliases(service(heeds).service, gone)).rejects.toThrow('gone')
})
