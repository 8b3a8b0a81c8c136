/** What is typed, once nobody has typed for a moment. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

const SETTLE_MS = 300

/** The last text that stood for 300 ms; empty until then. */
export function useSettled(text: string): string {
  const settled = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled.value
}
