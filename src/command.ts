/** The command line put together with its surroundings and the terminal: what `main.ts` runs. */
import { EXIT } from './cli/exit-codes.ts'
import { runCommand, type Writer } from './cli/run.ts'
import { wrappedProse } from './cli/text/table.ts'
import { statusLine } from './cli/text/tell-progress.ts'
import { surroundingsOf } from './surroundings.ts'
import { VERBS } from './verbs.ts'

/** Resolves with the exit code. Secrets are taken out of `env`. */
export async function main(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const pipes = quietPipes()
  const paged: { lines: PrintedLine[] | null } = { lines: null }
  const { stdout, stdin, stderr } = process
  const status = statusLine(stderr)
  const write: Writer = {
    out: (line) => {
      if (paged.lines !== null) paged.lines.push({ to: stdout, text: `${line}\n` })
      else if (!pipes.is_closed) stdout.write(`${line}\n`)
    },
    // What is said beside an answer is read in its place.
    note: (line) => {
      const text = noteText(line)
      if (paged.lines === null) stderr.write(text)
      else paged.lines.push({ to: stderr, text })
    },
    ...(status !== undefined && { status }),
    isClosed: () => pipes.is_closed,
    ...(stdout.isTTY && { pages: () => (paged.lines ??= []) }),
    // A terminal that never said its size has none.
    ...(stdout.isTTY && stdout.columns > 0 && { width: stdout.columns }),
    ...(!stdout.isTTY && { beside: (line: string) => void stderr.write(noteText(line)) }),
    ...(stdin.isTTY &&
      stderr.isTTY && {
        ask: async (question, interrupted) =>
          (await import('./io/screen/ask.ts')).askPerson(question, interrupted),
      }),
  }
  const code = await runCommand(words, VERBS, surroundingsOf(env), write)
  if (paged.lines !== null) await showLong(paged.lines, env)
  return pipes.is_closed ? EXIT.closed_pipe : code
}

/** What a verb has written, until all of it is there and either fits the terminal or does not. */
interface PrintedLine {
  readonly to: NodeJS.WriteStream
  readonly text: string
}

/** Sentences, which no terminal may cut in the middle of a word. */
function noteText(line: string): string {
  const { isTTY, columns } = process.stderr
  return wrappedProse(line, isTTY && columns > 0 ? columns : Infinity)
    .map((part) => `${part}\n`)
    .join('')
}

/** Page by page where it is longer than the terminal. */
async function showLong(lines: readonly PrintedLine[], env: NodeJS.ProcessEnv): Promise<void> {
  const all = lines.map(({ text }) => text).join('')
  const is_long = all.split('\n').length > process.stdout.rows
  const answer = lines.filter(({ to }) => to === process.stdout)
  const is_paged =
    is_long &&
    (await (await import('./io/screen/pager.ts')).showPages(answer.map(({ text }) => text).join(''), env))
  for (const { to, text } of lines) if (!is_paged || to !== process.stdout) to.write(text)
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
