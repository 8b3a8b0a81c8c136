/** `plumbline config`: the effective settings with their source, secrets hidden. */
import { EXIT } from './exit-codes.ts'
import { table } from './terminal.ts'
import type { Verb } from './verb.ts'

export const config: Verb = {
  name: 'config',
  takes: '',
  help: 'Show the effective settings and where each comes from. Secrets are hidden.',
  options: {},
  async run({ terminal, surroundings }) {
    const lines = surroundings.settings()
    if (terminal.json) terminal.out(JSON.stringify(lines, null, 2))
    else
      for (const line of table(lines.map(({ name, value, source }) => [name, source, value ?? '(unset)'])))
        terminal.out(line.trimEnd())
    return EXIT.ok
  },
}
