/** One thing of a list, opened at the right edge over it; what is open stands in the address. */
import type { ComponentChildren } from 'preact'
import { setQuery } from '../../address.ts'
import type { Lamp } from '../../model/lamps.ts'
import { Dialog } from '../dialog.tsx'
import { LampIcon } from '../lamp.tsx'

export const OPEN = 'open'

/** "Back" closes it again. */
export const openPanel = (key: string): void => setQuery({ [OPEN]: key }, { push: true })
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
