/** `plumbline audit`: who changed what, when, and at whose request. */
import type { PresentedAudit } from '../../core/audit/read.ts'
import { addressesIn } from './audit-words.ts'
import { actorShown } from '../../cli/text/actor-shown.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { domainId } from '../../cli/find-domain.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { undoneIn } from '../explain/provenance.ts'
import { type Terminal, shortTime, tellAs } from '../../cli/text/terminal.ts'
import { tellTable } from '../../cli/text/table.ts'
import { isRecord } from '../../kernel/text/lenient.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { numberOf, sinceOf, textOf } from '../../cli/words/given.ts'
import { withApi } from '../../cli/with-api.ts'

export const audit: Verb = {
  name: 'audit',
  help: 'Shows who changed what, when, and at whose request.',
  forms: [
    {
      words: '[DOMAIN]',
      help: 'Shows the audit trail, newest first, of everything or of one domain by name or id, deleted ones too. The name of now finds what happened under an earlier one; a rename is found under both.',
      options: {
        since: {
          value: 'AGE',
          help: 'Only what is younger: 30m, 24h, 7d, or a time such as 2030-01-31T12:00:00Z.',
        },
        limit: { value: 'N', help: 'At most so many entries.' },
        actor: {
          value: 'NAME',
          help: 'Only what this person, key or the reconciler did: ana, ci, main for the main key.',
        },
        action: { value: 'ACTION', help: 'Only such entries, as undo_edit or rename.' },
      },
      examples: [
        ['audit app.example.com', 'Everything that happened to one domain.'],
        ['audit --since 24h --actor reconciler', 'What was repaired since yesterday.'],
      ],
      is_long: true,
      run: read,
    },
  ],
}

function read(context: VerbContext): Promise<number> {
  const { terminal, options } = context
  const query = queryOf(context, Date.now()).toString()
  const action = textOf(options, 'action')
  return withApi(context, async (api) => {
    const entries = await pageOf(api, query)
    if (entries.length === 0) await assertKnown(api, context)
    tellAs(terminal, entries, tell)
    if (entries.length === 0 && action !== undefined && action !== 'rename')
      await tellActions(api, action, terminal)
    return EXIT.ok
  })
}

/** A name of which the trail knows nothing may be mistyped. Throws `not_found` with what is near. */
async function assertKnown(api: Api, { words: [domain], options }: VerbContext): Promise<void> {
  const is_filtered = ['since', 'actor', 'action'].some((name) => options[name] !== undefined)
  if (domain !== undefined && !is_filtered) await domainId(api, domain)
}

const pageOf = (api: Api, query: string): Promise<readonly PresentedAudit[]> =>
  expectGood(api, { method: 'GET', path: `/api/audit?${query}` })

/** Whoever has mistyped an action learns which there are; one that other filters leave out is right. */
async function tellActions(api: Api, action: string, terminal: Terminal): Promise<void> {
  const of_action = await pageOf(api, new URLSearchParams({ action, limit: '1' }).toString())
  if (of_action.length > 0) return
  const newest = await pageOf(api, `limit=${MOST}`)
  const known = [...new Set(newest.map((entry) => entry.action))].toSorted()
  if (known.length > 0)
    terminal.note(
      `No entry has the action "${action.slice(0, 64)}". The newest ${newest.length} have: ${known.join(', ')}.`,
    )
}

/** As many as one page may have. */
const MOST = 500

/** What the trail calls a record that was saved and deployed in one call, and what the command does. */
const EXPOSE = 'expose'
const ADD = 'add'

function queryOf({ words: [domain], options }: VerbContext, now: number): URLSearchParams {
  const query = new URLSearchParams()
  if (domain !== undefined) query.set(/^[0-9]{1,15}$/.test(domain) ? 'domain_id' : 'domain', domain)
  const given = {
    limit: numberOf(options, 'limit'),
    actor: textOf(options, 'actor'),
    action: textOf(options, 'action') === ADD ? EXPOSE : textOf(options, 'action'),
    since: sinceOf(options, 'since', now),
  }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value))
  return query
}

function tell(entries: readonly PresentedAudit[], terminal: Terminal): void {
  if (entries.length === 0) return terminal.note('No entry matches.')
  const head = ['TIME', 'ACTOR', 'ACTION', 'DOMAIN', 'REVISION', 'REQUEST']
  const rows = entries.map((entry) => ({
    cells: [
      shortTime(entry.at),
      actorShown(entry.actor),
      entry.action === EXPOSE ? `${EXPOSE} (${ADD})` : entry.action,
      entry.domain ?? '-',
      revisionsOf(entry),
      entry.request_id,
    ],
    below: [...undoneBy(entry), ...addressesIn(entry.detail), ...changesIn(entry)],
  }))
  tellTable(terminal, rows, { head })
}

/** What somebody else had changed, and where it is kept. */
function undoneBy(entry: PresentedAudit): readonly string[] {
  const undone = undoneIn(entry)
  if (undone === null) return []
  return [
    ...undone.items.map(({ item, detail }) => (detail.includes(item) ? detail : `${item}: ${detail}`)),
    ...undone.kept_as.map((path) => `kept as ${path}`),
  ]
}

const MAX_CHANGES = 12

/** What was changed, a line a field, and how it was asked for: `note: "first" -> "second"`. The rest is in the JSON. */
function changesIn({ action, detail }: PresentedAudit): readonly string[] {
  if (action === 'undo_edit') return []
  const { before, after } = detail
  const fields =
    isRecord(before) && isRecord(after)
      ? Object.keys(after).map((name) => [name, { before: before[name], after: after[name] }] as const)
      : Object.entries(detail)
  const lines = fields.flatMap(([name, value]) => {
    if (isRecord(value) && 'before' in value && 'after' in value) {
      const [was, is] = [shown(value['before']), shown(value['after'])]
      return was === is ? [] : [`${name}: ${was} -> ${is}`]
    }
    const is_reason = name === 'because' || (name === 'reason' && action.endsWith('_failed'))
    if (is_reason) return [`${name}: ${String(value)}`]
    return typeof value === 'object' || value === '' ? [] : [`${name}: ${shown(value)}`]
  })
  const left = lines.length - MAX_CHANGES
  return left <= 1 ? lines : [...lines.slice(0, MAX_CHANGES), `and ${left} more: --json has all`]
}

const MAX_SHOWN = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

function revisionsOf({ revision_before: before, revision_after: after }: PresentedAudit): string {
  if (before === null && after === null) return '-'
  return before === after ? String(after) : `${before ?? 'none'} -> ${after ?? 'none'}`
}
