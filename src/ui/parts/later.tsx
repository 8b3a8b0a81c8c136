/** A part of a page that is fetched when it is opened first: what no page needs until something is pressed. */
import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { Empty } from './panel.tsx'

/** A new version has other names for its parts. */
export const NotLoaded = () => (
  <Empty title="This part of the console could not be loaded.">
    <button type="button" class="btn first" onClick={() => window.location.reload()}>
      Reload
    </button>
  </Empty>
)

/** What was fetched, once for all that show it: null until it is here. */
function laterPart<P>(load: () => Promise<ComponentType<P>>) {
  let known: { readonly part: ComponentType<P> } | null = null
  return () => {
    const loaded = useSignal<typeof known | 'failed'>(known)
    useEffect(() => {
      if (loaded.peek() !== null) return
      load().then(
        (part) => {
          known = { part }
          loaded.value = known
        },
        () => {
          loaded.value = 'failed'
        },
      )
    }, [])
    return loaded.value
  }
}

/** A part of a page. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const useLater = laterPart(load)
  return function Later(props: P) {
    const state = useLater()
    if (state === null) return <div aria-busy="true" />
    if (state === 'failed') return <NotLoaded />
    const { part: Part } = state
    return <Part {...props} />
  }
}

interface Closes {
  readonly onClose: () => void
}

/** A dialog or a form; it has the focus when it is there, and at once from then on. */
export function laterDialog<P extends Closes>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const useLater = laterPart(load)
  return function Later(props: P) {
    const state = useLater()
    if (state === null) return null
    if (state === 'failed')
      return (
        <Dialog label="Not loaded" onClose={props.onClose}>
          <NotLoaded />
        </Dialog>
      )
    const { part: Part } = state
    return <Part {...props} />
  }
}
