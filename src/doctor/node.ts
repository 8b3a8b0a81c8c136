/** What `plumbline doctor` makes of the Node that runs it. Pure. */
import type { Finding } from '../cli/verb.ts'
import { bad, good } from './finding.ts'

/** @param version such as `24.1.0` */
export function evaluateNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fit = major > 22 || (major === 22 && minor >= 19)
  return fit
    ? good('node', `v${version}`)
    : bad('node', `v${version} is too old`, 'Use Node 24, or start through npm, which brings it.')
}
