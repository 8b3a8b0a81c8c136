/** `plumbline show`: one record with all that was decided about it, and what is known of it outside. */
import { tellUnreached } from '../../../cli/backends.ts'
import { EXIT } from '../../../cli/exit-codes.ts'
import { tellProse, tellTable } from '../../../cli/text/table.ts'
import { shortTime, styled, tellAs, type Terminal } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { hasSameDigest } from '../../../kernel/digest.ts'
import { FIELD_NAMES, FIELDS } from '../../../model/domain/record.ts'
import type { PresentedDomain } from '../present.ts'
import { shownValue } from '../../../cli/text/shown-value.ts'
import { recordNamed } from './record.ts'
import { conditionRows, conditionsOf, type Seen, seenBy } from './seen.ts'

export const show: Verb = {
  name: 'show',
  help: 'Shows one domain.',
  forms: [
    {
      words: 'NAME',
      help: 'Shows what is saved of a domain, by name or id, and what is known of it outside.',
      options: { all: { help: 'Shows also the fields that have their default.' } },
      examples: [
        ['show app.example.com', 'What somebody decided about it.'],
        ['show app.example.com --json', 'The whole record as the API has it.'],
      ],
      is_long: true,
      run: shown,
    },
  ],
}

async function shown(context: VerbContext): Promise<number> {
  const { words, terminal, options } = context
  return withApi(context, async (api) => {
    const { record } = await recordNamed(api, words[0]!)
    const seen = terminal.json ? [] : await seenBy(api)
    tellAs(terminal, record, () => tell(record, { seen, all: options['all'] === true, terminal }))
    if (LIVE.has(record.status)) await tellUnreached(api, [record], terminal)
    return EXIT.ok
  })
}

/** What is served, so that its backend is asked for. */
const LIVE: ReadonlySet<string> = new Set(['active', 'error'])

interface Showing {
  readonly seen: Seen
  readonly all: boolean
  readonly terminal: Terminal
}

function tell(record: PresentedDomain, { seen, all, terminal }: Showing): void {
  const { id, domain, domain_unicode, status, status_reason, revision, updated_at, external_ip } = record
  const name = domain === domain_unicode ? domain : `${domain_unicode} (${domain})`
  tellProse(
    terminal,
    styled('bold', `${name} is ${status}${status_reason === null ? '' : `: ${status_reason}`}`),
  )
  const rows = [
    ...fieldRows(record, all),
    ...(external_ip === null ? [] : [['published as', external_ip]]),
    ['saved', `revision ${revision}, ${shortTime(updated_at)} (id ${id})`],
  ]
  tellTable(terminal, rows, { indent: '  ' })
  const conditions = conditionsOf(record, seen)
  if (conditions.length > 0) terminal.out(styled('bold', 'Outside'))
  tellTable(terminal, conditionRows(conditions), { indent: '  ' })
  if (record.backend_warning !== null) terminal.note(`warning: ${record.backend_warning}`)
}

const fieldRows = (record: PresentedDomain, all: boolean) =>
  FIELD_NAMES.filter((field) => field !== 'domain')
    .filter((field) => all || !hasSameDigest(record[field], FIELDS[field].default ?? null))
    .map((field) => [field, shownValue(record[field])])
