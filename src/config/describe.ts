/** The settings for people: what is in effect and why (`plumbline config`), and what there is to set (the README's table). */
import type { LoadedConfig } from './load.ts'
import { fileTwin, type Source } from './lookup.ts'
import { ALL } from './sections.ts'
import type { AnySetting } from './setting.ts'

export interface DescribedSetting {
  readonly name: string
  /** As it would be typed; `[hidden]` for a secret that is set, null for what is unset. */
  readonly value: string | null
  readonly source: Source
  readonly help: string
}

/** Every setting in effect, in the order of the documentation. */
export const describe = (config: LoadedConfig): DescribedSetting[] =>
  ALL.map(({ owner, key, setting }) => {
    const section = config.settings[owner as keyof LoadedConfig['settings']] as Record<string, unknown>
    const value = section[key] ?? null
    return {
      name: setting.name,
      value: value === null ? null : setting.secret ? '[hidden]' : setting.show(value),
      source: config.sources[setting.name] ?? 'default',
      help: setting.help,
    }
  })

/** All settings as a Markdown table with their defaults. */
export function settingsTable(): string {
  const rows = ALL.map(
    ({ setting }) => `| ${namesShown(setting)} | ${defaultShown(setting)} | ${escaped(setting.help)} |`,
  )
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

const namesShown = ({ name, secret }: AnySetting): string =>
  secret ? `\`${name}\`, \`${fileTwin(name)}\`` : `\`${name}\``

function defaultShown(setting: AnySetting): string {
  if (setting.default === null || setting.default === '') return ''
  const place = setting.default_in === null ? '' : ` in \`${setting.default_in}\``
  return `\`${escaped(setting.default)}\`${place}`
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')
