/** Settings of the console. */
import { oneOf } from '../../config/kinds/basic.ts'
import { setting } from '../../config/setting.ts'

export const console = {
  sign_in: setting({
    name: 'PLUMBLINE_CONSOLE_SIGN_IN',
    example: 'sso',
    schema: oneOf(['near', 'sso']),
    default: 'near',
    help: 'How people sign in to the console. near: through the SSO provider, and from this host or a trusted network also by an API key or the link of `plumbline console`. sso: through the SSO provider alone.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly console: typeof console
  }
}
