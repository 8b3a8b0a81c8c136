/** Why the gateway's file differs, line by line, for people. Pure. */
import type { Explanation, Sides } from '../../engine/target.ts'
import type { DriftCause } from '../../model/drift.ts'
import type { GatewayDesired } from './desire.ts'
import { changesIn, type LineChange, obstacleIn } from './diff.ts'
import type { GatewayState } from './gateway-state.ts'

const MOST_LISTED = 500

export function explainGateway({ observed }: Sides<GatewayDesired, GatewayState>): Explanation {
  const obstacle = obstacleIn(observed)
  const changes = changesIn(observed)
  const listed = changes.slice(0, MOST_LISTED).map((change) => ({
    item: change.item,
    cause: CAUSES[change.verb],
    domains: [],
    detail: detailOf(change),
  }))
  const beyond = changes.length - listed.length
  return {
    differences:
      obstacle === null
        ? listed
        : [{ item: observed.place, cause: 'foreign_owner', domains: [], detail: obstacle }],
    unified_diff: null,
    note: beyond > 0 ? `${beyond} further differences are not listed.` : null,
  }
}

const CAUSES: Readonly<Record<LineChange['verb'], DriftCause>> = {
  create: 'lost',
  update: 'edited',
  delete: 'edited',
}

function detailOf({ verb }: LineChange): string {
  switch (verb) {
    case 'create':
      return 'the client is not in the file: its key does not log in'
    case 'update':
      return 'the line is not as it was written'
    case 'delete':
      return 'stands between our lines and belongs to no client'
  }
}
