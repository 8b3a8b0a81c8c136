/** `plumbline config`: the effective settings with their source, secrets hidden. */
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../../kernel/failure.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { tellProse, tellTable } from '../text/table.ts'
import { styled, tellAs } from '../text/terminal.ts'
import type { SettingLine, Verb } from '../verb.ts'

export const config: Verb = {
  name: 'config',
  help: 'Shows the effective settings and where each comes from.',
  forms: [
    {
      words: '',
      help: 'Shows all settings. Secrets are hidden.',
      examples: [['config | grep LISTEN', 'Where the daemon listens.']],
      is_long: true,
      async run({ terminal, surroundings }) {
        tellAs(terminal, await surroundings.settings(), (lines) =>
          tellTable(
            terminal,
            lines.map(({ name, value, source }) => [name, source, value ?? '(unset)']),
            { head: ['SETTING', 'FROM', 'VALUE'] },
          ),
        )
        return EXIT.ok
      },
    },
    {
      words: 'NAME',
      help: 'Shows one setting: what it is for, its value, and where that comes from.',
      examples: [['config PLUMBLINE_LISTEN', 'What it does, and how it is now. "config listen" does, too.']],
      async run({ terminal, surroundings, words }) {
        const line = settingNamed(await surroundings.settings(), words[0]!)
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

/** In any spelling of its name, with or without what all of them begin with. */
function settingNamed(lines: readonly SettingLine[], word: string): SettingLine {
  const said = word.toUpperCase().replaceAll('-', '_')
  const found = lines.find(({ name }) => name === said || name === `PLUMBLINE_${said}`)
  if (found !== undefined) return found
  const names = lines.map(({ name }) => name)
  const within = names.filter((name) => name.includes(said)).slice(0, 3)
  const near =
    within.length > 0
      ? ` Did you mean ${within.map((name) => `"${name}"`).join(' or ')}?`
      : didYouMean(said, names)
  throw new Failure('not_found', `There is no setting "${word.slice(0, 80)}".${near}`)
}
