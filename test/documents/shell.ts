/**
 * Runs the commands of a page as somebody does who pastes them into a shell, in a folder where a daemon was started. Only
 * addresses are others: that of the daemon, and those of the home network, which are on loopback here. An answer of the API that
 * is no success is a failure (`curl --fail-with-body`).
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnv } from '../kit/child.ts'
import { programOf, ROOT } from '../kit/programs.ts'
import { TIER } from '../kit/tier.ts'

const MAIN = programOf(new URL('../../src/main.ts', import.meta.url))

/** Notes each command that fails, by its line, and marks in the output where the output of each line begins. */
const PRELUDE = `exec 9>&1
trap 'printf "%s %s\\n" "$?" "$LINENO" >> "$FAILED"' ERR
trap 'printf "⟦%s⟧" "$LINENO" >&9' DEBUG
`

export interface Told {
  /** Exit codes other than 0, by line. */
  readonly failed: ReadonlyMap<number, number>
  /** What was printed on standard output, by line. */
  readonly printed: ReadonlyMap<number, string>
  readonly errors: string
}

interface Place {
  readonly folder: string
  /** Of the daemon, such as `127.0.0.1:12345`. */
  readonly address: string
  readonly env: Readonly<Record<string, string>>
}

export async function runScript(script: string, { folder, address, env }: Place): Promise<Told> {
  const own = join(folder, '.shell')
  const programs = join(own, 'bin')
  mkdirSync(programs, { recursive: true })
  // In depth the command is what people start: the launcher that looks for a Node.
  const command = TIER === 'gate' ? `exec ${process.execPath} ${MAIN} "$@"` : `exec ${ROOT}src/plumbline "$@"`
  program(join(programs, 'plumbline'), command)
  program(join(programs, 'curl'), `PATH=\${PATH#*:} exec curl --fail-with-body "$@"`)
  const [prelude, path, failed] = ['prelude', 'script', 'failed'].map((name) => join(own, name))
  writeFileSync(prelude!, PRELUDE)
  const at_home = script.replaceAll('192.168.1.', '127.0.0.')
  writeFileSync(path!, at_home.replaceAll(/\b(?:127\.0\.0\.1|localhost):8080\b/g, address))
  writeFileSync(failed!, '')
  const child = spawn('bash', [path!], {
    cwd: folder,
    env: {
      ...childEnv(),
      PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: folder,
      NO_COLOR: '1',
      LC_ALL: 'C.UTF-8',
      BASH_ENV: prelude!,
      FAILED: failed!,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 110_000,
  })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { failed: failuresIn(readFileSync(failed!, 'utf8')), printed: linesIn(out), errors: err }
}

function program(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}

const failuresIn = (noted: string): Map<number, number> =>
  new Map(
    [...noted.matchAll(/^(\d+) (\d+)$/gm)].map(([, code, line]) => [Number(line), Number(code)] as const),
  )

function linesIn(out: string): Map<number, string> {
  const printed = new Map<number, string>()
  for (const [, line, said] of out.matchAll(/⟦(\d+)⟧([^⟦]*)/g))
    printed.set(Number(line), `${printed.get(Number(line)) ?? ''}${said}`)
  return printed
}
