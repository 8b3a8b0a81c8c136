/**
 * `plumbline import traefik FILE…`: what hand-written Traefik files would be as records, what stays in them and why, and
 * what the routes file would be after it. Nothing is saved until --apply says so; the files are never touched.
 */
import { importReport, reportLines } from '../../operations/estate/report.ts'
import type { ReplacedRouter } from '../../operations/estate/replaced.ts'
import { fromTraefik } from '../../operations/estate/traefik.ts'
import { traefikDocument } from '../../operations/estate/traefik/document.ts'
import type { TraefikDocument } from '../../operations/estate/traefik/inventory.ts'
import { type Api, expectGood } from '../api.ts'
import { type Applied, type PlannedEstate, tellApplied } from '../applied.ts'
import { confirmed } from '../confirmed.ts'
import { exitCodeAfter } from '../exit-codes.ts'
import { coloured } from '../terminal.ts'
import type { VerbContext } from '../verb.ts'
import { withApi } from '../with-api.ts'

interface Imported {
  readonly records: readonly Record<string, unknown>[]
  readonly replaces: readonly ReplacedRouter[]
}

export async function importTraefik(context: VerbContext, files: readonly string[]): Promise<number> {
  const { terminal, options, surroundings } = context
  const documents: TraefikDocument[] = []
  for (const file of files) {
    terminal.note(`Reading ${file} …`)
    documents.push(traefikDocument(file, await surroundings.readFile(file), surroundings.documents))
  }
  const result = fromTraefik(documents, surroundings.importContext())
  if (!terminal.json) for (const line of reportLines(result)) terminal.out(line)
  const records = result.records.map(({ input }) => input)
  const outcome =
    records.length === 0
      ? null
      : await withApi(context, (api) => carryOut(context, api, { records, replaces: result.replaces }), {
          found: true,
        })
  if (terminal.json) terminal.out(JSON.stringify({ ...importReport(result), outcome }, null, 2))
  else if (outcome !== null && 'plan' in outcome) tellRehearsal(outcome, context)
  else if (outcome !== null) tellApplied(outcome, context)
  if (!terminal.json && options['apply'] !== true && options['activate'] !== true && records.length > 0)
    terminal.note(
      '\nNothing was saved. --apply saves the records as inactive, --activate deploys them as well.',
    )
  return exitCodeAfter(outcome ?? {})
}

/** The rehearsal sends what --activate would; --apply sends no status, so that a domain that is live stays so. */
async function carryOut(
  { options }: VerbContext,
  api: Api,
  { records, replaces }: Imported,
): Promise<Applied | PlannedEstate> {
  const activate = options['activate'] === true
  const apply = activate || options['apply'] === true
  const status = activate || !apply ? { status: 'active' } : {}
  return expectGood(api, {
    method: 'POST',
    path: apply ? confirmed('/api/estate', options) : '/api/estate?dry_run=true',
    body: { domains: records.map((record) => ({ ...record, ...status })), replaces },
  })
}

function tellRehearsal({ plan }: PlannedEstate, { terminal }: VerbContext): void {
  if (plan.unified_diff === null) return
  terminal.out('\nThe routes file after it:')
  terminal.out(coloured(plan.unified_diff).trimEnd())
}
