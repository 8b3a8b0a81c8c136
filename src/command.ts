/** The command line put together with its surroundings and the terminal: what `main.ts` runs. */
import { EXIT } from './cli/exit-codes.ts'
import { runCommand, type Writer } from './cli/run.ts'
import { statusLine } from './cli/text/tell-progress.ts'
import { surroundingsOf } from './surroundings.ts'
import { VERBS } from './verbs.ts'

/** Resolves with the exit code. Secrets are taken out of `env`. */
export async function main(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const pipes = quietPipes()
  const paged: { lines: string[] | null } = { lines: null }
  const { stdout, stdin, stderr } = process
  const write: Writer = {
    out: (line) => {
      if (paged.lines !== null) paged.lines.push(line)
      else if (!pipes.is_closed) stdout.write(`${line}\n`)
    },
    note: (line) => void stderr.write(`${line}\n`),
    status: statusLine(stderr),
    isClosed: () => pipes.is_closed,
    ...(stdout.isTTY && { width: stdout.columns, pages: () => (paged.lines ??= []) }),
    ...(stdin.isTTY &&
      stderr.isTTY && {
        ask: async (question) => (await import('./io/screen/ask.ts')).askPerson(question),
      }),
  }
  const code = await runCommand(words, VERBS, surroundingsOf(env), write)
  if (paged.lines !== null) await showLong(paged.lines, env)
  return pipes.is_closed ? EXIT.closed_pipe : code
}

/** Page by page where it is longer than the terminal. */
async function showLong(lines: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const text = lines.map((line) => `${line}\n`).join('')
  const is_long = text.split('\n').length > process.stdout.rows
  if (is_long && (await (await import('./io/screen/pager.ts')).showPages(text, env))) return
  process.stdout.write(text)
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
