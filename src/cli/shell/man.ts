/** The manual page, in the language of man(7): all verbs with their forms, options and examples. */
import { EXIT_WORDS } from '../exit-help.ts'
import { optionText, usageLine } from '../help.ts'
import type { Option, Verb, VerbGroup } from '../verb.ts'
import { TASKS } from '../words/tasks.ts'
import { COMMON } from '../words/read-options.ts'

export function manPage(groups: readonly VerbGroup[], version: string): string {
  return [
    `.TH PLUMBLINE 1 "" "plumbline ${text(version)}" "User Commands"`,
    '.SH NAME',
    'plumbline \\- keeps routes, DNS records, certificates and sign\\-in rules true to one database',
    '.SH SYNOPSIS',
    '.B plumbline\n.I VERB\n.RI [ WORD \\&...]\n.RI [ OPTION \\&...]',
    '.SH DESCRIPTION',
    text(
      'Asks the daemon that holds the data directory; where none runs, the command does the work itself. Saving is not deploying: what is saved goes live with a deploy. On a terminal a plan is shown and asked about before it is carried out.',
    ),
    ...groups.flatMap(({ title, verbs }) => [`.SH ${text(title.toUpperCase())}`, ...verbs.flatMap(verbPart)]),
    '.SH TASKS',
    ...TASKS.flatMap(({ what, steps }) => [`.SS ${text(what)}`, ...steps.flatMap(examplePart)]),
    '.SH OPTIONS OF EVERY VERB',
    ...Object.entries(COMMON).map(([name, option]) => optionPart(name, option)),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_WORDS).flatMap(([code, words]) => ['.TP', `.B ${code}`, text(words)]),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, words]) => ['.TP', `.B ${text(name)}`, text(words)]),
    '',
  ].join('\n')
}

const ENVIRONMENT = [
  ['PLUMBLINE_DATA_DIR', 'Where the data is; ./data when it is not set.'],
  ['API_KEY', 'The key for the API; else it is read from the data directory.'],
  ['VISUAL, EDITOR', 'The editor of "plumbline edit".'],
  ['PAGER', 'Shows long answers on a terminal; less when it is not set, none when it is empty or cat.'],
  ['NO_COLOR', 'Set to anything: no colours.'],
] as const

function verbPart(verb: Verb): readonly string[] {
  const examples = verb.forms.flatMap((form) => form.examples ?? [])
  return [
    `.SS ${text(verb.name)}`,
    text(verb.help),
    ...verb.forms.flatMap((form) => [
      '.PP',
      `.B ${text(usageLine(verb, { ...form, options: {} }).replace(' [--json] [--url URL]', ''))}`,
      '.br',
      text(form.help),
      ...Object.entries(form.options ?? {}).map(([name, option]) => optionPart(name, option)),
    ]),
    ...(verb.notes ?? []).flatMap((note) => ['.PP', text(note)]),
    ...examples.flatMap(examplePart),
  ]
}

const examplePart = ([command, does]: readonly [string, string]): readonly string[] => [
  '.PP',
  '.nf',
  `.RS\n${text(`plumbline ${command}`)}\n.RE`,
  '.fi',
  '.RS 8',
  text(does),
  '.RE',
]

function optionPart(name: string, option: Option): string {
  const values = option.one_of === undefined ? '' : ` One of ${option.one_of.join(', ')}.`
  return `.TP\n.B ${text(optionText(name, option))}\n${text(option.help + values)}`
}

/** Nothing in it is a request of the formatter, and a hyphen stays one that can be copied. */
const text = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', "'")
    .replaceAll('…', '...')
    .replace(/^[.']/, (mark) => `\\&${mark}`)
