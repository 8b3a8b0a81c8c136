/** The setting of the history. */
import { showSpan, spanOrOff } from '../../config/kinds/span.ts'
import { setting } from '../../config/setting.ts'

export const history = {
  looks_every_ms: setting({
    name: 'PLUMBLINE_BACKEND_LOOKS',
    example: '2m',
    schema: spanOrOff({ least: '1m', most: '15m' }),
    default: '5m',
    show: showSpan,
    help: 'How often a connection to each deployed backend is opened, and closed at once; or off: then the history has what the proxy answered alone.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly history: typeof history
  }
}
