/** What to change about the gateway's file, line by line, and what keeps us from it. Pure. */
import type { Difference, Obstacle } from '../../../engine/target.ts'
import { withoutStamp } from '../model/block.ts'
import { clientItem, type SshClient } from '../../../model/ssh/client.ts'
import { type KeyLine, lineOf, readLine } from '../model/line.ts'
import { safeName } from '../../../model/ssh/public-key.ts'
import { desiredBlock, type GatewayDesired } from './desire.ts'
import { type GatewayState, intruderIn, lackedIn, keysTextOf } from './gateway-state.ts'

export const GATEWAY_KEY = 'ssh-gateway'

/** One line that is not as it should be. */
export interface LineChange {
  /** The fingerprint and name of its key, or where it stands. */
  readonly item: string
  readonly verb: Difference<null>['verb']
  readonly before: string | null
  readonly after: string | null
}

export const diffGateway = (_desired: GatewayDesired, state: GatewayState): readonly Difference<null>[] =>
  changesIn(state).map((change) => ({ ...change, key: `${GATEWAY_KEY} ${change.item}`, payload: null }))

/** Empty also where the file cannot be worked on: the obstacles tell of that. */
export function changesIn(state: GatewayState): readonly LineChange[] {
  const { clients, place, access } = state
  const [wrong] = access?.file ?? []
  if (isClosed(state) && clients.length > 0)
    return [{ item: place, verb: 'update', before: wrong ?? 'closed', after: ITS_MODE }]
  const keys_text = keysTextOf(state)
  if (keys_text === null || keys_text.kind === 'damaged') return []
  if (keys_text.kind === 'none' && clients.length === 0) return []
  const intruder = intruderIn(state)
  if (intruder !== null && lackedIn(state).length > 0) return []
  if (intruder !== null)
    return [{ item: place, verb: 'update', before: `a ${intruder.what}`, after: AS_LAST_SEEN }]
  if (keys_text.kind === 'block' && withoutStamp(keys_text.block) === desiredBlock(clients))
    return wrong === undefined ? [] : [{ item: place, verb: 'update', before: wrong, after: ITS_MODE }]
  const changes = lineChanges(keys_text.kind === 'block' ? keys_text.lines : [], clients)
  const layout = { item: place, verb: 'update', before: 'another layout', after: 'our layout' } as const
  return changes.length > 0 ? changes : [layout]
}

const ITS_MODE = 'its own mode'
export const AS_LAST_SEEN = 'the file as it was last seen, with our lines'

/** Against its own owner, so nobody knows what stands in it. */
const isClosed = ({ look }: GatewayState): boolean => look.kind === 'intruder' && look.what === 'closed file'

/** Every line is as it was written, as far as that can be read. */
export const isOnlyMisModed = (state: GatewayState): boolean => {
  const changes = changesIn(state)
  return changes.length > 0 && changes.every(({ after }) => after === ITS_MODE)
}

function lineChanges(lines: readonly string[], clients: readonly SshClient[]): readonly LineChange[] {
  const wanted = new Map(clients.map((client) => [client.fingerprint, client]))
  const seen = new Set<string>()
  const strange: LineChange[] = []
  for (const [i, text] of lines.entries()) {
    const read = readLine(text)
    const client = read === null ? undefined : wanted.get(read.fingerprint)
    if (client === undefined || seen.has(client.fingerprint)) {
      const item = read === null ? `line ${i + 1} of the block` : nameOf(read)
      if (text.trim() !== '') strange.push({ item, verb: 'delete', before: shown(text), after: null })
    } else {
      seen.add(client.fingerprint)
      if (text !== lineOf(client)) strange.push(ownLine('update', client, shown(text)))
    }
  }
  const missing = clients.filter(({ fingerprint }) => !seen.has(fingerprint))
  return [...strange, ...missing.map((client) => ownLine('create', client, null))]
}

const ownLine = (verb: LineChange['verb'], client: SshClient, before: string | null): LineChange => ({
  item: clientItem(client),
  verb,
  before,
  after: lineOf(client),
})

const nameOf = ({ fingerprint, comment }: KeyLine): string => `${fingerprint} ${safeName(comment)}`.trim()

const MAX_SHOWN = 200

/** A stranger's line, fit for a plan. */
const shown = (text: string): string => text.slice(0, MAX_SHOWN).replaceAll(/[^\u0020-\u007e]/g, '?')

/** What only a person can move out of the way. Nothing is guessed: a wrong guess lets somebody in, or locks everybody out. */
export function gatewayObstacles(_desired: GatewayDesired, state: GatewayState): readonly Obstacle[] {
  const message = obstacleIn(state)
  if (message === null) return []
  const failure = { code: 'conflict', message, retry_after_ms: 0 } as const
  return [{ item: state.place, domain_ids: [], failure }]
}

export function obstacleIn(state: GatewayState): string | null {
  const { look, place, clients } = state
  const keys_text = keysTextOf(state)
  if (keys_text?.kind === 'damaged')
    return (
      `The block of ours in ${place} ${keys_text.fault}. It is left alone. Put the two marker lines back around the lines ` +
      'between them, or remove both and all of these lines; then everything is written anew.'
    )
  if (clients.length === 0) return null
  if (look.kind === 'intruder' && !isClosed(state) && intruderIn(state) === null)
    return (
      `${place} is a ${look.what}, and what stood there before is not known. Put a file in its place, ` +
      'or name the real one in PLUMBLINE_AUTHORIZED_KEYS.'
    )
  const lacked = lackedIn(state)
  if (look.kind === 'intruder' && lacked.length > 0)
    return (
      `${place} is a ${look.what}, and what it held before would let in again: ${lacked.join(', ')}. Put the file itself ` +
      'in its place, or name the real one in PLUMBLINE_AUTHORIZED_KEYS.'
    )
  const [folder] = state.access?.folders ?? []
  if (folder !== undefined)
    return `sshd passes over ${place}, so nobody logs in with a key: ${folder}. It is left alone.`
  return look.kind === 'oversize' ? `${place} has ${look.size} bytes and is not read. Clean it up.` : null
}
