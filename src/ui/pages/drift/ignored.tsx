/** What somebody has said may stay: each with its reason, who said so, until when, and its end by hand. */
import { refresh, useResource } from '../../api/cache.ts'
import type { IgnoredDifferences } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { visible } from '../../model/visible.ts'
import { componentWords } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Resource } from '../../parts/panel.tsx'
import { Known, StopIgnoring } from './known.tsx'

const IGNORED = '/api/drift/ignored'

export function Ignored() {
  const ignored = useResource<IgnoredDifferences>(IGNORED)
  return (
    <section class="gap2" aria-labelledby="ignored">
      <h2 class="t" id="ignored">
        Left as it is for a while
      </h2>
      <Resource of={ignored} what="What is ignored" retry={() => void refresh(IGNORED)}>
        {(all) =>
          all.length === 0 ? (
            <p class="q2">
              Nothing is. A difference that may stay until an end is listed here, and not repaired meanwhile.
            </p>
          ) : (
            <ul aria-label="What is ignored">
              {all.map((one) => (
                <Line key={`${one.key} ${one.item}`} of={one} />
              ))}
            </ul>
          )
        }
      </Resource>
    </section>
  )
}

function Line({ of: { item, key, since, ...ignored } }: { readonly of: IgnoredDifferences[number] }) {
  const { title, detail } = componentWords(key)
  return (
    <li class="why">
      <LampIcon lamp="off" plain />
      <span class="acts">
        <b class="mono">{visible(item)}</b>
        <span class="s q2">
          {detail === '' ? title : `${title} ${visible(detail)}`}, since <Time at={parseTime(since)} ago />
        </span>
        <span class="s">
          <Known of={ignored} />
        </span>
        <StopIgnoring item={item} />
      </span>
    </li>
  )
}
