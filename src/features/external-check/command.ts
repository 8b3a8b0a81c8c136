/** `plumbline external-check`: looks at the hub from another machine, once. */
import { EXIT } from '../../cli/exit-codes.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { tellAs, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { flagOf, textOf } from '../../cli/words/given.ts'
import { EXTERNAL_PROBES, type ExternalReport } from '../../model/network/external-check.ts'

const USER = 'plumbline'

export const externalCheckVerb: Verb = {
  name: 'external-check',
  help: 'Looks at the hub from another machine, writes the result, and mails on loss and on recovery.',
  forms: [
    {
      words: '',
      help: 'One run. Exit code 0: up; 2: down or degraded; 3: it could not be judged.',
      options: {
        'print-units': {
          help: 'Prints a systemd timer and its service for these settings, and looks at nothing.',
        },
        user: { value: 'USER', help: 'With --print-units: the user that it runs as; else plumbline.' },
      },
      examples: [
        ['external-check', 'What a timer calls every five minutes.'],
        ['external-check --print-units', 'The timer and its service.'],
      ],
      run: (context) => (flagOf(context.options, 'print-units') ? printed(context) : checked(context)),
    },
  ],
}

async function checked({ terminal, surroundings }: VerbContext): Promise<number> {
  const report = await surroundings.externalCheck()
  for (const warning of report.warnings) terminal.note(warning)
  tellAs(terminal, report, tellReport)
  if (report.is_unsaved) return EXIT.failed
  if (report.result === null) return EXIT.unknown
  return report.result.status === 'up' ? EXIT.ok : EXIT.drift
}

function tellReport({ hub, result, probes, mailed }: ExternalReport, terminal: Terminal): void {
  if (result === null || probes === null) return tellProse(terminal, `${hub} was not judged.`)
  tellProse(terminal, `${hub} is ${result.status}, connectivity score ${result.connectivity_score}.`)
  tellTable(
    terminal,
    EXTERNAL_PROBES.map((name) => [name, probes[name].passed ? 'passed' : 'failed', probes[name].detail]),
  )
  if (mailed !== null) terminal.note('A mail was sent.')
}

async function printed({ options, terminal, surroundings }: VerbContext): Promise<number> {
  const { units, is_checked } = await surroundings.externalUnits(textOf(options, 'user') ?? USER)
  tellAs(terminal, { units, is_checked }, () => {
    for (const { name, text } of units) terminal.out(`# ${name}\n${text.trimEnd()}\n`)
  })
  if (!is_checked) terminal.note('Not checked: there is no systemd-analyze here.')
  return EXIT.ok
}
