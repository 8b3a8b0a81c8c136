/** `plumbline import`: applies an estate document. `plumbline import traefik`: reads hand-written Traefik files into records. */
import { Failure } from '../../kernel/failure.ts'
import { faultText, readEstate } from './read.ts'
import { exitCodeAfter } from '../../cli/exit-codes.ts'
import { isAsked, settle, SETTLING } from '../../cli/settle.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { type Applied, tellApplied } from '../../cli/text/applied.ts'
import { tellJson } from '../../cli/text/terminal.ts'
import { flagOf } from '../../cli/words/given.ts'
import { isNothing, plannedEstate, savedLines, takesAway, tellDifference } from './estate-plan.ts'

export const importEstate: Verb = {
  name: 'import',
  help: 'Takes an estate document, or reads hand-written Traefik files.',
  notes: [
    'An estate document is taken whole or not at all, in one release. No record is ever deleted: "plumbline sync" does that. In a script, what disables a domain or takes it out of service wants --yes.',
  ],
  forms: [
    {
      words: 'FILE',
      help: 'Applies an estate document, as "plumbline export" writes it.',
      options: SETTLING,
      examples: [['import estate.yaml --dry-run', 'Shows what it would do.']],
      run: (context) => applyDocument(context, context.words[0]!),
    },
    {
      words: 'traefik FILE…',
      help: 'Reports what hand-written files of Traefik would be as records, and what stays in them. The files are never touched.',
      options: {
        static: {
          value: 'FILE',
          help: 'Traefik’s static configuration; else PLUMBLINE_TRAEFIK_STATIC, else the proxy’s API.',
        },
        apply: { help: 'Saves the records that are not there yet, as inactive.' },
        activate: { help: 'Saves and deploys them.' },
        confirm: {
          value: 'HASH',
          help: 'Carries out the plan with this hash and no other, which also answers a guard; --dry-run prints the hash.',
        },
      },
      examples: [['import traefik /etc/traefik/dynamic/*.yml', 'A report, with the plan. Nothing is saved.']],
      async run(context) {
        // Loaded only when it is asked for: it is the largest part of the command.
        const { importTraefik } = await import('./traefik-command.ts')
        return importTraefik(context, context.words)
      },
    },
  ],
}

async function applyDocument(context: VerbContext, path: string): Promise<number> {
  const { terminal } = context
  const domains = await entriesOf(context, await context.surroundings.readFile(path), path)
  terminal.note(`${path} names ${domains.length === 1 ? '1 domain' : `${domains.length} domains`}.`)
  const request = { method: 'POST', path: '/api/estate', body: { domains } } as const
  return withApi(
    context,
    async (api) => {
      const planned = await plannedEstate(api, request)
      const is_shown = flagOf(context.options, 'dry-run') || isAsked(context)
      if (is_shown && !terminal.json) tellDifference(planned, terminal)
      const settled = await settle<Applied>(context, api, {
        request,
        question: 'Do it?',
        removes: takesAway(planned),
        asks_anyway: !isNothing(planned),
        saves: savedLines(planned),
      })
      if (!settled.done) return settled.exit
      if (terminal.json) tellJson(terminal, settled.answer)
      else tellApplied(settled.answer, context)
      return exitCodeAfter(settled.answer)
    },
    { found: true },
  )
}

export async function entriesOf(
  { surroundings }: Pick<VerbContext, 'surroundings'>,
  text: string,
  path: string,
): Promise<readonly Record<string, unknown>[]> {
  const read = (await surroundings.documents()).read(text, { max_bytes: MAX_BYTES })
  if (!read.ok) throw refused(path, [read.line === null ? read.msg : `line ${read.line} ${read.msg}`])
  const estate = readEstate(read.data)
  if (!estate.ok) throw refused(path, estate.faults.map(faultText))
  return estate.entries.map(({ input, status }) => ({ ...input, status }))
}

const MAX_BYTES = 4 * 1024 * 1024

const refused = (path: string, faults: readonly string[]): Failure =>
  new Failure('validation_failed', `${path} is refused, nothing was applied:\n  ${faults.join('\n  ')}`)
