/** Child of the log tests: writes lines to its real standard output and ends in the way that it is told. */
import { createLog, type LogOptions } from '../../../../src/io/log/create-log.ts'

const [format, count, end] = process.argv.slice(2)
const log = createLog({ level: 'info', format: format as LogOptions['format'] })
for (let number = 0; number < Number(count); number++) log.info('line', { number })
log.warn('last', { error: new Error('with a stack') })

if (end === 'exit') process.exit(0)
if (end === 'throw') throw new Error('thrown on purpose')
if (end === 'kill') process.kill(process.pid, 'SIGKILL')
