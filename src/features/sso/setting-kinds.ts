/** Grammars of single sign-on: how the provider is restarted, and where its rules stand. */
import { resolve } from 'node:path'
import { commandLine } from '../../config/kinds/basic.ts'
import { textual, wrong } from '../../config/kinds/refine.ts'

export type RestartSetting =
  | { readonly way: 'command'; readonly command: readonly string[] }
  | { readonly way: 'docker'; readonly container: string }
  | { readonly way: 'watched' }
  | { readonly way: 'none' }

const form = wrong('must be command:PROGRAM ARGUMENTS, docker:CONTAINER, systemd-path or none')

export const restartWay = textual<RestartSetting>((text) => {
  if (text === 'none') return { way: 'none' }
  if (text === 'systemd-path') return { way: 'watched' }
  const [, way, rest = ''] = /^(command|docker):(.*)$/s.exec(text) ?? []
  if (way === 'docker')
    return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(rest)
      ? { way, container: rest }
      : wrong('must name a container after docker:, such as docker:authelia')
  if (way !== 'command') return form
  const command = commandLine.safeParse(rest)
  if (!command.success) return wrong(command.error.issues[0]?.message ?? 'is no command')
  return command.data.length === 0 ? form : { way, command: command.data }
})

export function showRestart(setting: RestartSetting): string {
  switch (setting.way) {
    case 'command':
      return `command:${setting.command.join(' ')}`
    case 'docker':
      return `docker:${setting.container}`
    case 'watched':
      return 'systemd-path'
    case 'none':
      return 'none'
  }
}

/** A command that is told the file to check. */
export const checkCommand = textual<readonly string[]>((text) => {
  const command = commandLine.safeParse(text)
  if (!command.success) return wrong(command.error.issues[0]?.message ?? 'is no command')
  return text.includes('{file}')
    ? command.data
    : wrong(
        'must have {file} where the rules file stands, such as: authelia config validate --config /etc/authelia/configuration.yml,{file}',
      )
})

/** The path of a file that Authelia takes by its suffix. */
export const rulesPath = textual((text) =>
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f]/.test(text) || !/\.ya?ml$/i.test(text)
    ? wrong('must be the path of a .yml or .yaml file')
    : resolve(text),
)

const MAX_SECONDS = 3_600

export const seconds = textual((text) =>
  /^\d{1,4}$/.test(text) && Number(text) <= MAX_SECONDS
    ? Number(text)
    : wrong(`must be a whole number of seconds up to ${MAX_SECONDS}`),
)
