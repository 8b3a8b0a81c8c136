/**
 * `plumbline sync`: brings the records to what an estate document says, so that an estate can live in git. What the document
 * does not name is left alone; with `--prune` it is taken out in the same release, which the guards stand before, and then
 * deleted.
 */
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT, exitCodeAfter } from '../../cli/exit-codes.ts'
import { settle, SETTLING } from '../../cli/settle.ts'
import { tellApplied, type Applied, type PlannedEstate } from '../../cli/text/applied.ts'
import { styled, tellJson, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { flagOf } from '../../cli/words/given.ts'
import { Failure } from '../../kernel/failure.ts'
import { isEmptyPlan } from '../../model/plan.ts'
import { type DomainFields, type DomainRecord, fieldsOf, isLive } from '../../model/domain/record.ts'
import { entriesOf } from './import-command.ts'

export const sync: Verb = {
  name: 'sync',
  help: 'Brings the records to what an estate document says.',
  notes: [
    'Creates what is new, changes what differs, and deploys, in one release. What the document does not name is left alone, unless --prune is said: then it is taken out in the same release, with the guards, and deleted.',
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

type Saved = DomainFields & Pick<DomainRecord, 'id' | 'status'>

async function synced(context: VerbContext): Promise<number> {
  const { terminal, options, surroundings, words } = context
  const path = words[0]!
  const entries = await entriesOf(context, await surroundings.readFile(path), path)
  const prunes = flagOf(options, 'prune')
  if (entries.length === 0)
    throw new Failure('validation_failed', `${path} names no domain. Nothing was changed.`)
  return withApi(
    context,
    async (api) => {
      const removed = prunes ? await unnamed(api, entries) : []
      const taken_out = removed.filter(isLive).map((record) => ({ ...fieldsOf(record), status: 'inactive' }))
      const request = {
        method: 'POST',
        path: '/api/estate',
        body: { domains: [...entries, ...taken_out] },
      } as const
      const planned = await expectGood<PlannedEstate>(api, { ...request, path: '/api/estate?dry_run=true' })
      const names = removed.map(({ domain }) => domain)
      if (!terminal.json) tellDifference(planned, names, terminal)
      if (isEmptyPlan(planned.plan) && planned.created.length + planned.updated.length + removed.length === 0)
        return nothing(planned, terminal)
      const settled = await settle<Applied>(context, api, {
        request,
        question: removed.length === 0 ? 'Do it?' : `Do it, and delete ${removed.length} domains?`,
        removes: removed.length > 0,
        asks_anyway: true,
      })
      if (!settled.done) return settled.exit
      const deleted = await deleteAll(api, removed)
      if (terminal.json) tellJson(terminal, { ...settled.answer, deleted })
      else {
        tellApplied(settled.answer, context)
        for (const name of deleted) terminal.out(`  - ${name}`)
      }
      return exitCodeAfter(settled.answer)
    },
    { found: true },
  )
}

function nothing(planned: PlannedEstate, terminal: Terminal): number {
  if (terminal.json) tellJson(terminal, planned)
  else terminal.out(`Nothing to do: all ${planned.unchanged.length} domains are as the document says.`)
  return EXIT.ok
}

/** What is saved and stands in no entry. */
async function unnamed(api: Api, entries: readonly Record<string, unknown>[]): Promise<readonly Saved[]> {
  const named = new Set(entries.map(({ domain }) => domain))
  const all = await expectGood<readonly Saved[]>(api, { method: 'GET', path: '/api/domains' })
  return all.filter(({ domain }) => !named.has(domain))
}

/** Out of what is served already: what is left of each is its record, and what is ours of it elsewhere. */
async function deleteAll(api: Api, removed: readonly Saved[]): Promise<readonly string[]> {
  const deleted: string[] = []
  for (const { id, domain } of removed) {
    await expectGood(api, { method: 'DELETE', path: `/api/domains/${id}` })
    deleted.push(domain)
  }
  return deleted
}

function tellDifference(
  { created, updated }: PlannedEstate,
  removed: readonly string[],
  terminal: Terminal,
): void {
  const pruned = new Set(removed)
  for (const name of created) terminal.out(styled('green', `  + ${name}`))
  for (const name of updated) if (!pruned.has(name)) terminal.out(styled('yellow', `  ~ ${name}`))
  for (const name of removed) terminal.out(styled('red', `  - ${name}, deleted`))
}
