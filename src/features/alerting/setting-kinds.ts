/** How a server is asked to read its files again. */
import { commandLine } from '../../config/kinds/basic.ts'
import { textual, wrong } from '../../config/kinds/refine.ts'

export type ReloadSetting =
  | { readonly way: 'url' }
  | { readonly way: 'command'; readonly command: readonly string[] }
  | { readonly way: 'unit'; readonly unit: string }
  | { readonly way: 'none' }

const form = wrong('must be url, command:PROGRAM ARGUMENTS, unit:UNIT or none')

export const reloadWay = textual<ReloadSetting>((text) => {
  if (text === 'url' || text === 'none') return { way: text }
  const [, way, rest = ''] = /^(command|unit):(.+)$/s.exec(text) ?? []
  if (way === 'unit')
    return /^[A-Za-z0-9][A-Za-z0-9@_.:-]{0,254}$/.test(rest)
      ? { way, unit: rest }
      : wrong('must name a unit after unit:, such as unit:prometheus')
  if (way !== 'command') return form
  const command = commandLine.safeParse(rest)
  if (!command.success) return wrong(command.error.issues[0]?.message ?? 'is no command')
  return command.data.length === 0 ? form : { way, command: command.data }
})

export function showReload(setting: ReloadSetting): string {
  switch (setting.way) {
    case 'command':
      return `command:${setting.command.join(' ')}`
    case 'unit':
      return `unit:${setting.unit}`
    case 'url':
    case 'none':
      return setting.way
  }
}
