/** What is asked about one guest: its configuration, and who knows its addresses while it runs. */
import { Failure } from '../../../kernel/failure.ts'
import type { ListedGuest } from './read-guests.ts'
import { type GuestSettings, readInterfaces, readSettings } from './read-settings.ts'
import { isSilentNode, type ProxmoxSession, Unusable } from './session.ts'

export interface Told {
  readonly addresses: readonly string[]
  /** Null when nothing is missing. */
  readonly detail: string | null
  /** Its node does not answer, so nobody else on it needs to be asked. */
  readonly is_node_silent: boolean
}

const SETTINGS_WITHIN_MS = 5000
/** An agent that hangs blocks the node's worker, too; one that answers does so at once. */
const INSIDE_WITHIN_MS = 2500

const pathOf = ({ node, kind, vmid }: ListedGuest): string =>
  `/nodes/${encodeURIComponent(node)}/${kind}/${vmid}`

/** Throws `Unusable`, a Failure, or the signal's reason. */
export async function askSettings(
  session: ProxmoxSession,
  guest: ListedGuest,
  signal: AbortSignal,
): Promise<GuestSettings> {
  const deadline_ms = SETTINGS_WITHIN_MS
  return readSettings(await session.data(`${pathOf(guest)}/config`, { signal, deadline_ms }))
}

/** Whether its inside can tell more than its settings do. */
export const hasInside = ({ kind, state }: ListedGuest, { has_others, has_agent }: GuestSettings): boolean =>
  state === 'running' && (kind === 'qemu' ? has_agent : has_others)

/** What runs in it tells: the agent of a virtual machine, the kernel of a container. Throws only the signal's reason. */
export async function askInside(
  session: ProxmoxSession,
  guest: ListedGuest,
  { macs, signal }: { readonly macs: readonly string[]; readonly signal: AbortSignal },
): Promise<Told> {
  const path = guest.kind === 'qemu' ? '/agent/network-get-interfaces' : '/interfaces'
  try {
    const data = await session.data(pathOf(guest) + path, { signal, deadline_ms: INSIDE_WITHIN_MS })
    const addresses = readInterfaces(data, macs)
    return addresses === null
      ? untold('what it says of its interfaces cannot be read')
      : { addresses, detail: null, is_node_silent: false }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return troubleOf(error)
  }
}

/** Rethrows what is no trouble of the other side. */
export function troubleOf(error: unknown): Told {
  if (error instanceof Unusable) {
    const rights =
      error.status === 403 ? '; agents are asked with VM.GuestAgent.Audit (VM.Monitor before 9)' : ''
    return { ...untold(error.message + rights), is_node_silent: isSilentNode(error.status) }
  }
  if (error instanceof Failure) return untold(error.message.replace(/\.$/, ''))
  throw error
}

const untold = (detail: string): Told => ({ addresses: [], detail, is_node_silent: false })
