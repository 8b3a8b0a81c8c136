/** `plumbline config`: the effective settings with their source, secrets hidden. */
import { EXIT } from '../exit-codes.ts'
import { tellTable } from '../text/table.ts'
import { tellAs } from '../text/terminal.ts'
import type { Verb } from '../verb.ts'

export const config: Verb = {
  name: 'config',
  help: 'Shows the effective settings and where each comes from.',
  forms: [
    {
      words: '',
      help: 'Shows all settings. Secrets are hidden.',
      examples: [['config | grep LISTEN', 'Where the daemon listens.']],
      is_long: true,
      async run({ terminal, surroundings }) {
        tellAs(terminal, await surroundings.settings(), (lines) =>
          tellTable(
            terminal,
            lines.map(({ name, value, source }) => [name, source, value ?? '(unset)']),
          ),
        )
        return EXIT.ok
      },
    },
  ],
}
