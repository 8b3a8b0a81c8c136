/** The `plumbline` command: finds the verb, reads its words, and turns whatever happens into an exit code. */
import { Failure } from '../kernel/failure.ts'
import { didYouMean } from '../kernel/text/nearest.ts'
import { visible } from '../kernel/text/visible.ts'
import { EXIT, exitCodeOf, isWrongWords } from './exit-codes.ts'
import { Misuse } from './misuse.ts'
import { OTHER_WORDS } from './words/other-words.ts'
import { tellJson, type Terminal } from './text/terminal.ts'
import type { CommandLine, Form, NamedVerb, Surroundings, Verb } from './verb.ts'
import { begunBy, wordsOf } from './words/form.ts'
import { positionalsIn, readWords } from './words/read-options.ts'
import { termsOf } from './words/terms.ts'

export interface Writer extends Omit<Terminal, 'json'> {
  /** What follows is long: a terminal shows it page by page. */
  readonly pages?: () => void
}

/** @param args the command line without the interpreter and the script. @param verbs in the order of the help text */
export async function runCommand(
  args: readonly string[],
  verbs: readonly NamedVerb[],
  surroundings: Surroundings,
  write: Writer,
): Promise<number> {
  const [name = 'help', ...rest] = args
  if (name === '--version' || name === '-V') {
    write.out(`plumbline ${surroundings.version}`)
    return EXIT.ok
  }
  if (HELP.has(name)) return help(rest, verbs, write)
  const found = verbs.find((candidate) => candidate.name === name)
  if (found === undefined) return unknownVerb(name, verbs, { ...write, json: rest.includes('--json') })
  return runVerb(await found.load(), args, { surroundings, write })
}

interface RunContext {
  readonly surroundings: Surroundings
  readonly write: Writer
}

async function runVerb(verb: Verb, args: readonly string[], context: RunContext): Promise<number> {
  const rest = args.slice(1)
  const { write } = context
  let asked: CommandLine | null = null
  try {
    if (rest.length === 0 && isGroup(verb) && !isForPipe(verb, write))
      return await verbHelp(verb, rest, write)
    asked = readWords(verb, rest)
    if (asked === null) return await verbHelp(verb, rest, write)
    return await runForm(asked, args, context)
  } catch (error) {
    return complain(error, { verb, asked }, { ...write, json: rest.includes('--json') })
  }
}

async function runForm(
  { form, values, options }: CommandLine,
  said: readonly string[],
  { surroundings, write }: RunContext,
): Promise<number> {
  if (form.is_long === true && options['json'] !== true) write.pages?.()
  const { sentence } = termsOf(form)
  const note = (line: string) => write.note(sentence(line))
  const terminal = { ...write, note, json: options['json'] === true }
  return form.run({ words: values, options, said, terminal, surroundings })
}

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h'])

/** `exit`, `exit-codes`, `exitcodes`, `exit status` and what else people say for it. */
const EXIT_TOPIC = /^exit(?:[-_ ]?(?:codes?|status))?$/i

async function help(asked: readonly string[], verbs: readonly NamedVerb[], write: Writer): Promise<number> {
  const { tellExitCodes, tellTasks, tellVerb, tellVerbs } = await import('./help.ts')
  const { tasksAbout } = await import('./words/tasks.ts')
  write.pages?.()
  const [name] = asked
  if (name === undefined || name.startsWith('-')) {
    tellVerbs(verbs, write)
    return EXIT.ok
  }
  if (EXIT_TOPIC.test(name)) {
    tellExitCodes(write)
    return EXIT.ok
  }
  const found = verbs.find((candidate) => candidate.name === name)
  if (found === undefined) {
    const tasks = tasksAbout(...asked)
    if (tasks.length === 0) return unknownVerb(name, verbs, { ...write, json: false })
    tellTasks(tasks, write)
    return EXIT.ok
  }
  const verb = await found.load()
  tellVerb(verb, verb.forms, write)
  return EXIT.ok
}

/** Of the forms that begin with the words beside `--help`, where some do. */
async function verbHelp(verb: Verb, rest: readonly string[], write: Writer): Promise<number> {
  const { tellVerb } = await import('./help.ts')
  write.pages?.()
  tellVerb(verb, begunBy(verb, positionalsIn(verb, rest)), write)
  return EXIT.ok
}

/** Of the command itself, without a verb. */
const OWN_OPTIONS = ['--version', '--help']

function unknownVerb(
  name: string,
  verbs: readonly NamedVerb[],
  write: Writer & Pick<Terminal, 'json'>,
): number {
  const meant = OTHER_WORDS[name.toLowerCase()]
  const names = verbs.map((verb) => verb.name)
  const known = name.startsWith('-') ? OWN_OPTIONS : names
  const nearest = meant === undefined ? didYouMean(name, known) : ` Did you mean "${meant}"?`
  const detail = `there is no verb "${visible(name).slice(0, 60)}".${nearest}`
  if (write.json) tellJson(write, { code: 'usage', detail })
  write.note(`plumbline: ${detail}`)
  write.note('plumbline VERB [--json] [--url URL]')
  write.note(
    '"plumbline help" lists the verbs, "plumbline VERB --help" tells of one, "plumbline help tasks" of what people come for.',
  )
  return EXIT.usage
}

interface AskedFor {
  readonly verb: Verb
  /** Null where the words fit no form. */
  readonly asked: CommandLine | null
}

/** In words for a person; where JSON is asked for, the answer is the error as the API's problems are. */
async function complain(
  error: unknown,
  { verb, asked }: AskedFor,
  write: Writer & Pick<Terminal, 'json'>,
): Promise<number> {
  write.status?.(null)
  if (error instanceof Failure) {
    // What was refused is shown whole, so that nobody confirms what they have not seen.
    const { tellRefusal } = await import('./text/tell-refusal.ts')
    tellRefusal(error, write, termsOf(asked?.form ?? null, asked))
    if (isWrongWords(error) && asked !== null && !readsFile(asked.form)) return EXIT.usage
    return asked !== null && isUnanswered(error) && isLook(asked) ? EXIT.unknown : exitCodeOf(error)
  }
  if (error instanceof Misuse) return tellMisuse(error, verb, write)
  throw error
}

async function tellMisuse(
  misuse: Misuse,
  verb: Verb,
  write: Writer & Pick<Terminal, 'json'>,
): Promise<number> {
  const { tellUsage } = await import('./help.ts')
  if (write.json) tellJson(write, { code: 'usage', detail: misuse.message })
  write.note(`plumbline ${verb.name}: ${visible(misuse.message)}`)
  tellUsage(verb, misuse.forms, write.note)
  return EXIT.usage
}

const isUnanswered = ({ code }: Failure): boolean => code === 'component_unavailable'

/** A rehearsal asks what would be done. */
const isLook = ({ form, options }: CommandLine): boolean =>
  form.is_look?.(options) === true || options['dry-run'] === true

/** One that does nothing alone: whoever says no more asks what there is. */
const isGroup = ({ forms }: Verb): boolean =>
  forms.every((form) => {
    const [first] = wordsOf(form)
    return first !== undefined && !first.is_value && !first.may_lack
  })

/** What goes on into a file or a program is not to be the help, and not to look like done. */
const isForPipe = ({ is_for_pipes }: Verb, { width }: Writer): boolean =>
  is_for_pipes === true && width === undefined

/** What is wrong may stand in the file, and the line be right. */
const readsFile = (form: Form): boolean => wordsOf(form).some(({ text }) => text === 'FILE')
