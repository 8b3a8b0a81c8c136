/** The list of keys that an SSH gateway takes, as something that is kept true. */
import { fileTarget, observed } from '../../../engine/file-target.ts'
import type { ApplyContext, Target } from '../../../engine/target.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { stampOfBlock } from '../model/block.ts'
import type { WorldStamp } from '../../../model/world-stamp.ts'
import type { AuthorizedKeys, MakesKeys, SeenKeys } from '../authorized-keys-port.ts'
import type { ReaderOf } from '../../../ports/record-set.ts'
import type { sshClientRecords } from '../records.ts'
import { DESIRED, desiredBytes, gatewayCodec, type GatewayDesired } from './desire.ts'
import { changesIn, diffGateway, GATEWAY_KEY, gatewayObstacles, isOnlyMisModed } from './diff.ts'
import { explainGateway } from './explain.ts'
import { fingerprintOfState, gatewayState, type GatewayState, keysTextOf } from './gateway-state.ts'

/** So often a write is made anew because somebody else wrote at the same time. */
const MAX_TRIES = 3

export interface GatewayParts {
  readonly file: AuthorizedKeys
  readonly store: ReaderOf<typeof sshClientRecords>
  readonly clock: Clock
  /** How far the database is. */
  readonly stamp: () => Promise<WorldStamp | null>
  /** Resync period: a file here is glanced at, one elsewhere costs a connection. */
  readonly every_ms: number
}

export type GatewayTarget = Target<GatewayDesired, GatewayState, null>

export function gatewayTarget(parts: GatewayParts): GatewayTarget {
  const { file, every_ms } = parts
  return fileTarget({
    key: GATEWAY_KEY,
    file,
    every_ms,
    full_look_every_ms: 3_600_000,
    deadline_ms: 30_000,
    backoff: { first_ms: 1_000, max_ms: 5 * 60_000 },
    whole: false,
    place: file.place,
    reads: [],
    desire: () => DESIRED,
    constant: true,
    codec: gatewayCodec,
    observe: (signal) => observe(parts, signal),
    diff: diffGateway,
    obstacles: gatewayObstacles,
    stampIn,
    bears_number: true,
    // A line that is missing lets nobody in; one that is there or reads otherwise may.
    opens: (_desired, state) => changesIn(state).some(({ verb }) => verb !== 'create'),
    concerns: () => false,
    async apply(differences, _desired, context) {
      if (differences.length > 0) await write(parts, context)
      return differences.map(({ key }) => ({ key, ok: true }))
    },
    explain: explainGateway,
  })
}

function stampIn(state: GatewayState): WorldStamp | null {
  const keys_text = keysTextOf(state)
  return keys_text?.kind === 'block' ? stampOfBlock(keys_text.block) : null
}

const observe = ({ clock, ...parts }: GatewayParts, signal: AbortSignal) =>
  observed({ clock, reasonOf }, signal, async () => {
    const state = await look(parts, signal)
    return { state, digest: fingerprintOfState(state) }
  })

const reasonOf = ({ code }: Failure) => (code === 'provider_credentials' ? 'refused' : 'unreachable')

async function look(parts: Pick<GatewayParts, 'file' | 'store'>, signal: AbortSignal): Promise<GatewayState> {
  return stateOf(parts, await parts.file.see(signal))
}

const stateOf = async (
  { file, store }: Pick<GatewayParts, 'file' | 'store'>,
  seen: SeenKeys,
): Promise<GatewayState> => gatewayState(file.place, seen, await store.sshClients())

/**
 * Where only the mode is wrong, it alone is changed. Looks anew: foreign lines that came since the comparison must not be lost, nor a client
 * that was just taken off.
 */
async function write(parts: GatewayParts, context: ApplyContext): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      if (await rewrite(parts, context, { but_mode: true })) return
      await parts.file.restoreMode(context.signal)
      await rewrite(parts, context, { but_mode: false })
      return
    } catch (error) {
      const is_overtaken = error instanceof Failure && error.code === 'conflict'
      if (!is_overtaken || tries === MAX_TRIES) throw error
    }
  }
}

/**
 * Looks and writes by one login.
 * @returns with `but_mode`: false where only the mode is wrong, and nothing was written
 */
async function rewrite(
  parts: GatewayParts,
  { signal, evidence, kept }: ApplyContext,
  { but_mode }: { readonly but_mode: boolean },
): Promise<boolean> {
  const found: { is_mode_alone: boolean } = { is_mode_alone: false }
  const make: MakesKeys = async (seen) => {
    const state = await stateOf(parts, seen)
    found.is_mode_alone = but_mode && isOnlyMisModed(state)
    return found.is_mode_alone ? null : bytesFor(parts, state)
  }
  await parts.file.rewrite(make, { evidence, kept }, signal)
  return !found.is_mode_alone
}

/** Null where nothing is to be written, or cannot be. */
async function bytesFor(
  { stamp }: Pick<GatewayParts, 'stamp'>,
  state: GatewayState,
): Promise<Uint8Array | null> {
  const keys_text = keysTextOf(state)
  if (keys_text === null || keys_text.kind === 'damaged' || changesIn(state).length === 0) return null
  return desiredBytes(keys_text, state.clients, await stamp())
}
