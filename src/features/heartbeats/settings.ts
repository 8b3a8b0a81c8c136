/** The setting of heartbeats. */
import { showSpan, span } from '../../config/kinds/span.ts'
import { setting } from '../../config/setting.ts'

export const heartbeats = {
  silent_after_ms: setting({
    name: 'PLUMBLINE_HEARTBEAT_SILENT_AFTER',
    example: '30m',
    schema: span({ least: '1s', most: '7d' }),
    default: '15m',
    show: showSpan,
    help: 'How long a heartbeat may be silent before that is told. The external check sends one every five minutes.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly heartbeats: typeof heartbeats
  }
}
