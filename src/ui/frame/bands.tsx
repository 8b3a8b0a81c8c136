/** What is said under the bar of every page: the line is lost, or something is not kept true just now. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useResource } from '../api/cache.ts'
import { now } from '../api/clock.ts'
import { line, tryNow } from '../api/live.ts'
import { mayChange, refusedPresses, whyNot } from '../api/session.ts'
import type { Modes, Overview } from '../api/types.ts'
import { ageText, untilText } from '../model/ages.ts'
import { bandWords, isUnusual, repairsForNow } from '../model/text/modes.ts'
import { visible } from '../model/visible.ts'
import { actorName } from '../model/words.ts'
import { LampIcon } from '../parts/lamp.tsx'
import { ModeDialog } from '../parts/change/asked.ts'

export function Bands() {
  return (
    <>
      <LineBand />
      <ReaderBand />
      <ModeBands />
    </>
  )
}

/** The reason that each disabled act has, where keyboard and thumb reach it. */
function ReaderBand() {
  const ref = useRef<HTMLParagraphElement>(null)
  const presses = refusedPresses.value
  useEffect(() => {
    if (presses > 0) ref.current?.focus()
  }, [presses])
  if (whyNot.value === null) return null
  return (
    <p class="band off" role="status" tabIndex={-1} ref={ref}>
      <LampIcon lamp="off" plain />
      <span>{visible(whyNot.value)}</span>
    </p>
  )
}

const behindText = (age: string): string => (age === 'now' ? 'Behind.' : `Behind ${age}.`)

function LineBand() {
  const state = line.value
  if (state.kind !== 'behind' && state.kind !== 'offline') return null
  const behind = state.kind === 'behind'
  return (
    <p class="band off" role="status">
      <LampIcon lamp="unknown" plain />
      <span>
        <b>{behind ? behindText(ageText(state.since, now.value)) : 'Offline.'}</b>{' '}
        {behind ? 'The line to the daemon is lost' : 'The daemon does not answer'}; it is tried again{' '}
        {untilText(state.next_try_at, now.value)}. What you see was true then.
      </span>
      <button type="button" class="btn" onClick={tryNow}>
        Try now
      </button>
    </p>
  )
}

function ModeBands() {
  // What is set is asked for only where the overview, which every page has, tells of any.
  const { modes_set = 0 } = useResource<Overview>('/api/overview').value ?? {}
  const modes = useResource<Modes>(modes_set > 0 ? '/api/modes' : '').value
  const shown = (modes?.settings ?? []).filter((one) => isUnusual(one) || repairsForNow(one))
  const asking = useSignal<string | null>(null)
  return (
    <>
      {shown.map((setting) => {
        const { scope, reason, actor } = setting
        const { state, end } = bandWords(setting, now.value)
        return (
          <p class="band" role="status" key={scope}>
            <LampIcon lamp="pending" plain />
            <span>
              <b>{state}</b>
              {end}. Set by {visible(actorName(actor))}
              {reason !== '' && `: ${visible(reason)}`}.
            </span>
            <button
              type="button"
              class="btn"
              disabled={!mayChange.value}
              onClick={() => (asking.value = scope)}
            >
              Resume…
            </button>
          </p>
        )
      })}
      {asking.value !== null && (
        <ModeDialog
          mode="repair"
          scope={asking.value}
          onClose={() => {
            asking.value = null
          }}
        />
      )}
    </>
  )
}
