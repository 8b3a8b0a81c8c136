/** One thing of a list, opened at the right edge over it; what is open stands in the address. */
import type { ComponentChildren } from 'preact'
import { setQuery } from '../../address.ts'
import type { Lamp } from '../../model/lamps.ts'
import { Dialog } from '../dialog.tsx'
import { LampIcon } from '../lamp.tsx'

export const OPEN = 'open'

/** "Back" closes it again. */
export const openSheet = (key: string): void => setQuery({ [OPEN]: key }, { push: true })
const closeSheet = (): void => setQuery({ [OPEN]: null })

interface Props {
  readonly lamp: Lamp
  readonly title: ComponentChildren
  readonly label: string
  readonly children: ComponentChildren
}

export const Sheet = ({ lamp, title, label, children }: Props) => (
  <Dialog label={label} onClose={closeSheet} kind="sheet-dialog">
    <header>
      <LampIcon lamp={lamp} />
      <h2>{title}</h2>
      <button type="button" class="btn quiet mla" onClick={closeSheet}>
        Close
      </button>
    </header>
    {children}
  </Dialog>
)
