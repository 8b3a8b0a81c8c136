/** `plumbline notifications`: what is wrong, who was told, and a test that they would be. */
import type { NotificationsAnswer } from './read.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { type Terminal, shortTime } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb } from '../../cli/verb.ts'
import { asks } from '../../cli/with-api.ts'
import type { TestAnswer } from './views.ts'

const PATH = '/api/notifications'

export const notifications: Verb = {
  name: 'notifications',
  help: 'Lists what is wrong and who was notified of it.',
  forms: [
    {
      words: '',
      help: 'Lists what is wrong now, who was notified, and what is on its way.',
      examples: [['notifications', 'What is wrong?']],
      is_long: true,
      run: asks<NotificationsAnswer>({ request: () => ({ method: 'GET', path: PATH }), text: tell }),
    },
    {
      words: 'test',
      help: 'Sends a test to every channel, and says how each went.',
      options: { 'dry-run': { help: 'Shows to whom it would be sent, and sends nothing.' } },
      examples: [['notifications test', 'Exit code 1 where one failed.']],
      run: asks<TestAnswer>({
        request: () => ({ method: 'POST', path: `${PATH}/test` }),
        text: tellTest,
        rehearses: true,
        exit: ({ success }) => (success ? EXIT.ok : EXIT.failed),
      }),
    },
  ],
}

function tellTest({ results }: TestAnswer, terminal: Terminal): void {
  if (results.length === 0) terminal.note(NOBODY)
  for (const { name, target, ok, detail } of results)
    tellProse(
      terminal,
      `${name} (${target}): ${ok ? 'sent' : 'failed'}${detail === null ? '' : `. ${detail}`}`,
    )
}

const NOBODY = 'Nobody is told: set PLUMBLINE_NOTIFY_MAIL or PLUMBLINE_NOTIFY_WEBHOOK.'

/** What is younger is not told yet, and is no matter of this list. */
function lasting(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function tell(
  { configured, after_seconds, channels, open, owed }: NotificationsAnswer,
  terminal: Terminal,
): void {
  if (!configured) terminal.note(NOBODY)
  for (const { name, target, last_sent_at, last_error } of channels) {
    const last = last_sent_at === null ? 'nothing sent yet' : `last sent ${shortTime(last_sent_at)}`
    terminal.note(`${name} (${target}): ${last}${last_error === null ? '' : `; ${last_error}`}`)
  }
  for (const { channel, title, attempts, next_try_at } of owed)
    terminal.note(`On its way to ${channel} (${attempts} tries, next ${shortTime(next_try_at)}): ${title}`)
  if (open.length === 0)
    tellProse(terminal, `Nothing has been wrong for ${lasting(after_seconds)} or longer.`)
  const rows = open.map((alert) => [
    alert.severity,
    alert.kind,
    alert.key,
    alert.domains.length === 0 ? '-' : alert.domains.join(','),
    `since ${shortTime(alert.since)}`,
    alert.told.length === 0 ? 'not told' : `told ${alert.told.join(', ')}`,
  ])
  tellTable(terminal, rows)
}
