/** The provider's own command, asked about a text that is nowhere yet. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { runCommand } from '../../../kernel/run-command.ts'
import { type CheckResult, checkResult, TAKEN_RULES } from '../../../model/access/config-check.ts'

const MAX_RUN_MS: Milliseconds = 30_000

/** The text in a file of its own, in a folder that nobody else can look into and that nothing watches. */
export async function checkText(
  check: readonly string[],
  text: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-rules-'))
  try {
    const file = join(folder, 'access-control.yml')
    await writeFile(file, text, { mode: 0o600, signal })
    const ran = await runCommand(
      check.map((word) => word.replaceAll('{file}', file)),
      { max_ms: MAX_RUN_MS, signal },
    )
    return checkResult(ran)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same, but a text counts as refused only where one that every provider takes is not refused, too. */
export const checkRules = async (
  check: readonly string[],
  text: string,
  signal: AbortSignal,
): Promise<CheckResult> => confirmed(check, await checkText(check, text, signal), signal)

/**
 * A command ends in the same way where the provider refuses the rules and where it could not look at them (another
 * container, a folder that it may not read, a configuration beside them that is broken). A text that has to be taken tells
 * the two apart.
 */
export async function confirmed(
  check: readonly string[],
  result: CheckResult,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (result.ok || !result.final) return result
  const control = await checkText(check, TAKEN_RULES, signal)
  if (control.ok) return result
  const why = `${result.why}, and does not take rules either that every provider takes`
  return { ok: false, why, final: false }
}
