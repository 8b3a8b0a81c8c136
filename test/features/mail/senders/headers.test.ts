/** Whatever a subject, a name or a text holds, the message has exactly the headers that were meant. */
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, it } from 'vitest'
import { composeMail } from '../../../../src/features/mail/senders/compose.ts'
import type { Mail } from '../../../../src/features/mail/port.ts'
import { runs } from '../../../kit/tier.ts'

const RUNS = runs(10_000)

const party = (address: string, name: string | null = null) => ({ address, name })

const mailWith = (change: Partial<Mail>): Mail => ({
  message_id: '<1@example.com>',
  at: Date.UTC(2026, 0, 1),
  from: party('from@example.com'),
  to: [party('to@example.com')],
  cc: [],
  bcc: [party('secret@example.com')],
  reply_to: null,
  subject: 'x',
  text: 'hello',
  html: null,
  ...change,
})

const HEADERS = ['content-type', 'date', 'from', 'message-id', 'mime-version', 'to']
/** Left out where there is nothing to say. */
const AT_MOST_ONCE = ['subject', 'content-transfer-encoding']

const PIECES = [
  '\r\nBcc: victim@example.com',
  '\nBcc: victim@example.com',
  '\rBcc: v@example.com',
  '\r\n\r\n<script>',
  '\u0000',
  '\u2028X-Evil: 1',
  '=?UTF-8?Q?=0D=0ABcc:_v@example.com?=',
  '=?utf-8?b?DQpCY2M6IHZAZXhhbXBsZS5jb20=?=',
  '"',
  ',',
  '<v@example.com>',
  ';',
  ':',
  '(',
  '\\',
  '%0d%0aBcc:v@example.com',
  'ü',
  '漢字',
  '🙂',
  ' ',
  'x'.repeat(90),
]

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 8 })
  .map((pieces) => pieces.join(''))

it(
  'ten thousand hostile subjects and names make no header and no recipient',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (subject, name, text) => {
        const mail = mailWith({
          subject,
          from: party('from@example.com', name),
          text,
          to: [party('to@example.com', name)],
        })
        const bytes = await composeMail(mail)
        const parsed = await PostalMime.parse(bytes)
        const names = parsed.headers.map(({ key }) => key)
        expect(names.filter((key) => !AT_MOST_ONCE.includes(key)).sort()).toEqual(HEADERS)
        expect(new Set(names).size).toBe(names.length)
        expect(parsed.from?.address).toBe('from@example.com')
        expect(parsed.to?.map(({ address }) => address)).toEqual(['to@example.com'])
        expect(parsed.cc ?? []).toEqual([])
        expect(parsed.bcc ?? []).toEqual([])
        // No line of the head is anything but a header that was meant, or the rest of one.
        const head = bytes.toString('latin1').split('\r\n\r\n')[0]!.split('\r\n')
        for (const line of head)
          expect(line).toMatch(
            /^(?:[ \t]|(?:From|To|Message-ID|Date|Subject|MIME-Version|Content-[A-Za-z-]+): ?)/,
          )
      }),
      { numRuns: RUNS },
    )
  },
)

it('what people write arrives as it was written', async () => {
  const texts = [
    'Grüße aus Köln',
    '漢字かな',
    'plain',
    '"quoted" <not an address>, really',
    '🙂 emoji',
    'a: b; c',
  ]
  for (const text of texts) {
    const bytes = await composeMail(
      mailWith({
        subject: text,
        from: party('from@example.com', text),
        text: `${text}\n.\n..dots\n`,
        html: `<p>${text}</p>`,
      }),
    )
    const parsed = await PostalMime.parse(bytes)
    expect(parsed.subject).toBe(text)
    expect(parsed.from).toMatchObject({ address: 'from@example.com', name: text })
    expect(parsed.text).toContain(`${text}\n.\n..dots`)
    expect(parsed.html).toContain('<p>')
    expect(parsed.messageId).toBe('<1@example.com>')
    expect(bytes.toString('latin1')).not.toContain('secret@example.com')
  }
})

it('hidden recipients stand in a header only for a provider that reads them there', async () => {
  const parsed = await PostalMime.parse(await composeMail(mailWith({}), { bcc: true }))
  expect(parsed.bcc?.map(({ address }) => address)).toEqual(['secret@example.com'])
})

/** A server that takes a bare CR for a line end would read `\r.\r` as the end of the mail, and what follows as commands. */
it('no text and no page brings a line end of its own into the session', async () => {
  const endings = [
    '\r',
    '\n',
    '\r\n',
    '\n\r',
    '\r.\r',
    '\n.\n',
    '\r.\r\nMAIL FROM:<x@example.com>\r',
    '.',
    'ü',
  ]
  const text = fc
    .array(fc.oneof(fc.constantFrom(...endings), fc.string({ maxLength: 5 })), { maxLength: 8 })
    .map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.option(text), async (plain, html) => {
      const bytes = await composeMail(mailWith({ text: plain, html }))
      expect(bytes.toString('latin1')).not.toMatch(/\r(?!\n)|(?<!\r)\n/)
    }),
    { numRuns: runs(1000), examples: [['a\r.\rMAIL FROM:<x@example.com>\r', null]] },
  )
})
