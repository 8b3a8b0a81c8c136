/** Text that is longer than the terminal, page by page: `$PAGER`, else `less`. An empty `PAGER` or `cat` means no pages. */
import { spawn } from 'node:child_process'
import { personEnv } from './person-env.ts'

/** False where nothing here could show it: the caller writes it out. */
export async function showPages(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const line = (env['PAGER'] ?? 'less').trim()
  const [program, ...words] = line.split(/\s+/).filter(Boolean)
  if (program === undefined || program === 'cat') return false
  // Colours pass, what fits one screen is left standing, and the screen is not cleared behind it.
  const less = env['LESS'] === undefined ? { LESS: 'FRX' } : {}
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...personEnv(env), ...less },
    })
    // Ctrl-C is the pager's while it shows something.
    const ignore = () => undefined
    process.on('SIGINT', ignore)
    const ended = (was_shown: boolean) => {
      process.off('SIGINT', ignore)
      resolve(was_shown)
    }
    child.once('error', () => ended(false))
    child.once('close', () => ended(true))
    // Whoever has read enough leaves the rest.
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)
  })
}
