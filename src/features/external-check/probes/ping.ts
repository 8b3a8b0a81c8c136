/** One ICMP echo by the system's own command, which may do what a program without rights may not. */
import { runCommand } from '../../../kernel/run-command.ts'
import type { ProbeOutcome } from '../../../model/network/external-check.ts'

const MAX_MS = 3500

export async function ping(address: string, signal: AbortSignal): Promise<ProbeOutcome> {
  const ran = await runCommand(['ping', '-c1', '-W2', '--', address], { max_ms: MAX_MS, signal }).catch(
    () => null,
  )
  if (ran === null) return failed('was broken off', false)
  if (ran.ok) return { passed: true, answers: true, detail: `${address} answers`, is_final: false }
  if (ran.is_missing === true) return failed('this host has no ping command', true)
  return failed(ran.ended ? `${address} does not answer` : `${address}: ${ran.why}`, false)
}

const failed = (detail: string, is_final: boolean): ProbeOutcome => ({
  passed: false,
  answers: false,
  detail,
  is_final,
})
