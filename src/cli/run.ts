/** The `plumbline` command: finds the verb, reads its options, and turns whatever happens into an exit code. */
import { parseArgs } from 'node:util'
import { Failure } from '../kernel/failure.ts'
import { didYouMean } from '../kernel/text/nearest.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { Misuse } from './misuse.ts'
import type { Terminal } from './terminal.ts'
import type { Surroundings, Verb } from './verb.ts'
import type { Plan } from '../model/plan.ts'
import { tellPlan } from './tell-plan.ts'

const COMMON = {
  json: { type: 'boolean' },
  url: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** A verb that is loaded when it is asked for: a command starts without all the others. */
export interface NamedVerb {
  readonly name: string
  load(): Promise<Verb>
}

/** @param words the command line without the interpreter and the script. @param verbs in the order of the help text */
export async function runCommand(
  words: readonly string[],
  verbs: readonly NamedVerb[],
  surroundings: Surroundings,
  write: Pick<Terminal, 'out' | 'note' | 'status'>,
): Promise<number> {
  const [name = 'help', ...rest] = words
  if (name === '--version' || name === 'version') {
    write.out(`plumbline ${surroundings.version}`)
    return EXIT.ok
  }
  const found = verbs.find((candidate) => candidate.name === name)
  if (found === undefined) return help(name, verbs, write)
  const verb = await found.load()
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { ...verb.options, ...COMMON },
      allowPositionals: verb.takes !== '',
    })
    const options = values as Record<string, string | boolean | undefined>
    if (options['help'] === true) return usage(verb, write)
    const terminal = { ...write, json: options['json'] === true }
    return await verb.run({ words: positionals, options, terminal, surroundings })
  } catch (error) {
    return complain(error, verb, { ...write, json: rest.includes('--json') })
  }
}

function complain(error: unknown, verb: Verb, write: Pick<Terminal, 'note' | 'json'>): number {
  if (error instanceof Failure) {
    // What was refused is shown whole, so that nobody confirms what they have not seen.
    const plan = error.details.facts?.['plan'] as Plan | null | undefined
    if (plan && !write.json) tellPlan({ ...plan, guards: [] }, { ...write, out: write.note })
    const lines = error.details.errors?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`) ?? [error.message]
    for (const line of lines) write.note(`plumbline: ${line}`)
    return exitCodeOf(error.code)
  }
  const code = (error as { code?: unknown }).code
  if (error instanceof Misuse || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))) {
    write.note(`plumbline ${verb.name}: ${(error as Error).message}`)
    usage(verb, { out: write.note })
    return EXIT.usage
  }
  throw error
}

async function help(
  name: string,
  verbs: readonly NamedVerb[],
  write: Pick<Terminal, 'out' | 'note'>,
): Promise<number> {
  const asked = name === 'help' || name === '--help' || name === '-h'
  const names = verbs.map((verb) => verb.name)
  if (!asked) write.note(`plumbline: there is no verb "${name}".${didYouMean(name, names)}`)
  if (!asked) {
    write.note('plumbline VERB [--json] [--url URL]')
    write.note('"plumbline help" lists the verbs, "plumbline VERB --help" tells of one.')
    return EXIT.usage
  }
  write.out('plumbline VERB [--json] [--url URL]')
  for (const { name: called, takes, help: sentence } of await Promise.all(verbs.map((verb) => verb.load())))
    write.out(`  ${`${called} ${takes}`.padEnd(26)} ${sentence}`)
  write.out(`  ${'--version'.padEnd(26)} Which version this is.`)
  return EXIT.ok
}

function usage(verb: Verb, write: Pick<Terminal, 'out'>): number {
  const options = Object.entries(verb.options).map(
    ([name, { type }]) => `[--${name}${type === 'string' ? ' VALUE' : ''}]`,
  )
  write.out(
    [`plumbline ${verb.name}`, verb.takes, ...options, '[--json] [--url URL]'].filter(Boolean).join(' '),
  )
  write.out(verb.help)
  return EXIT.ok
}
