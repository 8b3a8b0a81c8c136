/**
 * Runs the provider's own check over the rules file as it stands, and over a text that it must refuse: a check that takes
 * everything proves nothing. Nothing that anybody reads is written for it.
 */
import { stat } from 'node:fs/promises'
import { checkText, confirmed } from '../../features/sso/authelia/check-text.ts'
import type { Finding } from '../../cli/verb.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import { type Ran, runCommand } from '../../kernel/run-command.ts'
import { type CheckResult, checkResult, REFUSED_RULES } from '../../model/access/config-check.ts'
import { warning } from '../finding.ts'
import { evaluateRulesCheck, evaluateTakesAll } from './evaluate.ts'

const COMMAND_WITHIN_MS: Milliseconds = 20_000
/** Beyond the command's own time, for its end. */
const WITHIN_MS: Milliseconds = 30_000

/** @param check words, of which `{file}` stands for the file */
export async function rulesCheck(check: readonly string[], rules_file: string): Promise<readonly Finding[]> {
  const program = check[0] ?? ''
  const there = await stat(rules_file).catch(() => null)
  const absent = warning(
    'SSO rules check',
    `${rules_file} does not exist yet`,
    'It is written by the first deploy.',
  )
  const first =
    there === null ? absent : evaluateRulesCheck(await resultOn(check, rules_file), { program, rules_file })
  return [first, ...(await provesItself(check))]
}

async function provesItself(check: readonly string[]): Promise<readonly Finding[]> {
  const { ok: takes_it } = await checkText(check, REFUSED_RULES, AbortSignal.timeout(2 * WITHIN_MS))
  return takes_it ? [evaluateTakesAll(check[0] ?? '')] : []
}

const resultOn = async (check: readonly string[], rules_file: string): Promise<CheckResult> =>
  confirmed(check, checkResult(await run(check, rules_file)), AbortSignal.timeout(2 * WITHIN_MS))

const run = (check: readonly string[], file: string): Promise<Ran> =>
  runCommand(
    check.map((word) => word.replaceAll('{file}', file)),
    { max_ms: COMMAND_WITHIN_MS, signal: AbortSignal.timeout(WITHIN_MS) },
  )
