/** One thing of a list over the page: its facts, what is said of it, and what can be done. */
import type { ComponentChildren } from 'preact'
import type { Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { Dialog } from '../dialog.tsx'
import { LampIcon } from '../lamp.tsx'
import { Prose } from '../text/prose.tsx'

export type Fact = readonly [string, ComponentChildren]

interface Props {
  readonly title: string
  readonly lamp?: Lamp
  /** Why its lamp shows what it shows. */
  readonly why?: string | null
  readonly facts: readonly Fact[]
  readonly acts?: ComponentChildren
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

export function FactsDialog({ title, lamp, why = null, facts, acts, onClose, children }: Props) {
  return (
    <Dialog label={visible(title)} onClose={onClose}>
      <h2 class="t">
        {lamp !== undefined && <LampIcon lamp={lamp} />}
        {visible(title)}
      </h2>
      {why !== null && (
        <p class="q2 flush">
          <Prose of={why} />
        </p>
      )}
      <FactList facts={facts} />
      {children}
      <p class="acts gap">
        {acts}
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}

/** What is not known is left out where it says nothing. */
export const FactList = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name} class="contents">
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? visible(value) : value}</dd>
        </div>
      ))}
  </dl>
)
