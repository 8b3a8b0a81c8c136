/** Steps that prove themselves: each with its lamp and what it took. */
import type { Lamp } from '../../model/lamps.ts'
import { tookText } from '../../model/ages.ts'
import { LampIcon } from '../lamp.tsx'
import { Prose } from '../text/prose.tsx'

export interface Step {
  readonly key: string
  readonly lamp: Lamp | 'todo'
  readonly text: string
  readonly took_ms: number | null
}

export const Steps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <ol class="steps">
    {steps.map(({ key, lamp, text, took_ms }) => (
      <li key={key}>
        <LampIcon lamp={lamp} />
        <span>
          <Prose of={text} />
        </span>
        <span class="s q nw">{took_ms === null ? '' : tookText(took_ms)}</span>
      </li>
    ))}
  </ol>
)
