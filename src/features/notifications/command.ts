/** `plumbline notifications`: what is wrong, who was told, and a test that they would be. */
import { Misuse } from '../../cli/misuse.ts'
import type { NotificationsAnswer } from './read.ts'
import type { TestAnswer } from './channels/test-channels.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { shortTime, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

const PATH = '/api/notifications'

export const notifications: Verb = {
  name: 'notifications',
  takes: '[test]',
  help: 'Lists what is wrong and who was told of it; "notifications test" sends a test to every channel.',
  options: {},
  async run(context) {
    const { words, terminal } = context
    const [deed, ...rest] = words
    if (rest.length > 0 || (deed !== undefined && deed !== 'test'))
      throw new Misuse('Say "notifications" or "notifications test".')
    return withApi(context, (api) => (deed === 'test' ? test(api, terminal) : list(api, terminal)))
  },
}

async function test(api: Api, terminal: Terminal): Promise<number> {
  const answer = await expectGood<TestAnswer>(api, { method: 'POST', path: `${PATH}/test` })
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else if (answer.results.length === 0) terminal.note(NOBODY)
  else
    for (const { name, target, ok, detail } of answer.results)
      terminal.out(`${name} (${target}): ${ok ? 'sent' : 'failed'}${detail === null ? '' : `. ${detail}`}`)
  return answer.success ? EXIT.ok : EXIT.failed
}

const NOBODY = 'Nobody is told: set PLUMBLINE_NOTIFY_MAIL or PLUMBLINE_NOTIFY_WEBHOOK.'

async function list(api: Api, terminal: Terminal): Promise<number> {
  const answer = await expectGood<NotificationsAnswer>(api, { method: 'GET', path: PATH })
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else tell(answer, terminal)
  return EXIT.ok
}

function tell({ configured, channels, open, owed }: NotificationsAnswer, terminal: Terminal): void {
  if (!configured) terminal.note(NOBODY)
  for (const { name, target, last_sent_at, last_error } of channels) {
    const last = last_sent_at === null ? 'nothing sent yet' : `last sent ${shortTime(last_sent_at)}`
    terminal.note(`${name} (${target}): ${last}${last_error === null ? '' : `; ${last_error}`}`)
  }
  for (const { channel, title, attempts, next_try_at } of owed)
    terminal.note(`On its way to ${channel} (${attempts} tries, next ${shortTime(next_try_at)}): ${title}`)
  if (open.length === 0) terminal.out('Nothing is wrong.')
  const rows = open.map((trouble) => [
    trouble.severity,
    trouble.kind,
    trouble.key,
    trouble.domains.length === 0 ? '-' : trouble.domains.join(','),
    `since ${shortTime(trouble.since)}`,
    trouble.told.length === 0 ? 'not told' : `told ${trouble.told.join(', ')}`,
  ])
  for (const line of table(rows)) terminal.out(line.trimEnd())
}
