/** Runs the provider's own check over the rules file as it stands; nothing is written for it. */
import { stat } from 'node:fs/promises'
import type { Finding } from '../../cli/verb.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import { runCommand } from '../../kernel/run-command.ts'
import { warning } from '../finding.ts'
import { judgeRulesCheck } from './judge.ts'

const COMMAND_WITHIN_MS: Milliseconds = 20_000
/** Beyond the command's own time, for its end. */
const WITHIN_MS: Milliseconds = 30_000

/** @param check words, of which `{file}` stands for the file */
export async function rulesCheck(check: readonly string[], rules_file: string): Promise<Finding> {
  if ((await stat(rules_file).catch(() => null)) === null)
    return warning(
      'SSO rules check',
      `${rules_file} does not exist yet`,
      'It is written by the first deploy.',
    )
  const words = check.map((word) => word.replaceAll('{file}', rules_file))
  const ran = await runCommand(words, { most_ms: COMMAND_WITHIN_MS, signal: AbortSignal.timeout(WITHIN_MS) })
  return judgeRulesCheck(ran, { program: check[0] ?? '', rules_file })
}
