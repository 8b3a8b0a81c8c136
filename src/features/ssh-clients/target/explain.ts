/** Why the gateway's file differs, line by line, for people. Pure. */
import type { Explanation, Sides } from '../../../engine/target.ts'
import { type DriftCause, unlistedNote } from '../../../model/drift.ts'
import type { GatewayDesired } from './desire.ts'
import { AS_LAST_SEEN, changesIn, type LineChange, obstacleIn } from './diff.ts'
import { type GatewayState, keysTextOf } from './gateway-state.ts'

const MAX_LISTED = 500

export function explainGateway({ observed }: Sides<GatewayDesired, GatewayState>): Explanation {
  const obstacle = obstacleIn(observed)
  const { place, access } = observed
  const [closed] = access?.file ?? []
  const changes = changesIn(observed)
  const listed = changes.slice(0, MAX_LISTED).map((change) => ({
    item: change.item,
    cause: isAboutAccess(change, closed) ? ('access' as const) : CAUSES[change.verb],
    domains: [],
    detail: isAboutAccess(change, closed) ? closed! : detailOf(change),
  }))
  const isPassedOver = (access?.folders.length ?? 0) > 0 && keysTextOf(observed)?.kind !== 'damaged'
  return {
    differences:
      obstacle === null
        ? listed
        : [{ item: place, cause: isPassedOver ? 'access' : 'foreign_owner', domains: [], detail: obstacle }],
    unified_diff: null,
    note: unlistedNote(changes.length, listed.length),
  }
}

const isAboutAccess = ({ before }: LineChange, closed: string | undefined): boolean =>
  closed !== undefined && before === closed

const CAUSES: Readonly<Record<LineChange['verb'], DriftCause>> = {
  create: 'lost',
  update: 'edited',
  delete: 'edited',
}

function detailOf({ verb, before, after }: LineChange): string {
  if (after === AS_LAST_SEEN) return `${before} stands in its place; nobody follows it`
  switch (verb) {
    case 'create':
      return 'the client is not in the file: its key does not log in'
    case 'update':
      return 'the line is not as it was written'
    case 'delete':
      return 'stands between our lines and belongs to no client'
  }
}
