/** The fragment of each edition of a domain, as it is rendered. */
import { refresh, useResource } from '../../api/cache.ts'
import type { ExplainedDomain } from '../../api/types.ts'
import { parseTime } from '../../model/ages.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { componentWords } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Resource } from '../../parts/panel.tsx'

type Part = ExplainedDomain['components'][number]

/** The fragment of each edition, to copy. */
export function RenderedTab({ id }: { readonly id: number }) {
  const url = `/api/domains/${id}/explain`
  const explained = useResource<ExplainedDomain>(url)
  return (
    <Resource of={explained} what="What is rendered" retry={() => void refresh(url)}>
      {({ components }) => components.map((part) => <ThreeTexts key={part.key} part={part} />)}
    </Resource>
  )
}

export function ThreeTexts({ part }: { readonly part: Part }) {
  const { title, detail } = componentWords(part.key)
  return (
    <section class="gapb">
      <h2 class="t">
        {title} {visible(detail)}
        <span class="more">
          seen <Time at={parseTime(part.observed_at)} ago />
        </span>
      </h2>
      <div class="texts">
        <OneText title="Saved" text={part.desired} />
        <OneText title="Released" text={part.released} />
        <OneText title="There" text={part.observed} unknown={part.unknown_because} />
      </div>
    </section>
  )
}

interface TextProps {
  readonly title: string
  readonly text: string | null
  readonly unknown?: string | null
}

const OneText = ({ title, text, unknown = null }: TextProps) => (
  <div class="box">
    <p class="pad s">
      <b>{title}</b> {text !== null && <Copy text={text} what={title.toLowerCase()} />}
    </p>
    {text === null ? (
      <p class="pad q2">{unknown === null ? 'nothing' : visible(unknown)}</p>
    ) : (
      // It can be scrolled, so the keyboard must reach it.
      <pre class="pad mono" tabIndex={0} role="region" aria-label={title}>
        {visibleLines(text)}
      </pre>
    )}
  </div>
)
