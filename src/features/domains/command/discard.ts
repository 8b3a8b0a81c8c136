/** `plumbline discard`: gives up what is saved and not deployed. */
import { expectGood } from '../../../cli/api.ts'
import { EXIT } from '../../../cli/exit-codes.ts'
import { agreed, assertMeant, isAsked } from '../../../cli/settle.ts'
import { tellMessage, tellProse, tellTable } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { shownTo, tellAs } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { flagOf } from '../../../cli/words/given.ts'
import type { SuccessAnswer } from '../../../core/answers.ts'
import { shownValue } from '../../../cli/text/shown-value.ts'
import { recordNamed } from './record.ts'
import type { Editions } from '../editions/views.ts'

export const discard: Verb = {
  name: 'discard',
  help: 'Gives up what is saved of a domain and not deployed.',
  notes: [
    'Nothing outside moves. A note and tags need no deploy, so they stay as they are. The audit trail keeps what was given up. A script says --yes.',
  ],
  forms: [
    {
      words: 'NAME',
      help: 'Saves the domain as it is released.',
      options: {
        yes: { short: 'y', help: 'Does it without a question.' },
        'dry-run': { help: 'Shows what would be given up.' },
      },
      examples: [['discard app.example.com', 'Shows what is given up, and asks.']],
      run: (context) => discarded(context),
    },
  ],
}

const discarded = (context: VerbContext): Promise<number> =>
  withApi(context, async (api) => {
    const { terminal, options } = context
    const { record, tag } = await recordNamed(api, context.words[0]!)
    const path = `/api/domains/${record.id}`
    const request = { method: 'POST', path: `${path}/discard`, headers: { 'if-match': tag } } as const
    if (flagOf(options, 'dry-run') || isAsked(context)) {
      const editions = await expectGood<Editions>(api, { method: 'GET', path: `${path}/editions` })
      // What would be refused is refused here.
      await expectGood(api, { ...request, path: `${request.path}?dry_run=true` })
      tellAs(flagOf(options, 'dry-run') ? terminal : shownTo(terminal), editions, tellMoved)
      if (flagOf(options, 'dry-run')) return editions.moved.length > 0 ? EXIT.drift : EXIT.ok
      if (
        editions.moved.length > 0 &&
        !(await agreed(context, `Discard what is saved of ${record.domain}?`))
      ) {
        terminal.note('Nothing was changed.')
        return EXIT.failed
      }
    } else assertMeant(context, { removes: true })
    const answer = await expectGood<SuccessAnswer>(api, request)
    tellAs(terminal, answer, tellMessage)
    tellWarnings(answer.warnings, terminal)
    return EXIT.ok
  })

function tellMoved({ saved, released, moved }: Editions, terminal: Parameters<typeof tellTable>[0]): void {
  if (released === null || moved.length === 0) return tellProse(terminal, 'It is saved as it is released.')
  const rows = moved.map((field) => [
    '~',
    field,
    `${shownValue(saved[field])} -> ${shownValue(released[field])}`,
  ])
  tellTable(terminal, rows, { indent: '  ' })
}
