/** Runs an operator's command as a list of words, never by a shell, and says in words how that went. */
import { execFile } from 'node:child_process'
import type { Milliseconds } from './clock.ts'

const MOST_OUTPUT_BYTES = 64 * 1024
const MOST_SHOWN = 500

/** `why` is the end of a sentence and safe to show; `output` is what the command itself said, cut short. */
export type Ran =
  { readonly ok: true } | { readonly ok: false; readonly why: string; readonly output: string }

/**
 * An environment of PATH and LANG alone: nothing of ours, no secret, reaches it. It gets so long and 64 KiB for its output.
 * Throws only the signal's reason.
 */
export async function runCommand(
  command: readonly string[],
  { most_ms, signal }: { readonly most_ms: Milliseconds; readonly signal: AbortSignal },
): Promise<Ran> {
  const [file = '', ...words] = command
  const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C' }
  const options = {
    env,
    timeout: most_ms,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT_BYTES,
    signal,
  } as const
  const ran = await new Promise<Ran>((resolve) => {
    execFile(file, words, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ ok: true })
      resolve({ ok: false, why: reason(error, file, most_ms), output: printable(`${stderr}${stdout}`) })
    })
    // Words that no system takes, such as an empty command.
  }).catch((error: unknown): Ran => ({ ok: false, why: reason(error as Error, file, most_ms), output: '' }))
  signal.throwIfAborted()
  return ran
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g

const printable = (text: string): string => text.replace(CONTROLS, ' ').trim().slice(0, MOST_SHOWN)

type RunError = Error & { code?: string | number | null; killed?: boolean }

function reason(error: RunError, file: string, most_ms: Milliseconds): string {
  if (error.code === 'ENOENT') return `there is no command ${JSON.stringify(file)}`
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `the command wrote more than ${MOST_OUTPUT_BYTES} bytes`
  if (error.killed === true) return `the command took longer than ${most_ms / 1000} s`
  return typeof error.code === 'number'
    ? `the command ended with code ${error.code}`
    : `the command did not run (${error.code ?? error.name})`
}
