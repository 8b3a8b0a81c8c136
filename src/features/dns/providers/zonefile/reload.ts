/** Telling the name server that a zone file is new, by the operator's own command. */
import { type Ran, runCommand } from '../../../../kernel/run-command.ts'

const LONGEST_RUN_MS = 10_000

/** `{zone}` in its words is replaced. An abort is an answer too: whether the zone was loaded has to be found out then. */
export async function runReload(command: readonly string[], zone: string, signal: AbortSignal): Promise<Ran> {
  const words = command.map((word) => word.replaceAll('{zone}', zone))
  try {
    const ran = await runCommand(words, { most_ms: LONGEST_RUN_MS, signal })
    // Who reads it is told of the change first, and of the command after that.
    return ran.ok ? ran : { ...ran, why: ran.why.replace(/^the command /, 'it ') }
  } catch (error) {
    if (!signal.aborted) throw error
    return { ok: false, why: 'the wait for it was broken off', output: '', ended: false }
  }
}
