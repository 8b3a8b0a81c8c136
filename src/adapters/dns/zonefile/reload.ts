/** Telling the name server that a zone file is new: the operator's own command, as a list of words, never by a shell. */
import { execFile } from 'node:child_process'

const LONGEST_RUN_MS = 10_000
const MOST_OUTPUT_BYTES = 64 * 1024
const MOST_SHOWN = 500

/** `ok: false`: `why` is the end of a sentence and safe to show; `output` is for the log. */
export type Reloaded =
  { readonly ok: true } | { readonly ok: false; readonly why: string; readonly output: string }

/**
 * Runs the command, `{zone}` in its words replaced, with an environment of PATH and LANG alone: nothing of ours, no
 * secret, reaches it. It gets 10 s and 64 KiB for its output.
 */
export function runReload(command: readonly string[], zone: string, signal: AbortSignal): Promise<Reloaded> {
  const [file = '', ...words] = command.map((word) => word.replaceAll('{zone}', zone))
  const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C' }
  const options = {
    env,
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT_BYTES,
    signal,
  } as const
  return new Promise<Reloaded>((resolve) => {
    execFile(file, words, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ ok: true })
      const output = `${stderr}${stdout}`.trim().slice(0, MOST_SHOWN)
      resolve({ ok: false, why: reason(error, file), output })
    })
    // Words that no system takes, such as an empty command.
  }).catch((error: unknown) => ({ ok: false, why: reason(error as Error, file), output: '' }))
}

function reason(error: Error & { code?: string | number | null; killed?: boolean }, file: string): string {
  if (error.code === 'ENOENT') return `there is no command ${JSON.stringify(file)}`
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `it wrote more than ${MOST_OUTPUT_BYTES} bytes`
  if (error.name === 'AbortError') return 'the wait for it was broken off'
  if (error.killed === true) return `it took longer than ${LONGEST_RUN_MS / 1000} s`
  return typeof error.code === 'number'
    ? `it ended with code ${error.code}`
    : `it did not run (${error.code ?? error.name})`
}
