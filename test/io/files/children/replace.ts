/** Child of the fault tests: one deed under the conditions its parent has made, and what came of it as JSON. */
import { openSync } from 'node:fs'
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { silentLog } from '../../../../src/kernel/log.ts'

interface Order {
  readonly deed?: 'replace' | 'look'
  readonly path: string
  readonly bytes: number
  readonly evidence?: boolean
  /** Drop root for this user before the deed. */
  readonly as_user?: number
  /** Use up all descriptors before the deed. */
  readonly exhausted?: boolean
}

const order = JSON.parse(process.argv[2]!) as Order
const file = managedFile(order.path, { max_bytes: 1024 * 1024, log: silentLog })
if (order.as_user !== undefined) process.seteuid!(order.as_user)
if (order.exhausted === true) useUpDescriptors()

const chunks = Array.from({ length: Math.ceil(order.bytes / 1000) }, () => Buffer.alloc(1000, 'n'))
const { signal } = new AbortController()
try {
  if (order.deed === 'look') await file.look(signal)
  else await file.replace(chunks, { mode: 0o644, evidence: order.evidence ?? false }, signal)
  process.stdout.write('{"ok":true}')
} catch (error) {
  const { code, message } = error instanceof Failure ? error : { code: 'no failure', message: String(error) }
  process.stdout.write(JSON.stringify({ ok: false, code, message }))
}

function useUpDescriptors(): void {
  try {
    for (;;) openSync('/dev/null', 'r')
  } catch {
    // None are left, as wanted.
  }
}
