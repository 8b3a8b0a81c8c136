/**
 * `plumbline import traefik FILE…`: what hand-written Traefik files would be as records, what stays in them and why, and
 * what the routes file would be after it. Nothing is saved until --apply says so; the files are never touched.
 */
import { Failure } from '../../kernel/failure.ts'
import { shellWord } from '../../kernel/text/shell-word.ts'
import { importReport, reportLines } from './report.ts'
import { fromTraefik } from './traefik.ts'
import type { ImportedRecord, TraefikImport } from './traefik/result.ts'
import { traefikDocument } from './traefik/document.ts'
import type { TraefikDocument } from './traefik/inventory.ts'
import { staticSetup } from '../routes/grammar/static-config.ts'
import type { StaticSetup } from '../../ports/import-context.ts'
import type { Plan } from '../../model/plan.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Applied, type PlannedEstate, tellApplied } from '../../cli/text/applied.ts'
import { confirmed } from '../../cli/confirmed.ts'
import { EXIT, exitCodeAfter } from '../../cli/exit-codes.ts'
import { tellPlan } from '../../cli/text/tell-plan.ts'
import { tellJson } from '../../cli/text/terminal.ts'
import type { VerbContext } from '../../cli/verb.ts'
import { tellProse } from '../../cli/text/table.ts'
import { withApi } from '../../cli/with-api.ts'

export async function importTraefik(context: VerbContext, files: readonly string[]): Promise<number> {
  const { terminal, surroundings } = context
  const documents = await documentsAt(files, context)
  const static_setup = await staticSetupOf(context)
  const here = await surroundings.importContext()
  const result = fromTraefik(documents, static_setup === null ? here : { ...here, static_setup })
  if (!terminal.json) for (const line of reportLines(result)) tellProse(terminal, line)
  const outcome =
    result.records.length === 0
      ? null
      : await withApi(context, (api) => carryOut(context, api, result), { found: true })
  if (terminal.json) tellJson(terminal, reportOf(result, outcome))
  else if (outcome !== null) tellOutcome(outcome, context)
  // What stands in it is not among the records, and nobody has said so but a line of the report.
  return documents.some((document) => 'unreadable' in document)
    ? EXIT.failed
    : exitCodeAfter(outcome?.answer ?? {})
}

/**
 * Null where no file is named, so that the setting counts. Throws a Failure where the file is none: everything else would be
 * read wrongly.
 */
async function staticSetupOf({ options, surroundings }: VerbContext): Promise<StaticSetup | null> {
  const file = options['static']
  if (typeof file !== 'string') return null
  const setup = staticSetup(await surroundings.treeOf(file, await surroundings.readFile(file)))
  if (setup !== null) return setup
  throw new Failure(
    'validation_failed',
    `${file} has no entryPoints: it is no static configuration of Traefik's.`,
  )
}

async function documentsAt(
  files: readonly string[],
  { terminal, surroundings }: VerbContext,
): Promise<readonly TraefikDocument[]> {
  const documents: TraefikDocument[] = []
  for (const file of files) {
    terminal.note(`Reading ${file} …`)
    documents.push(await documentAt(file, surroundings))
  }
  return documents
}

async function documentAt(file: string, surroundings: VerbContext['surroundings']): Promise<TraefikDocument> {
  try {
    const text = await surroundings.readFile(file)
    const document = traefikDocument(file, text, await surroundings.documents())
    const refused = 'unreadable' in document ? null : await surroundings.refusedByProxy(file, text)
    return refused === null ? document : { ...document, refused }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { file, unreadable: { line: null, reason: error.message } }
  }
}

function reportOf(result: TraefikImport, outcome: Outcome | null) {
  const { counts, ...report } = importReport(result)
  const { removable } = importReport(outcome?.taken ?? result)
  const { answer = null, kept = [] } = outcome ?? {}
  return { counts: { ...counts, removable: removable.length }, ...report, removable, outcome: answer, kept }
}

interface Outcome {
  /** What was rehearsed just before; null where nothing is left to save. */
  readonly plan: Plan | null
  /** Records that are there and say otherwise, in which fields. */
  readonly kept: PlannedEstate['changed']
  /** All but those. */
  readonly taken: TraefikImport
  readonly answer: Applied | PlannedEstate | null
}

function tellOutcome({ plan, kept, answer }: Outcome, context: VerbContext): void {
  const { terminal, options } = context
  tellKept(kept, context)
  if (plan === null || answer === null) return
  const is_saved_only = !('plan' in answer) && options['activate'] !== true
  terminal.out(`\nWhat ${is_saved_only ? 'saving' : 'deploying'} the records does:`)
  tellPlan(plan, terminal)
  if (!('plan' in answer)) tellApplied(answer, context)
  else
    terminal.note(
      '\nNothing was saved. --apply saves the records as inactive, --activate deploys them as well.',
    )
}

/** The rehearsal sends what --activate would; --apply sends no status, so that a domain that is live stays so. */
async function carryOut({ options }: VerbContext, api: Api, imported: TraefikImport): Promise<Outcome> {
  const activate = options['activate'] === true
  const apply = activate || options['apply'] === true
  const status = activate || !apply ? { status: 'active' } : {}
  const bodyOf = ({ records, replaces }: TraefikImport) => ({
    domains: records.map(({ input }) => ({ ...input, ...status })),
    replaces,
  })
  const method = 'POST'
  const rehearse = (given: TraefikImport) =>
    expectGood<PlannedEstate>(api, { method, path: '/api/estate?dry_run=true', body: bodyOf(given) })
  // Nobody activates what somebody has disabled.
  const disabled = 'status' in status ? await disabledAmong(api, imported) : []
  const enabled = without(imported, disabled)
  const whole = enabled.records.length === 0 ? null : await rehearse(enabled)
  const differing = (whole?.changed ?? []).filter(({ fields }) =>
    Object.keys(fields).some((name) => name !== 'status'),
  )
  const kept = [...disabled, ...differing]
  const taken = without(enabled, differing)
  if (taken.records.length === 0) return { plan: null, kept, taken, answer: null }
  const rehearsed = differing.length === 0 ? whole! : await rehearse(taken)
  const { plan } = rehearsed
  if (!apply) return { plan, kept, taken, answer: rehearsed }
  const path = confirmed('/api/estate', options)
  return { plan, kept, taken, answer: await expectGood(api, { method, path, body: bodyOf(taken) }) }
}

async function disabledAmong(api: Api, { records }: TraefikImport): Promise<Outcome['kept']> {
  const all = await expectGood<readonly { readonly domain: string }[]>(api, {
    method: 'GET',
    path: '/api/domains?status=disabled',
  })
  const names = new Set(all.map(({ domain }) => domain))
  return records
    .filter(({ input }) => names.has(input.domain))
    .map(({ input: { domain } }) => ({ domain, fields: { status: { before: 'disabled', after: 'active' } } }))
}

/** What somebody has made of a record since counts more than the file of before; its routers are replaced by nothing. */
function without(imported: TraefikImport, kept: Outcome['kept']): TraefikImport {
  if (kept.length === 0) return imported
  const names = new Set(kept.map(({ domain }) => domain))
  const [left, records] = [true, false].map((is_kept) =>
    imported.records.filter(({ input }) => names.has(input.domain) === is_kept),
  ) as [ImportedRecord[], ImportedRecord[]]
  const routers = new Set(
    left.flatMap(({ uses }) => uses.flatMap(({ where }) => ROUTER.exec(where)?.[1] ?? [])),
  )
  const replaces = imported.replaces.filter(({ router }) => !routers.has(router.replace(/@[^@]*$/, '')))
  return { ...imported, records, replaces }
}

const ROUTER = /^(?:http|tcp)[.]routers[.](.+)$/

/** With what the record has other than the file says. */
function tellKept(kept: Outcome['kept'], { terminal }: VerbContext): void {
  if (kept.length === 0) return
  terminal.out(
    '\nThese have a record already that says otherwise. It stays as it is, and the files still need what they have for them:',
  )
  for (const { domain, fields } of kept) {
    const hint =
      'status' in fields && fields['status'].before !== 'disabled'
        ? `; it stays off line, "plumbline on ${shellWord(domain)}" activates it as it is`
        : ''
    tellProse(terminal, `  = ${domain}: ${Object.keys(fields).join(', ')}${hint}`)
  }
}
