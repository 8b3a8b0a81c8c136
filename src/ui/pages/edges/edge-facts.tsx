/** One edge: why it is in its state, what it runs, and what can be wanted of it. */
import { mayChange, whyNot } from '../../api/session.ts'
import type { Edge } from '../../api/types.ts'
import { parseTime, parseTimeOr } from '../../model/ages.ts'
import { edgeHelp, edgeLamp, nextWishes, runsWords } from '../../model/granted/edges.ts'
import { Time } from '../../parts/age.tsx'
import { FactsDialog } from '../../parts/listing/facts.tsx'
import { Menu } from '../../parts/menu.tsx'
import type { EdgeAct, EdgeChange } from './acts.tsx'

interface Props {
  readonly of: Edge
  readonly onAct: (act: EdgeAct) => void
  readonly onClose: () => void
}

const short = (version: string | null): string | null => (version === null ? null : version.slice(0, 12))

export function EdgeFacts({ of: edge, onAct, onClose }: Props) {
  const { name, hostname, address, region, state, reason, last_seen, created_at } = edge
  const { config_version, served_version, current_version } = edge
  const seen = parseTimeOr(last_seen)
  const start = (change: EdgeChange) => onAct({ edge, change })
  return (
    <FactsDialog
      title={name}
      lamp={edgeLamp(edge)}
      why={reason}
      onClose={onClose}
      facts={[
        ['What helps', edgeHelp(edge)],
        ['State', state],
        ['Reached at', hostname],
        ['Address', address],
        ['Region', region],
        ['Heard of', seen === null ? 'never' : <Time at={seen} ago />],
        ['Runs', runsWords(edge)],
        ['Fetched last', short(served_version)],
        ['Says it runs', short(config_version)],
        ['Released', short(current_version)],
        ['Added', <Time key="added" at={parseTime(created_at)} ago />],
      ]}
      acts={
        <>
          {nextWishes(edge).map(([wish, label]) => (
            <button
              key={wish}
              type="button"
              class="btn"
              disabled={!mayChange.value}
              title={whyNot.value ?? undefined}
              onClick={() => start(wish)}
            >
              {label}…
            </button>
          ))}
          <Menu
            label="More"
            items={[
              { title: 'A new token…', run: () => start('token'), why_not: whyNot.value },
              { title: 'End its tokens…', run: () => start('revoke'), danger: true, why_not: whyNot.value },
              { title: 'Remove it…', run: () => start('remove'), danger: true, why_not: whyNot.value },
            ]}
          >
            More
          </Menu>
        </>
      }
    />
  )
}
