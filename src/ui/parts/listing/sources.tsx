/** Where what is listed comes from: each with its lamp, one sentence, and what it would give where it is not set up. */
import type { Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { Age } from '../age.tsx'
import { LampIcon } from '../lamp.tsx'

export interface Source {
  readonly key: string
  readonly lamp: Lamp
  readonly title: string
  readonly text: string
  /** The setting that would set it up; null where it is. */
  readonly setting?: string | null
  /** When it was seen last, in milliseconds. */
  readonly seen_at?: number | null
}

export const Sources = ({ label, of }: { readonly label: string; readonly of: readonly Source[] }) => (
  <ul class="sources box" aria-label={label}>
    {of.map(({ key, lamp, title, text, setting = null, seen_at = null }) => (
      <li key={key}>
        <LampIcon lamp={lamp} />
        <b>{visible(title)}</b>
        <span class="q2">
          {setting !== null && (
            <>
              Not set up. With <code>{setting}</code>{' '}
            </>
          )}
          {visible(text)}
        </span>
        {seen_at !== null && (
          <span class="s q">
            <Age at={seen_at} />
          </span>
        )}
      </li>
    ))}
  </ul>
)
