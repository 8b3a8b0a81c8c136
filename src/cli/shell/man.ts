/** The manual page, in the language of man(7): all verbs with their forms, options and examples. */
import { EXIT_WORDS } from '../exit-help.ts'
import { optionText, usageLine } from '../help.ts'
import { SETTLING } from '../settle.ts'
import type { Form, Option, Verb, VerbGroup } from '../verb.ts'
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
    '.SH TASKS',
    ...TASKS.flatMap(({ what, steps }) => [`.SS ${text(what)}`, ...steps.flatMap(examplePart)]),
    '.SH OPTIONS OF EVERY VERB',
    ...Object.entries(COMMON).map(([name, option]) => optionPart(name, option)),
    '.SH OPTIONS OF CHANGES',
    text('Of every form below that says [CHANGE]: it shows its plan and asks before it is carried out.'),
    ...Object.entries(SETTLING).map(([name, option]) => optionPart(name, option)),
    ...groups.flatMap(({ title, verbs }) => [`.SH ${text(title.toUpperCase())}`, ...verbs.flatMap(verbPart)]),
    '.SH FILES',
    ...FILES.flatMap(([name, words]) => ['.TP', `.I ${text(name)}`, text(words)]),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_WORDS).flatMap(([code, words]) => ['.TP', `.B ${code}`, text(words)]),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, words]) => ['.TP', `.B ${text(name)}`, text(words)]),
    '',
  ].join('\n')
}

/** Below PLUMBLINE_DATA_DIR, unless a setting names another place. */
const FILES = [
  [
    './data',
    'The data directory; PLUMBLINE_DATA_DIR names another one. Only one process holds it at a time.',
  ],
  ['./data/api-key', 'The key that is made at the first start, for the command on the same host.'],
  ['./data/traefik/routes.yml', 'The routes file for the proxy; PLUMBLINE_ROUTES_FILE names another one.'],
] as const

const ENVIRONMENT = [
  ['PLUMBLINE_DATA_DIR', 'Where the data is; ./data when it is not set.'],
  [
    'PLUMBLINE_LISTEN',
    'Where the daemon listens, as host:port; 127.0.0.1:8080 when it is not set. "plumbline config" shows all settings.',
  ],
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
      `.B ${text(usageLine(verb, { ...form, options: {} }).replace(' [--json] [--url URL]', '') + (settles(form) ? ' [CHANGE]' : ''))}`,
      '.br',
      text(form.help),
      ...Object.entries(form.options ?? {})
        .filter(([name, option]) => !settles(form) || option.help !== SETTLING[name]?.help)
        .map(([name, option]) => optionPart(name, option)),
    ]),
    ...(verb.notes ?? []).flatMap((note) => ['.PP', text(note)]),
    ...examples.flatMap(examplePart),
  ]
}

/** Whether it has the options of a change; those stand at one place, and what it says otherwise stays with it. */
const settles = ({ options = {} }: Form): boolean =>
  options['confirm'] !== undefined && options['confirm'].help === SETTLING['confirm']?.help

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
