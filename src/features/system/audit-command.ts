/** `plumbline audit`: who changed what, when, and at whose request. */
import type { PresentedAudit } from '../../core/audit/read.ts'
import { undoneIn } from '../explain/provenance.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { Misuse } from '../../cli/misuse.ts'
import { shortTime, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const audit: Verb = {
  name: 'audit',
  takes: '[DOMAIN]',
  help: 'Show the audit trail, newest first, of everything or of one domain by name or id, deleted ones too.',
  options: {
    since: { type: 'string' },
    limit: { type: 'string' },
    actor: { type: 'string' },
    action: { type: 'string' },
  },
  async run(context) {
    const { words, terminal } = context
    if (words.length > 1) throw new Misuse('Name one domain, or none.')
    const path = `/api/audit?${queryOf(context, Date.now()).toString()}`
    const entries = await withApi(context, (api) =>
      expectGood<readonly PresentedAudit[]>(api, { method: 'GET', path }),
    )
    if (terminal.json) terminal.out(JSON.stringify(entries, null, 2))
    else tell(entries, terminal)
    return EXIT.ok
  },
}

function queryOf({ words: [domain], options }: VerbContext, now: number): URLSearchParams {
  const query = new URLSearchParams()
  if (domain !== undefined) query.set(/^[0-9]{1,15}$/.test(domain) ? 'domain_id' : 'domain', domain)
  for (const name of ['limit', 'actor', 'action']) {
    const value = options[name]
    if (typeof value !== 'string') continue
    if (name === 'limit' && !/^[1-9][0-9]{0,5}$/.test(value))
      throw new Misuse(`--limit takes a number such as 50, not "${value.slice(0, 40)}".`)
    query.set(name, value)
  }
  const since = options['since']
  if (typeof since === 'string') query.set('since', sinceTime(since, now))
  return query
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})$/i

/** `30m`, `24h` and `7d` count back from now; anything else is a time as the API takes it. */
function sinceTime(text: string, now: number): string {
  const match = /^([1-9][0-9]{0,4})([mhd])$/.exec(text)
  if (match !== null) return new Date(now - Number(match[1]) * UNIT_MS[match[2] as 'm']).toISOString()
  if (TIME.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw new Misuse(
    `--since takes an age such as 24h, or a time such as 2030-01-31T12:00:00Z, not "${text.slice(0, 40)}".`,
  )
}

function tell(entries: readonly PresentedAudit[], terminal: Terminal): void {
  if (entries.length === 0) return terminal.note('No entry matches.')
  const head = ['TIME', 'ACTOR', 'ACTION', 'DOMAIN', 'REVISION', 'REQUEST']
  const rows = entries.map((entry) => [
    shortTime(entry.at),
    entry.actor,
    entry.action,
    entry.domain ?? '-',
    revisionsOf(entry),
    entry.request_id,
  ])
  const [titles, ...lines] = table([head, ...rows])
  terminal.out(titles!)
  for (const [index, line] of lines.entries()) {
    terminal.out(line)
    for (const told of undoneBy(entries[index]!)) terminal.out(`  ${told}`)
  }
}

/** What somebody else had changed, and where it is kept. */
function undoneBy(entry: PresentedAudit): readonly string[] {
  const undone = undoneIn(entry)
  if (undone === null) return []
  return [
    ...undone.items.map(({ item, detail }) => `${item}: ${detail}`),
    ...undone.kept_as.map((path) => `kept as ${path}`),
  ]
}

function revisionsOf({ revision_before: before, revision_after: after }: PresentedAudit): string {
  if (before === null && after === null) return '-'
  return before === after ? String(after) : `${before ?? 'none'} -> ${after ?? 'none'}`
}
