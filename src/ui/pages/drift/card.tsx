/** One difference: its cause in words, three editions, the step that the first act would write, the acts. */
import { domainAddress } from '../../address.ts'
import { now } from '../../api/clock.ts'
import type { Difference, HealthComponent } from '../../api/types.ts'
import { nextText } from '../../model/next-words.ts'
import { movedLines } from '../../model/sides.ts'
import { writesMore } from '../../model/text/writes-more.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { causeMeans, causeTitle, plain, sentence } from '../../model/words.ts'
import { Acts } from '../../parts/acts.tsx'
import { Time } from '../../parts/age.tsx'
import { Hunks } from '../../parts/hunks.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Known, StopIgnoring } from './known.tsx'
import { Breaking } from '../../parts/name.tsx'
import { Prose } from '../../parts/text/prose.tsx'

interface Props {
  readonly difference: Difference
  readonly component: string
  readonly seen_at: number
  /** Of its key; undefined while it is not known. */
  readonly row: HealthComponent | undefined
  /** How many differences its part has. */
  readonly all: number
}

export function DifferenceCard({ difference, seen_at, row, all }: Props) {
  const { item, cause, domains, detail, hunks, acts } = difference
  const [domain] = domains
  const next = nextText(difference, row, now.value)
  const more = writesMore(acts, all)
  const repair = acts.find(({ id }) => id === 'repair')
  return (
    <article class="item box">
      <header>
        <LampIcon lamp={cause === 'rejected' ? 'bad' : 'drift'} />
        <h2>
          <b>{causeTitle(cause)}</b>: {visible(domain ?? item)}
        </h2>
        <span class="tag drift">{plain(cause)}</span>
        <p class="sub">
          {causeMeans(cause)} <Prose of={sentence(detail)} />
        </p>
        {domain !== undefined && <p class="sub s q mono">{visible(item)}</p>}
      </header>
      <Sides difference={difference} seen_at={seen_at} />
      {isWhole(difference) && (
        <p class="would q2">
          It is compared as a whole, so there are no lines of it to show; seen <Time at={seen_at} ago />.
          {repair !== undefined && (
            <>
              {' '}
              <b>{visible(repair.label)}</b> shows its plan before anything is written.
            </>
          )}
        </p>
      )}
      {hunks !== null && hunks.length > 0 && (
        <>
          <p class="would">
            What <b>{repair === undefined ? 'a repair' : visible(repair.label)}</b> would write
            {difference.line !== null && `, at line ${difference.line}`}
          </p>
          <Hunks hunks={hunks} label="What putting it back would write" />
        </>
      )}
      <footer>
        <Acts acts={acts.filter(isOffered(difference))} most={MAX_ACTS} first about={domain ?? item} />
        {difference.ignored !== undefined && <StopIgnoring item={item} />}
        {domain !== undefined && (
          <a class="btn quiet" href={domainAddress(domain)}>
            Explain
          </a>
        )}
        {next !== null && difference.ignored === undefined && <span class="next s q2">Next: {next}</span>}
        {difference.ignored !== undefined && (
          <span class="known s q2">
            <Known of={difference.ignored} />
          </span>
        )}
      </footer>
      {more !== null && <p class="pad">{visible(more)}</p>}
    </article>
  )
}

/** What somebody can do with it, and the mode that holds it back. */
const MAX_ACTS = 6

/** What is known to stay has its end instead; the page itself looks again. */
const isOffered =
  ({ ignored }: Difference) =>
  ({ id }: Difference['acts'][number]) =>
    id !== 'look' && (ignored === undefined || id !== 'ignore')

/** The API shows neither its three editions nor lines of it. */
const isWhole = ({ saved, released, there, hunks }: Difference): boolean =>
  saved === null && released === null && there === null && (hunks === null || hunks.length === 0)

/** Saved, released, there, with the sign between them; left out where the API shows none of the three. */
function Sides({ difference: { saved, released, there }, seen_at }: Pick<Props, 'difference' | 'seen_at'>) {
  if (saved === null && released === null && there === null) return null
  const first = saved === released
  const second = released === there
  const [ours, last, theirs] = movedLines([saved, released, there])
  return (
    <div class="sheet">
      <span class="h" />
      <span class="h">
        <b>Saved</b>
      </span>
      <span class={first ? 'h sign same' : 'h sign'} data-sign={first ? '=' : '≠'}>
        <b>Released</b>
      </span>
      <span class={second ? 'h sign same' : 'h sign off'} data-sign={second ? '=' : '≠'}>
        <b>There</b> <Time at={seen_at} ago />
      </span>
      <span>value</span>
      <Side text={ours} />
      <Side text={last} />
      <Side text={theirs} moved={!second} />
    </div>
  )
}

const Side = ({ text, moved = false }: { readonly text: string | null; readonly moved?: boolean }) =>
  text === null ? (
    <span class={moved ? 'q moved' : 'q'}>not there</span>
  ) : (
    <span class={moved ? 'mono moved pre' : 'mono pre'}>
      <Breaking of={visibleLines(text)} />
    </span>
  )
