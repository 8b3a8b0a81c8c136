/**
 * What a gateway lets in from the internet: the ports that it forwards, and what people set in its firewall for connections
 * that begin outside. Lists are null where they could not be read, and then nothing follows from them.
 */
import type { PortRange } from './port-ranges.ts'

export interface Inbound {
  /** A gateway of this site is managed here; without one, its lists say nothing of what comes in. Null: not known. */
  readonly has_gateway: boolean | null
  readonly forwards: readonly PortForward[] | null
  readonly rules: readonly InboundRule[] | null
  /** Entries that could not be read. */
  readonly unreadable: number
  /** What could not be read, and why; null when nothing is missing. */
  readonly detail: string | null
}

export const FORWARD_PROTOCOLS = ['tcp', 'udp', 'tcp_udp'] as const
export type ForwardProtocol = (typeof FORWARD_PROTOCOLS)[number]

export interface PortForward {
  readonly name: string
  readonly enabled: boolean
  /** The uplink that it holds for, as the controller says: `wan`, `wan2`, `both`. */
  readonly uplink: string
  readonly protocol: ForwardProtocol
  /** Who may use it; null for everybody. */
  readonly from: string | null
  /** On the outside. */
  readonly ports: readonly PortRange[]
  readonly to_address: string
  readonly to_ports: readonly PortRange[]
}

/** Enabled rules of people for new connections from the internet; those that a controller makes itself are left out. */
export interface InboundRule {
  readonly name: string
  readonly lets_in: boolean
  /** The zone that it leads to, or `gateway` for the gateway itself. */
  readonly to: string
  readonly protocol: string
  /** Null: any, or ports that are not told. */
  readonly ports: readonly PortRange[] | null
  /** True where its addresses, protocol or ports are not simply "any", so that it may not concern everybody. */
  readonly is_narrow: boolean
}
