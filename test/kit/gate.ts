/**
 * What stands before every commit: the tests, and beside them formatting, lint, types and dead code. Everything runs to
 * its end, so that one run names all that is wrong; the exit code is 1 when anything is. Arguments go to vitest.
 */
import { spawn } from 'node:child_process'
import { systemClock } from '../../src/kernel/clock.ts'

interface Outcome {
  readonly name: string
  readonly code: number | null
  readonly took_ms: number
}

const CHECKS = ['check:format', 'check:lint', 'check:types', 'check:dead']
/**
 * The checks are over long before the tests, whose processors they should not take: the compilers in lint and types would
 * each hold one copy of all types for every processor, and collect rubbish half of their time.
 */
const FRUGAL = { GOMAXPROCS: '1', GOGC: '400', GOMEMLIMIT: '2GiB' }
const VITEST = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname

/** Its output is shown as it comes, or at its end where it would mix with another's. */
function run(name: string, [program, ...args]: readonly [string, ...string[]], shown: 'now' | 'at its end') {
  const began_ms = systemClock.elapsed()
  return new Promise<Outcome>((resolve) => {
    const child = spawn(program, args, {
      env: shown === 'now' ? { PROGRAMS: 'built', ...process.env } : { ...FRUGAL, ...process.env },
      stdio: [
        'ignore',
        ...(shown === 'now' ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const)),
      ],
    })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)))
    child.once('close', (code) => {
      if (code !== 0 && chunks.length > 0) process.stdout.write(Buffer.concat(chunks))
      resolve({ name, code, took_ms: systemClock.elapsed() - began_ms })
    })
  })
}

async function checks(): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const name of CHECKS) outcomes.push(await run(name, ['npm', 'run', '-s', name], 'at its end'))
  return outcomes
}

const tests = run('tests', [process.execPath, VITEST, 'run', ...process.argv.slice(2)], 'now')
const outcomes = [...(await checks()), await tests]
for (const { name, code, took_ms } of outcomes)
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${(took_ms / 1000).toFixed(0)} s)\n`)
process.exitCode = outcomes.every(({ code }) => code === 0) ? 0 : 1
