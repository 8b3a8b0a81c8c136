/** The command line put together with its surroundings: what `main.ts` runs. */
import { runCommand } from './cli/run.ts'
import { surroundingsOf } from './surroundings.ts'

/** Resolves with the exit code. Secrets are taken out of `env`. */
export const main = (words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  runCommand(words, surroundingsOf(env), {
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
  })
