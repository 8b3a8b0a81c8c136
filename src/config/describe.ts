/** The settings for people: what is in effect and why (`plumbline config`), and what there is to set (schema/settings.md). */
import type { LoadedConfig } from './load.ts'
import { fileTwin, type Source } from './lookup.ts'
import { allSections, type Brought, type Declared, declaredIn } from './sections.ts'
import type { AnySetting } from './setting.ts'

export interface DescribedSetting {
  readonly name: string
  /** As it would be typed; `[hidden]` for a secret that is set, null for what is unset. */
  readonly value: string | null
  readonly source: Source
  /** As it would be typed; null for none. */
  readonly default: string | null
  readonly help: string
  /** A change of it counts from the next start on: all are read once. */
  readonly needs_restart: boolean
  /** Why what is set is unwise, as a sentence; null where it is not. What is wrong keeps the daemon from starting. */
  readonly fault: string | null
}

/** Every setting in effect, in the order of their sections. */
export const describe = (config: LoadedConfig): DescribedSetting[] =>
  config.declared.map(({ owner, key, setting }) => {
    const section = config.settings[owner as keyof LoadedConfig['settings']] as Record<string, unknown>
    const value = section[key] ?? null
    return {
      name: setting.name,
      value: value === null ? null : setting.secret ? '[hidden]' : setting.show(value),
      source: config.sources[setting.name] ?? 'default',
      default: setting.default_in === null ? setting.default : `${setting.default_in}/${setting.default}`,
      help: setting.help,
      needs_restart: true,
      fault: config.warnings.find((warning) => warning.startsWith(`${setting.name} `)) ?? null,
    }
  })

const PAGE = `# Settings

Environment variables, by feature. This page is written by the code (\`UPDATE_DOCUMENTS=1\` with \`test/documents.test.ts\`).

Every secret also has a \`_FILE\` twin, which names a file that holds it, and is read from systemd credentials. Prefer those: what a
process was started with stays in \`/proc\` (\`plumbline doctor\` names such secrets). A misspelt \`PLUMBLINE_\` name is an error that
names the nearest known one. \`plumbline config\` shows what is in effect in the daemon and where it comes from.

<!-- oxfmt-ignore-start -->
`

/** The reference of all settings as a Markdown page: a table for each feature, with defaults and examples. */
export function settingsPage(brought: readonly Brought[]): string {
  const all = declaredIn(allSections(brought))
  const of = (settings: object = {}) => all.filter(({ owner }) => owner in settings)
  const features = brought
    .map((feature) => ({
      title: `[${feature.name}](../src/features/${feature.name}/README.md)`,
      declared: of(feature.settings),
    }))
    .filter(({ declared }) => declared.length > 0)
  const known = new Set(features.flatMap(({ declared }) => declared))
  const daemon = { title: 'The daemon', declared: all.filter((declared) => !known.has(declared)) }
  const tables = [daemon, ...features].map(({ title, declared }) => `## ${title}\n\n${tableOf(declared)}`)
  return [PAGE, ...tables, '<!-- oxfmt-ignore-end -->\n'].join('\n')
}

function tableOf(declared: readonly Declared[]): string {
  const rows = declared.map(
    ({ setting }) =>
      `| ${namesShown(setting)} | ${defaultShown(setting)} | ${exampleShown(setting)} | ${escaped(setting.help)} |`,
  )
  return ['| Setting | Default | Example | Meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n')
}

const namesShown = ({ name, secret }: AnySetting): string =>
  secret ? `\`${name}\`, \`${fileTwin(name)}\`` : `\`${name}\``

const exampleShown = ({ example }: AnySetting): string => (example === null ? '' : `\`${escaped(example)}\``)

function defaultShown(setting: AnySetting): string {
  if (setting.default === null || setting.default === '') return ''
  const place = setting.default_in === null ? '' : ` in \`${setting.default_in}\``
  return `\`${escaped(setting.default)}\`${place}`
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')
