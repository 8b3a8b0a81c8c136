/** `plumbline mail`: whether mail can be sent, by whom, and one mail. */
import { EXIT } from '../../cli/exit-codes.ts'
import { tellPlain } from '../../cli/text/tell-plain.ts'
import { tellMessage, tellTable } from '../../cli/text/table.ts'
import type { Verb } from '../../cli/verb.ts'
import { asks } from '../../cli/with-api.ts'
import { flagOf } from '../../cli/words/given.ts'
import type { Alias } from './views.ts'

interface MailHealth {
  readonly configured: boolean
  readonly ok: boolean | null
}

interface Sent {
  readonly success: boolean
  readonly state: string
  readonly detail: string | null
  readonly message_id: string
}

export const mail: Verb = {
  name: 'mail',
  help: 'Whether mail can be sent, by whom, and one mail.',
  notes: ['Exit code 1 where it cannot be sent, 3 where a mail may have gone out and nobody knows.'],
  forms: [
    {
      words: '',
      help: 'Says whether mail could be sent now.',
      examples: [['mail', 'Asks the provider.']],
      run: asks<MailHealth>({
        request: () => ({ method: 'GET', path: '/api/email/health' }),
        text: tellPlain,
        exit: ({ configured, ok }) => (configured && ok === false ? EXIT.failed : EXIT.ok),
      }),
    },
    {
      words: 'aliases',
      help: 'Lists the verified senders.',
      examples: [['mail aliases', 'From which addresses it may be sent.']],
      run: asks<readonly Alias[]>({
        request: () => ({ method: 'GET', path: '/api/email/aliases' }),
        text: (all, terminal) =>
          tellTable(
            terminal,
            all.map(({ address, name, is_default }) => [address, name ?? '', is_default ? 'default' : '']),
          ),
      }),
    },
    {
      words: 'send FROM TO SUBJECT TEXT',
      fields: { from_address: 'FROM' },
      help: 'Sends one mail, at most once.',
      options: { 'dry-run': { help: 'Checks it and sends nothing.' } },
      examples: [
        ['mail send me@example.com jo@example.com Test "It works."', 'FROM is one of "mail aliases".'],
      ],
      run: asks<Sent>({
        request: ({ words, options }) => {
          const [from_address, to, subject, text] = words
          const body = { from_address, to: [to], subject, text }
          const query = flagOf(options, 'dry-run') ? '?dry_run=true' : ''
          return { method: 'POST', path: `/api/email/send${query}`, body }
        },
        text: tellPlain,
        exit: ({ state, success }) =>
          state === 'unknown' ? EXIT.unknown : success === false ? EXIT.failed : EXIT.ok,
      }),
    },
    {
      words: 'refresh-token',
      help: 'Gets a new access token from the mail provider now.',
      examples: [['mail refresh-token', 'After its grant was renewed.']],
      run: asks<{ readonly message: string }>({
        request: () => ({ method: 'POST', path: '/api/email/refresh-token' }),
        text: tellMessage,
      }),
    },
  ],
}
