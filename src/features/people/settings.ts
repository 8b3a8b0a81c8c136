/** Settings of people: the users file of the SSO provider, and how it is made to read it again. */
import { commandLine, yamlPath } from '../../config/kinds/basic.ts'
import { httpUrl } from '../../config/kinds/network.ts'
import { textual, wrong } from '../../config/kinds/refine.ts'
import { optional } from '../../config/setting.ts'

/** How the provider learns that the file is new. A command is the older spelling of `restart`: see `sso/provider/restart.ts`. */
export type Reload =
  | { readonly kind: 'watch' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'none' }
  | { readonly kind: 'command'; readonly words: readonly string[] }

const reload = textual<Reload>((text) => {
  if (text === 'watch' || text === 'restart' || text === 'none') return { kind: text }
  if (!text.startsWith('command:'))
    return wrong('must be watch, restart, none, or command: and a program with its arguments')
  const words = commandLine.safeParse(text.slice('command:'.length))
  if (!words.success) return wrong(words.error.issues[0]?.message ?? 'is no command')
  return words.data.length === 0
    ? wrong('has no program behind command:')
    : { kind: 'command', words: words.data }
})

const showReload = (value: Reload): string =>
  value.kind === 'command' ? `command:${value.words.join(' ')}` : value.kind

export const people = {
  users_file: optional({
    name: 'PLUMBLINE_SSO_USERS_FILE',
    example: '/etc/authelia/users.yml',
    schema: yamlPath,
    help: 'The users file of the SSO provider (Authelia’s file backend). Unset: users are not managed here.',
  }),
  reload: optional({
    name: 'PLUMBLINE_SSO_USERS_RELOAD',
    example: 'watch',
    schema: reload,
    show: showReload,
    help: 'How the provider reads that file again: restart (as PLUMBLINE_SSO_RESTART says, and the default where that is set), watch (Authelia’s file.watch is true, and the default elsewhere), or none. `command:PROGRAM ARGUMENTS` is restart, too, where PLUMBLINE_SSO_RESTART is not set.',
  }),
  portal_url: optional({
    name: 'PLUMBLINE_SSO_PORTAL_URL',
    example: 'https://auth.example.com',
    schema: httpUrl,
    help: 'Address of the sign-in page as people reach it, such as https://auth.example.com: for invitations, and so that its record is not taken away unasked.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly people: typeof people
  }
}
