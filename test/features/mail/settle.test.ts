/** A mail whose outcome is not known: looked for with patience, sent or not sent where that can be told, else unknown. */
import { expect, it } from 'vitest'
import { type Clock, systemClock } from '../../../src/kernel/clock.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { MailService } from '../../../src/features/mail/service.ts'
import { settled } from '../../../src/features/mail/settle.ts'
import type { Mailer } from '../../../src/features/mail/port.ts'

type Answer = 'absent' | null | { readonly provider_id: string } | Error

/** Waiting costs nothing and is written down. */
function rig(answers: readonly Answer[], age_ms = 0) {
  const waited: number[] = []
  const asked: string[] = []
  const clock: Clock = {
    ...systemClock,
    now: () => 1_000_000_000 + age_ms,
    sleep: async (ms) => void waited.push(ms),
  }
  const mailer = {
    find: async (message_id: string) => {
      const answer = answers[Math.min(asked.push(message_id), answers.length) - 1]!
      if (answer instanceof Error) throw answer
      return answer
    },
  } as unknown as Mailer
  const service = { mailer, clock } as unknown as MailService
  const record = { message_id: '<1@example.org>', begun_at: 1_000_000_000 }
  const settle = () => settled(service, record, { kind: 'unknown', detail: 'It broke off.' })
  return { settle, waited, asked }
}

it('one that is found was sent', async () => {
  const { settle, waited, asked } = rig([{ provider_id: 'p1' }])
  expect(await settle()).toEqual({ kind: 'sent', provider_id: 'p1', rejected: [] })
  expect({ waited, asked }).toEqual({ waited: [], asked: ['<1@example.org>'] })
})

it('one that shows only later was sent, too', async () => {
  const { settle, waited } = rig(['absent', 'absent', { provider_id: 'p1' }])
  expect(await settle()).toMatchObject({ kind: 'sent' })
  expect(waited).toHaveLength(2)
})

it('one that is nowhere after several looks was not sent, and may be sent again', async () => {
  const { settle, asked } = rig(['absent'])
  expect(await settle()).toMatchObject({ kind: 'refused', passing: true })
  expect(asked.length).toBeGreaterThan(2)
})

it('an old one is looked for once', async () => {
  const { settle, asked, waited } = rig(['absent'], 3_600_000)
  expect(await settle()).toMatchObject({ kind: 'refused' })
  expect([asked.length, waited]).toEqual([1, []])
})

it.each<[string, Answer, string]>([
  ['a provider that keeps nothing', null, 'It broke off.'],
  [
    'a scope that is not granted',
    new Failure('provider_credentials', 'Grant it.'),
    'It broke off. It could not be looked for: Grant it.',
  ],
  ['silence', new DOMException('x', 'TimeoutError'), 'did not say in time'],
])('%s leaves it unknown', async (_, answer, detail) => {
  expect(await rig([answer]).settle()).toEqual({
    kind: 'unknown',
    detail: expect.stringContaining(detail) as string,
  })
  // Nor is a mail absent that was looked for in vain before the trouble came.
  expect(await rig(['absent', answer]).settle()).toMatchObject({ kind: 'unknown' })
})
