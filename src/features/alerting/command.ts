/** `plumbline alerts`: what fires, and who takes it up. */
import type { z } from 'zod'
import { EXIT } from '../../cli/exit-codes.ts'
import { shortTime, type Terminal } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { flagOf, spanOf, textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'
import type * as views from './views.ts'

type Alert = z.output<typeof views.RoutedAlertView>
type Acknowledged = z.output<typeof views.AlertAcknowledged>
type Tested = z.output<typeof views.AlertTested>

export const alerts: Verb = {
  name: 'alerts',
  help: 'What fires at the alert router, and who has taken it up.',
  notes: ['Exit code 2 where something fires that nobody has acknowledged, 3 where the router does not say.'],
  forms: [
    {
      words: '[show]',
      help: 'Lists the alerts that fire, the oldest first.',
      examples: [['alerts', 'What is wrong now.']],
      is_long: true,
      run: asks<readonly Alert[]>({
        request: () => ({ method: 'GET', path: '/api/alerts' }),
        text: tellAlerts,
        exit: (all) => (all.some(({ state }) => state === 'firing') ? EXIT.drift : EXIT.ok),
        is_look: true,
      }),
    },
    {
      words: 'ack NAME',
      help: 'Acknowledges an alert as it fires now: whoever would be told after five minutes is not told. Another instance, and what becomes worse, are told all the same.',
      options: {
        for: { value: 'TIME', help: 'How long, such as 30m or 8h; else 2h.' },
        instance: { value: 'INSTANCE', help: 'Only that of this instance.' },
        severity: { value: 'SEVERITY', help: 'Only that of this severity.' },
        comment: { value: 'TEXT', help: 'What is shown beside it.' },
        'dry-run': { help: 'Shows what it would concern and sets nothing.' },
      },
      examples: [['alerts ack CephOsdDown --for 8h', 'Somebody sees to it.']],
      run: asks<Acknowledged>({
        request: (context) => ({
          method: 'POST',
          path: `/api/alerts/ack${flagOf(context.options, 'dry-run') ? '?dry_run=true' : ''}`,
          body: ackBody(context),
        }),
        text: ({ message, alerts: all }, terminal) => {
          tellProse(terminal, message)
          tellAlerts(all, terminal)
        },
      }),
    },
    {
      words: 'test',
      help: 'Fires a test alert that ends after two minutes.',
      options: {
        severity: { value: 'SEVERITY', help: 'warning, high or critical; else warning.' },
        'dry-run': { help: 'Shows what it would fire, and fires nothing.' },
      },
      examples: [['alerts test --severity critical', 'Whether the mail arrives.']],
      run: asks<Tested>({
        request: ({ options }) => {
          const severity = textOf(options, 'severity')
          return {
            method: 'POST',
            path: '/api/alerts/test',
            body: severity === undefined ? {} : { severity },
          }
        },
        text: ({ message }, terminal) => tellProse(terminal, message),
        rehearses: true,
      }),
    },
  ],
}

function ackBody({ words, options }: VerbContext) {
  const lasting_ms = spanOf(options, 'for')
  const given = (name: string) => {
    const text = textOf(options, name)
    return text === undefined ? {} : { [name]: text }
  }
  return {
    name: words[0],
    ...(lasting_ms !== undefined && { for_seconds: Math.round(lasting_ms / 1000) }),
    ...given('instance'),
    ...given('severity'),
    ...given('comment'),
  }
}

function tellAlerts(all: readonly Alert[], terminal: Terminal): void {
  if (all.length === 0) return terminal.note('Nothing fires.')
  tellTable(
    terminal,
    all.map(({ name, severity, instance, state, since, summary }) => ({
      cells: [name, severity ?? '', instance ?? '', state, shortTime(since), summary ?? ''],
      ...(state === 'firing' && { style: 'yellow' as const }),
    })),
    { head: ['ALERT', 'SEVERITY', 'INSTANCE', 'STATE', 'SINCE', 'WHAT'] },
  )
}
