/** Child of the crash test: replaces a file for ever, each time by a whole generation that a reader can check. */
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import { generation } from '../generation.ts'

const [path, first] = process.argv.slice(2)
const file = managedFile(path!, { max_bytes: 10 * 1024 * 1024, log: silentLog })
const { signal } = new AbortController()
for (let number = Number(first); ; number++)
  await file.replace(generation(number), { mode: 0o644, evidence: number % 3 === 0 }, signal)
