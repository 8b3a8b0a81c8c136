/** Restarting a program by the operator's own command. */
import { Failure } from '../../kernel/failure.ts'
import { runCommand } from '../../kernel/run-command.ts'
import type { Restarter } from '../../ports/restarter.ts'

const LONGEST_RUN_MS = 30_000

/** @param words program and arguments */
export const commandRestarter = (words: readonly string[]): Restarter => {
  const how = `the command ${words.join(' ')}`
  return { how, restart: (signal) => restart(words, signal) }
}

async function restart(words: readonly string[], signal: AbortSignal): Promise<void> {
  const failed = (why: string, inside?: string) =>
    new Failure('component_unavailable', `${JSON.stringify(words[0] ?? '')} did not do its work: ${why}.`, {
      ...(inside !== undefined && { inside }),
    })
  const ran = await runCommand(words, { most_ms: LONGEST_RUN_MS, signal }).catch((error: unknown) => {
    throw signal.aborted ? failed('it was broken off') : error
  })
  if (!ran.ok) throw failed(ran.why, ran.output)
}
