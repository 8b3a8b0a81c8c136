/** Restarting a program by the operator's own command: a list of words, never a shell. */
import { execFile } from 'node:child_process'
import { Failure } from '../../kernel/failure.ts'
import type { Restarter } from '../../ports/restarter.ts'

const LONGEST_RUN_MS = 30_000
const MOST_OUTPUT_BYTES = 64 * 1024
const MOST_SHOWN = 500

/**
 * The command gets PATH and LANG and nothing else of ours, so no secret reaches it. It is killed after 30 s, and when
 * the signal comes.
 */
export const commandRestarter = (words: readonly string[]): Restarter => ({
  how: `the command ${words.join(' ')}`,
  restart: (signal) => run(words, signal),
})

function run([file = '', ...words]: readonly string[], signal: AbortSignal): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C' }
  const options = {
    env,
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT_BYTES,
    signal,
  } as const
  return new Promise<void>((resolve, reject) => {
    execFile(file, words, options, (error, stdout, stderr) => {
      if (error === null) return resolve()
      const output = `${stderr}${stdout}`.trim().slice(0, MOST_SHOWN)
      reject(failed(file, error, output))
    })
  })
}

const failed = (file: string, error: RunError, output: string): Failure =>
  new Failure('component_unavailable', `The command ${JSON.stringify(file)} ${reason(error)}.`, {
    inside: output,
    cause: error,
  })

type RunError = Error & { code?: string | number | null; killed?: boolean }

function reason(error: RunError): string {
  if (error.code === 'ENOENT') return 'is not there'
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `wrote more than ${MOST_OUTPUT_BYTES} bytes`
  if (error.name === 'AbortError') return 'was broken off'
  if (error.killed === true) return `took longer than ${LONGEST_RUN_MS / 1000} s and was ended`
  return typeof error.code === 'number'
    ? `ended with code ${error.code}`
    : `did not run (${error.code ?? error.name})`
}
