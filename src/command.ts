/** The command line put together with its surroundings: what `main.ts` runs. */
import { EXIT } from './cli/exit-codes.ts'
import { runCommand } from './cli/run.ts'
import { statusLine } from './cli/tell-progress.ts'
import { surroundingsOf } from './surroundings.ts'
import { VERBS } from './verbs.ts'

/** Resolves with the exit code. Secrets are taken out of `env`. */
export async function main(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const pipes = quietPipes()
  const code = await runCommand(words, VERBS, surroundingsOf(env), {
    out: (line) => void (pipes.is_closed || process.stdout.write(`${line}\n`)),
    note: (line) => void process.stderr.write(`${line}\n`),
    status: statusLine(process.stderr),
  })
  return pipes.is_closed ? EXIT.closed_pipe : code
}

/**
 * `plumbline status | head -1`: whoever read has enough. What was begun is finished, and only the exit code tells; it may
 * be heard of after the end of the command.
 */
function quietPipes(): { readonly is_closed: boolean } {
  const pipes = { is_closed: false }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') return unwritable(error)
    pipes.is_closed = true
    process.exitCode = EXIT.closed_pipe
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return pipes
}

/** A full disk behind standard output, for example. */
function unwritable({ message }: Error): void {
  process.stderr.write(`plumbline: standard output cannot be written: ${message}\n`)
  process.exit(EXIT.failed)
}
