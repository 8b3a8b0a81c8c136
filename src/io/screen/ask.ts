/** A question to the person at the terminal, on standard error, so that the answer on standard output stays the answer. */
import { createInterface } from 'node:readline/promises'

/**
 * The line that they typed; an empty one where they ended the input (Ctrl-D).
 * @param interrupted what is said when Ctrl-C ends the command
 */
export async function askPerson(question: string, interrupted: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('close', () => resolve(''))
      // Ctrl-C ends the command, as it does everywhere.
      lines.once('SIGINT', () => {
        process.stderr.write(`\n${interrupted}\n`)
        process.kill(process.pid, 'SIGINT')
      })
      // After Ctrl-Z and `fg` the question stands there again, and reads on: else Node would end with nobody to answer.
      lines.on('SIGCONT', () => lines.resume())
      lines.question(question).then(resolve, reject)
    })
  } finally {
    lines.close()
  }
}
