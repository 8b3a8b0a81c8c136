/** Node processes that a test starts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a Node process that a test starts gets to know: where programs are, and where code is that was compiled before. */
export const childEnv = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  ...(process.env['NODE_COMPILE_CACHE'] !== undefined && {
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  }),
})

export interface ChildEnd {
  readonly code: number | null
  /** `SIGKILL` for one that died where it was told to. */
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

/** Runs a program of a test to its end, with its order as the one argument. */
export async function childsEnd(program: string, order: object): Promise<ChildEnd> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    env: childEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr.on('data', (text: Buffer) => (err += text.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { code, signal, out, err }
}
