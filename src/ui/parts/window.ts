/** Rows of one height, of which only those in sight are drawn once a list has many; a list of up to 400 is all in the page. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

const MAX_ALL = 400
const OVER = 8
/** It moves by so many rows at once: a small turn of the wheel draws nothing. */
const STEP = 4

export interface RowWindow {
  /** Only those in sight are drawn, so that each has the height that is counted with. */
  readonly windowed: boolean
  readonly begin: number
  readonly end: number
  readonly before_px: number
  readonly after_px: number
}

/**
 * @param total rows that fit what is asked for
 * @param height of a row in pixels
 * @param size of the whole list: what is left of a long one stays a window, so that no keystroke draws hundreds of rows
 */
export function useRowWindow(total: number, height: number, size = total) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const begin = useSignal(0)
  const visible = useSignal(60)
  const windowed = size > MAX_ALL
  useEffect(() => {
    if (!windowed) return undefined
    const measure = () => {
      const top = ref.current?.getBoundingClientRect().top ?? 0
      const first = Math.max(0, Math.min(total, Math.floor(-top / height)) - OVER)
      begin.value = first - (first % STEP)
      visible.value = Math.ceil(window.innerHeight / height) + 2 * OVER + STEP
    }
    measure()
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [windowed, total, height])
  return { ref, window: windowed ? windowOf(total, height, begin.value, visible.value) : wholeOf(total) }
}

const wholeOf = (total: number): RowWindow => ({
  windowed: false,
  begin: 0,
  end: total,
  before_px: 0,
  after_px: 0,
})

export function windowOf(total: number, height: number, begin: number, visible: number): RowWindow {
  const from = Math.max(0, Math.min(begin, total - visible))
  const end = Math.min(total, from + visible)
  return { windowed: true, begin: from, end, before_px: from * height, after_px: (total - end) * height }
}
