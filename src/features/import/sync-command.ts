/**
 * `plumbline sync`: brings the records to what an estate document says, so that an estate can live in git. What the document
 * does not name is left alone; with `--prune` it is deleted in the same release, which the guards stand before.
 */
import { tellProse } from '../../cli/text/table.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type BackendOf, tellUnreached } from '../../cli/backends.ts'
import { EXIT, exitCodeAfter } from '../../cli/exit-codes.ts'
import { settle, SETTLING } from '../../cli/settle.ts'
import { tellApplied, type Applied, type PlannedEstate } from '../../cli/text/applied.ts'
import { tellJson, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { flagOf } from '../../cli/words/given.ts'
import { Failure } from '../../kernel/failure.ts'
import { isNothing, plannedEstate, savedLines, takesAway, tellDifference } from './estate-plan.ts'
import { entriesOf } from './import-command.ts'

export const sync: Verb = {
  name: 'sync',
  help: 'Brings the records to what an estate document says.',
  notes: [
    'Creates what is new, changes what differs, and deploys, in one release. What the document does not name is left alone, unless --prune is said: then it is deleted in the same release, behind the guards.',
    'On a terminal the plan is shown and asked about first. In a script or a pipe nobody is asked: it is applied at once, and what deletes a domain, disables it or takes it out of service wants --yes. --dry-run changes nothing, and ends with exit code 0 where there is nothing to do, 2 something, 3 not known.',
  ],
  forms: [
    {
      words: 'FILE',
      help: 'Shows the plan, asks, and does it. "plumbline export" writes such a document.',
      options: { prune: { help: 'Deletes the domains that the document does not name.' }, ...SETTLING },
      examples: [
        ['sync estate.yaml --dry-run --out plan.md', 'The plan for a pull request.'],
        ['sync estate.yaml --yes', 'For CI: what the document says is so afterwards.'],
        ['sync estate.yaml --prune', 'Also deletes what it does not name, after a question.'],
      ],
      run: synced,
    },
  ],
}

async function synced(context: VerbContext): Promise<number> {
  const { surroundings, words } = context
  const path = words[0]!
  const entries = await entriesOf(context, await surroundings.readFile(path), path)
  if (entries.length === 0)
    throw new Failure('validation_failed', `${path} names no domain. Nothing was changed.`)
  return withApi(context, (api) => applied(context, api, entries), { found: true })
}

type Entries = readonly Record<string, unknown>[]

async function applied(context: VerbContext, api: Api, entries: Entries): Promise<number> {
  const { terminal, options } = context
  const deletes = flagOf(options, 'prune') ? await unnamed(api, entries) : []
  const body = { domains: entries, ...(deletes.length > 0 && { deletes }) }
  const request = { method: 'POST', path: '/api/estate', body } as const
  const planned = await plannedEstate(api, request)
  if (isNothing(planned)) return nothing(planned, terminal)
  if (!terminal.json) tellDifference(planned, terminal)
  const settled = await settle<Applied>(context, api, {
    request,
    question: deletes.length === 0 ? 'Do it?' : `Do it, and delete ${counted(deletes)}?`,
    removes: takesAway(planned),
    asks_anyway: true,
    saves: savedLines(planned),
  })
  return settled.done ? tellOutcome(context, api, settled.answer) : settled.exit
}

async function tellOutcome(context: VerbContext, api: Api, answer: Applied): Promise<number> {
  const { terminal } = context
  if (terminal.json) tellJson(terminal, answer)
  else tellApplied(answer, context)
  await tellUnreached(api, await appliedDomains(api, answer, terminal), terminal)
  return exitCodeAfter(answer)
}

/** What the document moved, as far as it is looked at. */
async function appliedDomains(
  api: Api,
  { created, updated }: Applied,
  { json }: Terminal,
): Promise<readonly BackendOf[]> {
  const names = new Set([...created, ...updated])
  if (json || names.size === 0) return []
  const all = await expectGood<readonly BackendOf[]>(api, {
    method: 'GET',
    path: '/api/domains?status=active',
  })
  return all.filter(({ domain }) => names.has(domain))
}

const counted = (names: readonly string[]): string =>
  names.length === 1 ? names.join() : `${names.length} domains`

function nothing(planned: PlannedEstate, terminal: Terminal): number {
  if (terminal.json) tellJson(terminal, planned)
  else {
    const count = planned.unchanged.length
    tellProse(
      terminal,
      `Nothing to do: ${count === 1 ? 'the domain is' : `all ${count} domains are`} as the document says.`,
    )
  }
  return EXIT.ok
}

/** Names of what is saved and stands in no entry. */
async function unnamed(api: Api, entries: Entries): Promise<readonly string[]> {
  const named = new Set(entries.map(({ domain }) => domain))
  const all = await expectGood<readonly { domain: string }[]>(api, { method: 'GET', path: '/api/domains' })
  return all.map(({ domain }) => domain).filter((domain) => !named.has(domain))
}
