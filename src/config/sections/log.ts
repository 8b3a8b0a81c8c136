/** Settings of the log. */
import { oneOf } from '../kinds/basic.ts'
import { setting } from '../setting.ts'

export const log = {
  level: setting({
    name: 'PLUMBLINE_LOG_LEVEL',
    example: 'debug',
    schema: oneOf(['debug', 'info', 'warn', 'error']),
    default: 'info',
    help: 'The least important line that is written: debug, info, warn or error.',
  }),
  format: setting({
    name: 'PLUMBLINE_LOG_FORMAT',
    example: 'json',
    schema: oneOf(['auto', 'json', 'pretty']),
    default: 'auto',
    help: 'json: one object per line. pretty: for people. auto: pretty on a terminal.',
  }),
}
