/** What can be done about an edge, each as a sentence, a plan and a press. */
import type { Edge, EdgeIssued } from '../../api/types.ts'
import { WISH_MEANS } from '../../model/granted/edges.ts'
import { SayDialog } from '../../parts/listing/say-dialog.tsx'

export type EdgeChange = 'active' | 'draining' | 'offline' | 'token' | 'revoke' | 'remove'

export interface EdgeAct {
  readonly edge: Edge
  readonly change: EdgeChange
}

interface Props {
  readonly of: EdgeAct
  readonly onClose: () => void
  readonly onIssued: (answer: EdgeIssued) => void
}

export const EdgeActs = ({ of, onClose, onIssued }: Props) => (
  <SayDialog
    {...dialogOf(of)}
    onClose={onClose}
    onDone={(body) => {
      if (of.change === 'token') onIssued(body as EdgeIssued)
    }}
  />
)

const WISHES = { active: 'Resume', draining: 'Drain', offline: 'Take out' } as const

function dialogOf({ edge: { id, name, revision }, change }: EdgeAct) {
  const path = `/api/ccm/edge/edges/${id}`
  switch (change) {
    case 'token':
      return {
        label: `A new token for ${name}`,
        act: 'Issue the token',
        says: 'It is shown once. The old one goes on for 24 hours, so that the edge can be changed in peace.',
        change: { kind: 'call', method: 'POST', path: `${path}/token` } as const,
      }
    case 'revoke':
      return {
        label: `End the tokens of ${name}`,
        act: 'End them at once',
        says: 'It fetches nothing until it has a new one, and goes on serving what it fetched last.',
        change: { kind: 'call', method: 'DELETE', path: `${path}/token` } as const,
        danger: true,
      }
    case 'remove':
      return {
        label: `Remove ${name}`,
        act: 'Remove it',
        says: 'Its tokens end at once. It goes on serving what it fetched until somebody stops it there.',
        change: { kind: 'call', method: 'DELETE', path } as const,
        danger: true,
      }
    case 'active':
    case 'draining':
    case 'offline':
      return {
        label: `${WISHES[change]} ${name}`,
        act: WISHES[change],
        says: WISH_MEANS[change],
        change: { kind: 'call', method: 'PUT', path, body: { desired_state: change, revision } } as const,
      }
  }
}
