/** Runs an operator's command as a list of words, never by a shell, and says in words how that went. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Milliseconds } from './clock.ts'

const MAX_OUTPUT_BYTES = 64 * 1024
const MAX_SHOWN = 500
/** What a command said last may be on its way still when it has ended. */
const DRAIN_MS: Milliseconds = 100
/** A killed command is gone at once, unless it belongs to somebody else (`sudo`) or waits in the kernel. */
const ENDED_WITHIN_MS: Milliseconds = 2000

/**
 * `why` is the end of a sentence and safe to show; `output` is what the command itself said, cut short, and `said` all of it.
 * `ended`: it ran to its end by itself. `is_missing`: there is no such command.
 */
export type Ran =
  | { readonly ok: true; readonly said: string; readonly output: string }
  | {
      readonly ok: false
      readonly why: string
      /** By its end; left out where it never began. */
      readonly said?: string
      readonly output: string
      readonly ended: boolean
      readonly is_missing?: true
    }

/**
 * An environment of PATH and LANG alone: nothing of ours, no secret, reaches it. It gets so long and 64 KiB for its output,
 * and is killed beyond that, with all that it has begun: a signal that can be ignored would leave it there for good. One that
 * cannot be killed is let go. What it leaves in the background when it ends by itself goes on, and nobody waits for it.
 * Throws only the signal's reason.
 */
export async function runCommand(
  command: readonly string[],
  { max_ms, signal }: { readonly max_ms: Milliseconds; readonly signal: AbortSignal },
): Promise<Ran> {
  signal.throwIfAborted()
  const [file = '', ...words] = command
  const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C' }
  try {
    // A group of its own, to be killed as one.
    const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const ran = await ending(child, { max_ms, signal })
    signal.throwIfAborted()
    return ran
  } catch (error) {
    if (signal.aborted) throw error
    return { ok: false, output: '', ended: false, ...reason(error as RunError, file) }
  }
}

/** Rejects when it cannot be begun. */
function ending(
  child: ChildProcess,
  { max_ms, signal }: { readonly max_ms: Milliseconds; readonly signal: AbortSignal },
): Promise<Ran> {
  return new Promise<Ran>((resolve, reject) => {
    const said = { stderr: '', stdout: '' }
    let broken: string | null = null
    let leaves: NodeJS.Timeout | undefined
    const breakOff = (why: string) => {
      if (broken !== null) return
      broken = why
      killGroup(child)
      leaves = setTimeout(leave, ENDED_WITHIN_MS)
    }
    const aborted = () => breakOff('the command was broken off')
    const timer = setTimeout(() => breakOff(`the command took longer than ${max_ms / 1000} s`), max_ms)
    signal.addEventListener('abort', aborted, { once: true })
    for (const name of ['stderr', 'stdout'] as const)
      child[name]?.on('data', (bytes: Buffer) => {
        said[name] += bytes.toString('latin1')
        if (said.stderr.length + said.stdout.length > MAX_OUTPUT_BYTES)
          breakOff(`the command wrote more than ${MAX_OUTPUT_BYTES} bytes`)
      })
    const letGo = () => {
      clearTimeout(timer)
      clearTimeout(leaves)
      signal.removeEventListener('abort', aborted)
      for (const stream of [child.stdout, child.stderr]) letRun(stream as Socket | null)
    }
    const end = () => {
      letGo()
      const why = broken ?? exitReason(child)
      const all = `${said.stderr}${said.stdout}`
      const output = printable(all)
      if (why === null) return resolve({ ok: true, said: all, output })
      resolve({ ok: false, why, said: all, output, ended: broken === null && child.exitCode !== null })
    }
    const leave = () => {
      letGo()
      child.unref()
      const all = `${said.stderr}${said.stdout}`
      const why = `${broken}, and could not be ended: it goes on`
      resolve({ ok: false, why, said: all, output: printable(all), ended: false })
    }
    child.once('error', (error) => {
      letGo()
      reject(error)
    })
    child.once('exit', () => {
      clearTimeout(leaves)
      const waits = setTimeout(end, DRAIN_MS)
      child.once('close', () => {
        clearTimeout(waits)
        end()
      })
    })
  })
}

/**
 * Whoever was left in the background may go on saying things. Nobody listens, but the pipe stays open while we live: a
 * broken one would kill a provider that was started so.
 */
function letRun(stream: Socket | null): void {
  stream?.removeAllListeners('data').resume().unref()
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

/** Null when it ended well. */
function exitReason({ exitCode, signalCode }: ChildProcess): string | null {
  if (exitCode === 0) return null
  return exitCode === null
    ? `the command was ended by ${signalCode ?? 'a signal'}`
    : `the command ended with code ${exitCode}`
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g

const printable = (text: string): string =>
  Buffer.from(text, 'latin1').toString('utf8').replace(CONTROLS, ' ').trim().slice(0, MAX_SHOWN)

type RunError = Error & { code?: string }

const reason = (error: RunError, file: string): { readonly why: string; readonly is_missing?: true } =>
  error.code === 'ENOENT'
    ? { why: `there is no command ${JSON.stringify(file)}`, is_missing: true }
    : { why: `the command did not run (${error.code ?? error.name})` }
