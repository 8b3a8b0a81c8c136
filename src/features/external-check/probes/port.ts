/** What the external check asks of the world. Nothing here throws for what the world does; an abort ends it as a failure. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { ExternalProbe, ProbeOutcome } from '../../../model/network/external-check.ts'

export type Resolved = Readonly<
  Record<
    string,
    | { readonly ok: true; readonly addresses: readonly string[] }
    | { readonly ok: false; readonly why: string }
  >
>

export type Addresses = Readonly<Record<string, readonly string[]>>

export interface TriedProbes {
  /** Asks the system's resolver for every name that is needed. */
  resolve(signal: AbortSignal): Promise<Resolved>
  probe(name: Exclude<ExternalProbe, 'dns'>, addresses: Addresses, signal: AbortSignal): Promise<ProbeOutcome>
}

export interface Probes extends TriedProbes {
  /** Whether one of the control addresses takes a connection; true where there is none to ask. */
  ownLine(signal: AbortSignal, max_ms: Milliseconds): Promise<boolean>
  /** Null where the daemon has heard it, else why not, as the end of a sentence; undefined where none is to be told. */
  heartbeat(body: unknown, addresses: Addresses, signal: AbortSignal): Promise<string | null | undefined>
  close(): Promise<void>
}
