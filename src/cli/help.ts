/** Help as it is printed: the list of verbs, one verb with its forms, options and examples, and the lines behind an error. */
import { EXIT_RULE, EXIT_WORDS } from './exit-help.ts'
import type { Terminal } from './text/terminal.ts'
import { styled } from './text/terminal.ts'
import { fitted, wrapped } from './text/table.ts'
import type { Form, NamedVerb, Option, Options, Verb } from './verb.ts'
import type { Task } from './words/tasks.ts'
import { COMMON } from './words/read-options.ts'

type Out = Pick<Terminal, 'out' | 'width'>

/** Wider than this nobody reads prose. */
const MAX_WIDTH = 100
/** In a pipe, behind which is a pager, a page or a ticket. */
const PIPED_WIDTH = 80
const widthOf = ({ width }: Out): number => Math.min(width ?? PIPED_WIDTH, MAX_WIDTH)

/** `plumbline edges add NAME [--region REGION] [--json] [--url URL]` */
export function usageLine({ name }: Pick<Verb, 'name'>, { words, options = {} }: Form): string {
  const own = Object.entries(options).map(([option, { value, many }]) => {
    const text = value === undefined ? `[--${option}]` : `[--${option} ${value}]`
    return many === true ? `${text}…` : text
  })
  return ['plumbline', name, words, ...own, '[--json] [--url URL]'].filter(Boolean).join(' ')
}

/** What stands behind an error: how it would be right. */
export function tellUsage(verb: Verb, forms: readonly Form[] | null, out: (line: string) => void): void {
  for (const form of (forms ?? verb.forms).slice(0, MAX_SHOWN)) out(usageLine(verb, shortened(form)))
  out(`"plumbline ${verb.name} --help" says more, with examples.`)
}

const MAX_SHOWN = 12
/** More options than anybody reads in one line are left to the help. */
const MAX_OPTIONS = 8

function shortened(form: Form): Form {
  const options = Object.entries(form.options ?? {})
  return options.length <= MAX_OPTIONS
    ? form
    : { ...form, words: `${form.words} [OPTION…]`.trim(), options: {} }
}

export function tellVerb(verb: Verb, forms: readonly Form[], terminal: Out): void {
  const { out } = terminal
  const width = widthOf(terminal)
  for (const line of wrapped(verb.help, width)) out(line)
  for (const form of forms) {
    out('')
    for (const line of wrapped(['plumbline', verb.name, form.words].filter(Boolean).join(' '), width, 2))
      out(styled('bold', line))
    if (forms.length > 1 || form.help !== verb.help)
      for (const line of wrapped(form.help, width - 2)) out(`  ${line}`)
    tellOptions(form.options ?? {}, terminal)
  }
  const examples = forms.flatMap(({ examples: some = [] }) => some)
  if (examples.length > 0) out(`\n${styled('bold', 'Examples')}`)
  tellExamples(examples, terminal)
  out(`\n${styled('bold', 'Options of every verb')}`)
  tellOptions(COMMON, terminal)
  for (const note of verb.notes ?? []) {
    out('')
    for (const line of wrapped(note, width)) out(line)
  }
}

function tellExamples(examples: NonNullable<Form['examples']>, terminal: Out): void {
  for (const [command, does] of examples) {
    for (const line of commandLines(`plumbline ${command}`, terminal)) terminal.out(`  ${line}`)
    for (const line of wrapped(does, widthOf(terminal) - 6)) terminal.out(`      ${line}`)
  }
}

/** On a narrow terminal broken as a shell takes it, so that it can be copied all the same. */
function commandLines(command: string, { width = Infinity }: Out): readonly string[] {
  const columns = width - 2
  if (command.length <= columns) return [command]
  const lines: string[] = []
  let line = ''
  for (const word of command.match(SHELL_WORD) ?? []) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && longer.length + BROKEN.length > columns) {
      lines.push(line + BROKEN)
      line = `  ${word}`
    } else line = longer
  }
  return [...lines, line]
}

const BROKEN = ' \\'
/** What is quoted stays whole. */
const SHELL_WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g

function tellOptions(options: Options, terminal: Out): void {
  const rows = Object.entries(options).map(([name, option]) => [optionText(name, option), sentenceOf(option)])
  if (rows.length === 0) return
  for (const line of fitted(rows, null, widthOf(terminal) - 4)) terminal.out(`    ${line}`)
}

/** `-q, --names`, `--zone ZONE` */
export function optionText(name: string, { value, short, negatable }: Option): string {
  const long = `--${negatable === true ? '[no-]' : ''}${name}`
  return `${short === undefined ? '' : `-${short}, `}${long}${value === undefined ? '' : ` ${value}`}`
}

function sentenceOf({ help, one_of, many }: Option): string {
  const values = one_of === undefined ? '' : ` One of ${one_of.join(', ')}.`
  return `${help}${values}${many === true ? ' May be given several times.' : ''}`
}

export function tellVerbs(all: readonly NamedVerb[], terminal: Out): void {
  const { out } = terminal
  out('plumbline VERB [--json] [--url URL]')
  for (const title of new Set(all.map((verb) => verb.title))) {
    out('')
    out(styled('bold', title))
    const rows = all.filter((verb) => verb.title === title).map(({ name, help }) => [name, help])
    for (const line of fitted(rows, null, widthOf(terminal) - 2)) out(`  ${line}`)
  }
  out('')
  for (const line of CLOSING) for (const part of wrapped(line, widthOf(terminal))) out(part)
}

/** What `plumbline help` knows beside the verbs. */
export function tellExitCodes(terminal: Out): void {
  for (const line of wrapped(EXIT_RULE.replaceAll('`', '"'), widthOf(terminal))) terminal.out(line)
  terminal.out('')
  for (const line of fitted(Object.entries(EXIT_WORDS), null, widthOf(terminal) - 2))
    terminal.out(`  ${line}`)
}

/** What people come for, each with its commands. */
export function tellTasks(tasks: readonly Task[], terminal: Out): void {
  for (const [at, { what, steps }] of tasks.entries()) {
    if (at > 0) terminal.out('')
    for (const line of wrapped(what, widthOf(terminal))) terminal.out(styled('bold', line))
    tellExamples(steps, terminal)
  }
}

const CLOSING = [
  '"plumbline help tasks" says which commands do what people come for: undo a change, make CI fail on drift, let a person in; "plumbline help undo" tells of one.',
  '"plumbline VERB --help" says how a verb is used, with examples. "plumbline man | man -l -" is all of it on one page.',
  '"plumbline help exit-codes" says what its exit codes mean; "plumbline --version" which version this is.',
]
