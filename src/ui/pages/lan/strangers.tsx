/** Connected clients that nobody knows; who cannot be decided on is no stranger, and not known either. */
import { refresh, useResource } from '../../api/cache.ts'
import type { RogueCheck } from '../../api/companions/network.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { number } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Empty, Resource } from '../../parts/panel.tsx'

const CHECK = '/companions/network/api/rogue-check'
const MAX_LINES = 200

type Stranger = RogueCheck['rogue'][number]

export function Strangers() {
  const check = useResource<RogueCheck>(CHECK)
  return (
    <Resource of={check} what="Strangers" retry={() => void refresh(CHECK)}>
      {({ ok, known, rogue, undecided }) => (
        <>
          {rogue.length + undecided.length === 0 && (
            <Empty
              title={
                ok === true
                  ? `All ${number(known)} connected clients are known.`
                  : 'None was found, and not everything could be seen.'
              }
              mark={ok === true}
            />
          )}
          <ul class="gap">
            {rogue.slice(0, MAX_LINES).map((one) => (
              <Line key={one.mac} of={one} decided />
            ))}
            {undecided.slice(0, MAX_LINES).map((one) => (
              <Line key={one.mac} of={one} decided={false} />
            ))}
          </ul>
          {rogue.length + undecided.length > MAX_LINES && (
            <p class="s q">{number(rogue.length + undecided.length)} in all</p>
          )}
        </>
      )}
    </Resource>
  )
}

function Line({ of, decided }: { readonly of: Stranger; readonly decided: boolean }) {
  const { mac, hostname, address, vendor, network, randomized, last_seen } = of
  const seen = parseTimeOr(last_seen)
  return (
    <li class="why">
      <LampIcon lamp={decided ? 'drift' : 'unknown'} />
      <span>
        <b>{visible(hostname ?? vendor ?? 'Nameless')}</b> <span class="mono">{visible(mac)}</span>{' '}
        <span class="q2">
          {visible([address, network, vendor].filter((one) => one !== null).join(', '))}
          {randomized && ', with a MAC that phones make up'}
          {!decided && ', may be known to a source that could not be read'}
          {seen !== null && (
            <>
              , seen <Time at={seen} ago />
            </>
          )}
        </span>
      </span>
    </li>
  )
}
