/** `plumbline discard`: gives up what is saved and not deployed. */
import { type Api, type ApiRequest, expectGood } from '../../../cli/api.ts'
import { assertDomains } from '../../../cli/find-domain.ts'
import { EXIT } from '../../../cli/exit-codes.ts'
import { agreed, assertMeant, isAsked } from '../../../cli/settle.ts'
import { tellMessage, tellProse, tellTable } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { shownTo, tellAs, tellJson, type Terminal } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { flagOf } from '../../../cli/words/given.ts'
import type { SuccessAnswer } from '../../../core/answers.ts'
import { mapLimit } from '../../../kernel/async/map-limit.ts'
import { shownValue } from '../../../cli/text/shown-value.ts'
import { type ReadRecord, recordNamed } from './record.ts'
import type { Editions } from '../editions/views.ts'

export const discard: Verb = {
  name: 'discard',
  help: 'Gives up what is saved of a domain and not deployed.',
  notes: [
    'Nothing outside moves. A note and tags need no deploy, so they stay as they are. The audit trail keeps what was given up. A script says --yes.',
  ],
  forms: [
    {
      words: 'NAME…',
      help: 'Saves the domain as it is released; of several all of them or none.',
      options: {
        yes: { short: 'y', help: 'Does it without a question.' },
        'dry-run': { help: 'Shows what would be given up.' },
      },
      examples: [
        ['discard app.example.com', 'Shows what is given up, and asks.'],
        ['discard a.example.com b.example.com', 'Also where each was given the name of the other.'],
      ],
      run: (context) => {
        assertDomains(context.words)
        return withApi(context, (api) => discarded(context, api))
      },
    },
  ],
}

const IN_TURN = { at_once: 1 }

async function discarded(context: VerbContext, api: Api): Promise<number> {
  const { terminal, options, words } = context
  const chosen = await mapLimit(words, IN_TURN, (word) => recordNamed(api, word))
  const request = requestOf(chosen)
  const is_dry = flagOf(options, 'dry-run')
  if (is_dry || isAsked(context)) {
    const shown = await mapLimit(chosen, IN_TURN, (one) => editionsOf(api, one))
    // What would be refused is refused here.
    await expectGood(api, { ...request, path: `${request.path}?dry_run=true` })
    tellShown(shown, is_dry ? terminal : shownTo(terminal))
    const is_something = shown.some(({ moved }) => moved.length > 0)
    if (is_dry) return is_something ? EXIT.drift : EXIT.ok
    if (is_something && !(await agreed(context, `Discard what is saved of ${namesOf(chosen)}?`))) {
      terminal.note('Nothing was changed.')
      return EXIT.failed
    }
  } else assertMeant(context, { removes: true })
  const answer = await expectGood<SuccessAnswer>(api, request)
  tellAs(terminal, answer, tellMessage)
  tellWarnings(answer.warnings, terminal)
  return EXIT.ok
}

/** As each was seen here. */
function requestOf(chosen: readonly ReadRecord[]): ApiRequest {
  const [only] = chosen
  if (only !== undefined && chosen.length === 1)
    return {
      method: 'POST',
      path: `/api/domains/${only.record.id}/discard`,
      headers: { 'if-match': only.tag },
    }
  const records = chosen.map(({ record: { id, revision } }) => ({ id, revision }))
  return { method: 'POST', path: '/api/domains/changes', body: { records, action: 'discard' } }
}

const editionsOf = (api: Api, { record }: ReadRecord): Promise<Editions> =>
  expectGood(api, { method: 'GET', path: `/api/domains/${record.id}/editions` })

const namesOf = (chosen: readonly ReadRecord[]): string =>
  chosen.length === 1 ? chosen[0]!.record.domain : `${chosen.length} domains`

function tellShown(shown: readonly Editions[], terminal: Terminal): void {
  const [only] = shown
  if (terminal.json) return tellJson(terminal, shown.length === 1 ? only : shown)
  if (only !== undefined && shown.length === 1) return tellMoved(only, terminal)
  for (const one of shown) {
    tellProse(terminal, `${one.saved.domain}:`)
    tellMoved(one, terminal)
  }
}

function tellMoved({ saved, released, moved }: Editions, terminal: Terminal): void {
  if (released === null || moved.length === 0) return tellProse(terminal, 'It is saved as it is released.')
  const rows = moved.map((field) => [
    '~',
    field,
    `${shownValue(saved[field])} -> ${shownValue(released[field])}`,
  ])
  tellTable(terminal, rows, { indent: '  ' })
}
