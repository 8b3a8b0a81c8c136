/** `plumbline config`: the effective settings of the daemon with their source, secrets hidden. */
import { expectGood } from '../api.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../../kernel/failure.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { tellProse, tellTable } from '../text/table.ts'
import { styled, tellAs, type Terminal } from '../text/terminal.ts'
import type { Options, SettingLine, Verb, VerbContext } from '../verb.ts'
import { flagOf, textOf } from '../words/given.ts'
import { withApi } from '../with-api.ts'

const OPTIONS: Options = {
  own: { help: 'Shows those of this environment, as a daemon that is started from it would have them.' },
}

export const config: Verb = {
  name: 'config',
  help: 'Shows the effective settings and where each comes from.',
  notes: ['The settings are those of the daemon that runs; where none does, those of this environment.'],
  forms: [
    {
      words: '',
      help: 'Shows all settings. Secrets are hidden.',
      options: OPTIONS,
      examples: [['config | grep LISTEN', 'Where the daemon listens.']],
      is_long: true,
      async run(context) {
        const { terminal } = context
        tellAs(terminal, await settingsFor(context), (lines) => tellSettings(lines, terminal))
        return EXIT.ok
      },
    },
    {
      words: 'NAME',
      help: 'Shows one setting: what it is for, its value, and where that comes from.',
      options: OPTIONS,
      examples: [
        ['config PLUMBLINE_LISTEN', 'What it does, and how it is now. "config listen" does, too.'],
        ['config listen --own', 'How it would be in a daemon that is started from here.'],
      ],
      async run(context) {
        const { terminal, words } = context
        const line = settingNamed(await settingsFor(context), words[0]!)
        tellAs(terminal, line, ({ name, value, source, default: usual, help }) => {
          terminal.out(styled('bold', name))
          tellProse(terminal, `  ${help}`)
          const rows = [
            ['value', value ?? '(unset)'],
            ['from', source === 'default' ? 'its default' : source],
            ['default', usual ?? '(none)'],
          ]
          tellTable(terminal, rows, { indent: '  ' })
        })
        return EXIT.ok
      },
    },
  ],
}

type Lines = readonly SettingLine[]

/** A value that is longer than its column stands below its name, broken where a list or a path is. */
function tellSettings(lines: Lines, terminal: Terminal): void {
  const { width = Infinity } = terminal
  const columns = Math.max(...lines.map(({ name }) => name.length)) + FROM_WIDTH
  const is_narrow = width < columns + MIN_VALUE
  const rows = lines.map(({ name, value, source }) => {
    const text = value === null ? '(unset)' : value === '' ? '(none)' : value
    if (is_narrow) return { cells: [name], below: [...folded(text, width - INDENT), `from: ${source}`] }
    return columns + text.length <= width
      ? [name, source, text]
      : { cells: [name, source, ''], below: folded(text, width - INDENT) }
  })
  tellTable(terminal, rows, is_narrow ? {} : { head: ['SETTING', 'FROM', 'VALUE'] })
}

const FROM_WIDTH = '  environment  '.length
const MIN_VALUE = 12
const INDENT = 2

function folded(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const part of text.match(/[^,/]*[,/]|[^,/]+$/g) ?? [text]) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + part.length <= width) lines[lines.length - 1] = last + part
    else lines.push(part)
  }
  return lines
}

/** Those of the daemon where one answers, and a word on whose they are. */
async function settingsFor(context: VerbContext): Promise<Lines> {
  const { terminal, options } = context
  const found = flagOf(options, 'own') ? null : await ofDaemon(context)
  if (found === null) {
    const own = await context.surroundings.settings()
    terminal.note('Settings of this environment: a daemon that is started from it would have them.')
    return own
  }
  terminal.note(`Settings of the daemon at ${found.where}.`)
  const other = await saidOtherwise(context, found.lines)
  if (other.length > 0)
    terminal.note(
      `This environment says otherwise of ${other.join(', ')}: "plumbline config --own" shows how, and nothing of it is in effect.`,
    )
  return found.lines
}

/** Null where none answers with them, which is said; a daemon that is named has to. */
async function ofDaemon(
  context: VerbContext,
): Promise<{ readonly lines: Lines; readonly where: string } | null> {
  try {
    return await withApi(
      context,
      async (api) => ({
        lines: await expectGood<Lines>(api, { method: 'GET', path: '/api/settings' }),
        where: api.where,
      }),
      { running: true },
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'bad_configuration') throw error
    if (textOf(context.options, 'url') !== undefined) throw error
    context.terminal.note(error.message)
    return null
  }
}

/** What is set here and not as the daemon has it. What cannot be read here is no matter of the daemon. */
async function saidOtherwise({ surroundings }: VerbContext, lines: Lines): Promise<readonly string[]> {
  const own = await surroundings.settings().catch((error: unknown) => {
    if (error instanceof Failure) return []
    throw error
  })
  const values = new Map(lines.map(({ name, value }) => [name, value]))
  return own
    .filter(({ name, source, value }) => source !== 'default' && values.get(name) !== value)
    .map(({ name }) => name)
}

/** Words that people say for a setting and that stand in no name, or in the wrong one. */
const MEANT: Readonly<Record<string, string>> = {
  ADDRESS: 'PLUMBLINE_LISTEN',
  IP: 'PLUMBLINE_PUBLIC_IP',
  PORT: 'PLUMBLINE_LISTEN',
}

/** In any spelling of its name, with or without what all of them begin with. */
function settingNamed(lines: readonly SettingLine[], word: string): SettingLine {
  const said = word.toUpperCase().replaceAll('-', '_')
  const found = lines.find(({ name }) => name === said || name === `PLUMBLINE_${said}`)
  if (found !== undefined) return found
  const names = lines.map(({ name }) => name)
  const within = names.filter((name) => name.includes(said)).slice(0, 3)
  const near =
    MEANT[said] !== undefined
      ? ` Did you mean "${MEANT[said]}"?`
      : within.length > 0
        ? ` Did you mean ${within.map((name) => `"${name}"`).join(' or ')}?`
        : didYouMean(said, names)
  throw new Failure('not_found', `There is no setting "${word.slice(0, 80)}".${near}`)
}
