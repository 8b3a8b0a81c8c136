/** `plumbline search`: things by a word of theirs. */
import { EXIT } from '../../../cli/exit-codes.ts'
import { tellTable } from '../../../cli/text/table.ts'
import type { Terminal } from '../../../cli/text/terminal.ts'
import type { Verb } from '../../../cli/verb.ts'
import { asks } from '../../../cli/with-api.ts'
import type { Hit } from '../views.ts'

interface Answer {
  readonly q: string
  readonly hits: readonly Hit[]
}

export const search: Verb = {
  name: 'search',
  help: 'Finds domains, people, records, edges, releases, requests and settings by a word.',
  forms: [
    {
      words: 'WORD',
      help: 'Lists what has the word in its name, the best first.',
      examples: [['search 10.0.0.5', 'Which domains lead to that host?']],
      is_long: true,
      run: asks<Answer>({
        request: ({ words }) => ({ method: 'GET', path: `/api/search?q=${encodeURIComponent(words[0]!)}` }),
        text: tell,
        exit: () => EXIT.ok,
      }),
    },
  ],
}

function tell({ q, hits }: Answer, terminal: Terminal): void {
  if (hits.length === 0) terminal.note(`Nothing has "${q}" in its name.`)
  tellTable(
    terminal,
    hits.map(({ kind, title, detail }) => [kind, title, detail]),
  )
}
