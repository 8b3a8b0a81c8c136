/** The time of the daemon, whatever the clock of this browser says; one timer for the whole page. */
import { computed, signal } from '@preact/signals'

/** Added to the browser's clock. An answer carries whole seconds, so less than two of difference is none. */
let offset = 0
const MIN_OFFSET_MS = 2000

const ticks = signal(Date.now())

export const daemonTime = (): number => Date.now() + offset

export const now = computed(() => {
  // A tick may be older than what was fetched since.
  void ticks.value
  return daemonTime()
})

/** What the `Date` of an answer says, taken at the moment it came. */
export function learnTime(date: string | null): void {
  const at = date === null ? NaN : Date.parse(date)
  if (Number.isNaN(at)) return
  const difference = at - Date.now()
  offset = Math.abs(difference) > MIN_OFFSET_MS ? difference : 0
}

/** Ticks only what is seen. */
export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) ticks.value = Date.now()
  }, 1000)
  document.addEventListener('visibilitychange', () => {
    ticks.value = Date.now()
  })
}
