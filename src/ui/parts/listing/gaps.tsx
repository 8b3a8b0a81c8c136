/** What could not be seen in whole: an empty list beside it says nothing. */
import { gapLines } from '../../model/looked-at/inventory.ts'
import { visible } from '../../model/visible.ts'
import { sentence } from '../../model/words.ts'
import { LampIcon } from '../lamp.tsx'

export const Gaps = ({ of }: { readonly of: Parameters<typeof gapLines>[0] }) => (
  <>
    {gapLines(of).map((line) => (
      <p class="why" key={line} role="status">
        <LampIcon lamp="unknown" />
        <span>
          Not found out in whole: {sentence(visible(line))} What is missing may be there all the same.
        </span>
      </p>
    ))}
  </>
)
