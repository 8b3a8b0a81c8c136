/** `plumbline doctor`: looks at everything that commonly goes wrong around the daemon, and says what would help. */
import { EXIT } from '../exit-codes.ts'
import { tellBeside } from '../text/table.ts'
import { styled, tellAs } from '../text/terminal.ts'
import type { Verb } from '../verb.ts'

const MARK = {
  good: () => styled('green', 'ok  '),
  warning: () => styled('yellow', 'warn'),
  bad: () => styled('red', 'BAD '),
}

export const doctor: Verb = {
  name: 'doctor',
  help: 'Examines the installation, and says what would help.',
  notes: ['Exit code 1 when something is wrong, 3 when no daemon runs that keeps it right.'],
  forms: [
    {
      words: '',
      help: 'Looks at settings, files, accounts, drift, and every rule of the database.',
      examples: [['doctor', 'What to look at first when something does not work.']],
      is_long: true,
      async run({ terminal, surroundings }) {
        const findings = await surroundings.examine(terminal.status ?? terminal.note)
        terminal.status?.(null)
        tellAs(terminal, findings, () => {
          for (const { state, check, detail, remedy } of findings) {
            tellBeside(terminal, `${MARK[state]()} `, `${check}: ${detail}`)
            if (remedy !== null) tellBeside(terminal, '     → ', remedy)
          }
        })
        if (findings.some(({ state }) => state === 'bad')) return EXIT.failed
        const is_kept = findings.every(({ check, state }) => check !== 'daemon' || state === 'good')
        return is_kept ? EXIT.ok : EXIT.unknown
      },
    },
  ],
}
