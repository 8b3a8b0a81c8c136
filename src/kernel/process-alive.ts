/** Whether somebody who left their number behind still runs. */
import { systemErrorCode } from './failure.ts'

/** Whether a process of this number runs here, whosever it is. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemErrorCode(error) === 'EPERM'
  }
}
