/** `plumbline import`: applies an estate document. `plumbline import traefik`: reads hand-written Traefik files into records. */
import { Misuse } from '../../cli/misuse.ts'
import { Failure } from '../../kernel/failure.ts'
import { faultText, readEstate } from './read.ts'
import { expectGood } from '../../cli/api.ts'
import { confirmed } from '../../cli/confirmed.ts'
import { exitCodeAfter } from '../../cli/exit-codes.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { type Applied, type PlannedEstate, tellApplied } from '../../cli/applied.ts'
import { tellPlan } from '../../cli/tell-plan.ts'

export const importEstate: Verb = {
  name: 'import',
  takes: '[traefik] FILE…',
  help: 'Apply an estate document, or read hand-written Traefik files (a report; --static names the static configuration, --apply saves, --activate deploys too).',
  options: {
    'dry-run': { type: 'boolean' },
    apply: { type: 'boolean' },
    activate: { type: 'boolean' },
    confirm: { type: 'string' },
    static: { type: 'string' },
  },
  async run(context) {
    const [first, ...rest] = context.words
    if (first === 'traefik' && rest.length > 0) {
      // Loaded only when it is asked for: it is the largest part of the command.
      const { importTraefik } = await import('./traefik-command.ts')
      return importTraefik(context, rest)
    }
    if (first === undefined || rest.length > 0)
      throw new Misuse('Name one estate document, or say: plumbline import traefik FILE…')
    return applyDocument(context, first)
  },
}

async function applyDocument(context: VerbContext, path: string): Promise<number> {
  const { terminal, options } = context
  const domains = entriesOf(context, await context.surroundings.readFile(path), path)
  const dry = options['dry-run'] === true
  const call = {
    method: 'POST',
    path: dry ? '/api/estate?dry_run=true' : confirmed('/api/estate', options),
    body: { domains },
  } as const
  terminal.note(`Applying ${domains.length} domains from ${path} …`)
  const answer = await withApi(context, (api) => expectGood<Applied | PlannedEstate>(api, call), {
    found: true,
  })
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else if ('plan' in answer) tellPlan(answer.plan, terminal)
  else tellApplied(answer, context)
  return exitCodeAfter(answer)
}

function entriesOf(context: VerbContext, text: string, path: string): readonly Record<string, unknown>[] {
  const read = context.surroundings.documents.read(text, { max_bytes: MAX_BYTES })
  if (!read.ok) throw refused(path, [read.line === null ? read.msg : `line ${read.line} ${read.msg}`])
  const estate = readEstate(read.data)
  if (!estate.ok) throw refused(path, estate.faults.map(faultText))
  return estate.entries.map(({ input, status }) => ({ ...input, status }))
}

const MAX_BYTES = 4 * 1024 * 1024

const refused = (path: string, faults: readonly string[]): Failure =>
  new Failure('validation_failed', `${path} is refused, nothing was applied:\n  ${faults.join('\n  ')}`)
