/**
 * Programs of others that judge the description or make clients of it. `.ci/run` installs them into a folder of their own,
 * never beside our packages; `PLUMBLINE_JUDGES` names it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRequired } from './programs.ts'

const FOLDER = process.env['PLUMBLINE_JUDGES'] ?? '/var/lib/plumbline-judges'

const JUDGES = {
  redocly: 'js/node_modules/.bin/redocly',
  spectral: 'js/node_modules/.bin/spectral',
  'openapi-typescript': 'js/node_modules/.bin/openapi-typescript',
  tsc: 'js/node_modules/.bin/tsc',
  schemathesis: 'py/bin/schemathesis',
  'openapi-python-client': 'py/bin/openapi-python-client',
  python: 'py/bin/python',
} as const

export type Judge = keyof typeof JUDGES

const judgePath = (judge: Judge): string => join(FOLDER, JUDGES[judge])

/** A suite that asks these, and the one place where their absence is decided about. */
export function describeJudges(judges: readonly Judge[], title: string, suite: () => void): void {
  const missing = judges.filter((judge) => !existsSync(judgePath(judge)))
  if (missing.length === 0) return void describe(title, suite)
  const wanting = `needs ${missing.join(', ')} in ${FOLDER}: .ci/run installs them`
  // Without the variable nobody has promised them.
  if (isRequired() && process.env['PLUMBLINE_JUDGES'] !== undefined)
    it(`${title} ${wanting}`, () => expect(missing).toEqual([]))
  else describe.skip(`${title} (${wanting})`, suite)
}

export interface Judged {
  readonly code: number | null
  readonly out: string
}

export async function ask(
  judge: Judge,
  args: readonly string[],
  { cwd, timeout_ms = 300_000 }: { readonly cwd: string; readonly timeout_ms?: number },
): Promise<Judged> {
  const env = { PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`, HOME: cwd }
  const child = spawn(judgePath(judge), args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeout_ms,
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (out += text.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out }
}
