/** The state of the line to the daemon, top right: a live region. */
import { now } from '../api/clock.ts'
import { line, newVersion, type LineState } from '../api/live.ts'
import type { Lamp } from '../model/lamps.ts'
import { ageText } from '../model/ages.ts'
import { LampIcon } from '../parts/lamp.tsx'

export function lineWords(state: LineState, at: number): readonly [Lamp, string] {
  switch (state.kind) {
    case 'live':
      return ['ok', 'live']
    case 'starting':
      return ['moving', 'starting']
    case 'hidden':
      return ['off', 'paused']
    case 'restarting':
      return ['moving', 'restarting']
    case 'behind':
      return ['unknown', `behind ${ageText(state.since, at)}`]
    case 'offline':
      return ['bad', 'offline']
  }
}

export function Wire() {
  if (newVersion.value !== null)
    return (
      <span class="wire" role="status">
        <LampIcon lamp="pending" plain />
        <span>new version</span>
        <button type="button" class="btn quiet" onClick={() => window.location.reload()}>
          Reload
        </button>
      </span>
    )
  const [lamp, words] = lineWords(line.value, now.value)
  return (
    <span class="wire" role="status" aria-label={`Line: ${words.replace(/ .*/, '')}`}>
      <LampIcon lamp={lamp} plain />
      <span>{words}</span>
    </span>
  )
}
