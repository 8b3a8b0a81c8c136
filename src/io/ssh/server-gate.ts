/** What is known of a server that may not answer, and who wants to hear that it does again. */
import type { Clock } from '../../kernel/clock.ts'
import { PeerGate, type PeerGateOptions } from '../../kernel/async/peer-gate.ts'

export interface ServerGate {
  /** Stands before every session. */
  readonly gate: Pick<PeerGate, 'run'>
  /** Calls `hint` when the server answers again. */
  readonly onBack: (hint: () => void) => { close(): void }
  close(): void
}

export interface GatedServer extends Pick<PeerGateOptions, 'probe'> {
  readonly host: string
  readonly port: number
}

/** A login may rightly take its time, and a refusal is an answer: so the server is probed before it counts as dead. */
export function serverGate({ host, port, probe }: GatedServer, clock: Clock): ServerGate {
  const hints = new Set<() => void>()
  const gate = new PeerGate({
    clock,
    place: `ssh: ${host}:${port}`,
    probe,
    signOf: () => 'silent',
    back: () => hints.forEach((hint) => hint()),
  })
  return {
    gate,
    onBack(hint) {
      // Two watchers may pass the same function.
      const own = () => hint()
      hints.add(own)
      return { close: () => void hints.delete(own) }
    },
    close: () => gate.close(),
  }
}

/** What waits for the first line of a server. */
type Greeting = (
  place: { readonly host: string; readonly port: number; readonly max_ms: number },
  clock: Clock,
  signal: AbortSignal,
) => Promise<unknown>

/** One that asks an SSH server for its greeting. */
export const greetedGate = (
  { host, port }: { readonly host: string; readonly port: number },
  clock: Clock,
  greeting: Greeting,
): ServerGate =>
  serverGate(
    { host, port, probe: (signal, max_ms) => greeting({ host, port, max_ms }, clock, signal) },
    clock,
  )
