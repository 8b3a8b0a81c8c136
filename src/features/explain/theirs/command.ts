/** `plumbline drift save-theirs ITEM`: what a hand made of a route becomes an edit of its record. */
import { shownValue } from '../../../cli/text/shown-value.ts'
import { tellProse, tellTable } from '../../../cli/text/table.ts'
import type { Verb } from '../../../cli/verb.ts'
import { asks } from '../../../cli/with-api.ts'
import { flagOf } from '../../../cli/words/given.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'

interface Saved {
  readonly message: string
  readonly warnings: readonly string[]
}

interface Rehearsed {
  readonly dry_run: true
  readonly changed: readonly string[]
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

export const theirsForms: Verb['forms'] = [
  {
    words: 'save-theirs ITEM',
    help: 'Saves what a hand made of a route as an edit of its record; nothing is deployed.',
    examples: [
      [
        'drift save-theirs http.services.plumbline-site_app.example.com',
        'Only where the record can say all of it.',
      ],
    ],
    options: { 'dry-run': { help: 'Shows what would be saved.' } },
    run: asks<Saved | Rehearsed>({
      request: ({ words, options }) => ({
        method: 'POST',
        path: `/api/drift/save-theirs${flagOf(options, 'dry-run') ? '?dry_run=true' : ''}`,
        body: { item: words[0]! },
      }),
      text(answer, terminal) {
        if ('dry_run' in answer) return tellTable(terminal, movedRows(answer), { indent: '  ' })
        tellProse(terminal, answer.message)
        tellWarnings(answer.warnings, terminal)
      },
      saves: (answer) => 'changed' in answer && answer.changed.length > 0,
    }),
  },
]

const movedRows = ({ changed, before, after }: Rehearsed) =>
  changed.map((field) => ['~', field, `${shownValue(before[field])} -> ${shownValue(after[field])}`])
