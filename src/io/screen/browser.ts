/** An address in the person's browser, by whatever this system has for it. */
import { spawn } from 'node:child_process'
import { personEnv } from './person-env.ts'

const OPENERS = ['xdg-open', 'open', 'wslview'] as const

/** False where there is none: a server has no browser. `$BROWSER` comes first. */
export async function openAddress(address: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const own = (env['BROWSER'] ?? '').trim()
  for (const program of own === '' ? OPENERS : [own, ...OPENERS])
    if (await opened(program, address, env)) return true
  return false
}

const opened = (program: string, address: string, env: NodeJS.ProcessEnv): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, [address], { stdio: 'ignore', env: personEnv(env) })
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
