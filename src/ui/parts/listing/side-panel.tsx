/** One thing of a list, opened at the right edge over it; what is open stands in the address. */
import type { ComponentChildren } from 'preact'
import { queryOf, setQuery } from '../../address.ts'
import type { Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { Dialog } from '../dialog.tsx'
import { LampIcon } from '../lamp.tsx'

export const OPEN = 'open'

/** "Back" closes it again. */
export const openPanel = (key: string): void => setQuery({ [OPEN]: key }, { push: true })

interface Opened {
  /** The key of what is open; null for nothing. */
  value: string | null
}

/** The same for any dialog over a list. @param word of the address, where a page has two lists */
export const useOpened = (word = OPEN): Opened => ({
  get value() {
    return queryOf(word)
  },
  set value(key) {
    setQuery({ [word]: key }, { push: key !== null })
  },
})

interface NotThereProps {
  /** What each of the list is called. */
  readonly one: string
  /** What is open of it; undefined where the key is of nothing. */
  readonly of: unknown
  readonly word?: string
}

/** Where the address names something that is not in the list, which is known. */
export function NotThere({ one, of, word = OPEN }: NotThereProps) {
  const key = queryOf(word)
  if (key === null || of !== undefined) return null
  const onClose = () => setQuery({ [word]: null })
  return (
    <Dialog label={`No such ${one}`} onClose={onClose}>
      <h2 class="t">No such {one}</h2>
      <p class="q2">
        “{visible(key)}” is not in the list: it may be no more, could not be seen, or the address has another
        name for it.
      </p>
      <p class="acts gap">
        <button type="button" class="btn first" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}

const closePanel = (): void => setQuery({ [OPEN]: null })

interface Props {
  readonly lamp: Lamp
  readonly title: ComponentChildren
  readonly label: string
  readonly children: ComponentChildren
}

export const SidePanel = ({ lamp, title, label, children }: Props) => (
  <Dialog label={label} onClose={closePanel} kind="side-panel">
    <header>
      <LampIcon lamp={lamp} />
      <h2>{title}</h2>
      <button type="button" class="btn quiet mla" onClick={closePanel}>
        Close
      </button>
    </header>
    {children}
  </Dialog>
)
