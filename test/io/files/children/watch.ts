/** Child of the watch test: watches where the kernel gives no watch, and prints what the log was told. */
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import { silentLog } from '../../../../src/kernel/log.ts'

const lines: unknown[] = []
const log = {
  ...silentLog,
  warn: (message: string, facts: unknown) => lines.push({ level: 'warn', message, facts }),
}
const file = managedFile(process.argv[2]!, { max_bytes: 1000, log })
const watches = [file.watch(() => undefined)]
for (const watch of watches) watch.close()
process.stdout.write(JSON.stringify(lines))
