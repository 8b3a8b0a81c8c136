/** Goes back to a release, or to one record of it: through a plan. */
import { mayChange, whyNot } from '../../api/session.ts'
import { visible } from '../../model/visible.ts'
import { startChange } from '../acts.tsx'

interface RestoreProps {
  readonly number: number
  /** One record alone; all others stay as they are. */
  readonly record?: { readonly domain_id: number; readonly domain: string }
  /** What the button says. */
  readonly text?: string
}

/** As it stood in that release, saved and deployed: through a plan. */
export function RestoreButton({ number, record, text }: RestoreProps) {
  const what = record === undefined ? 'Go back' : `Put ${visible(record.domain)} back`
  return (
    <button
      type="button"
      class="btn"
      aria-label={
        text ?? `Restore ${record === undefined ? '' : `${visible(record.domain)} to `}release ${number}…`
      }
      disabled={!mayChange.value}
      title={whyNot.value ?? undefined}
      onClick={() =>
        startChange({
          label: `${what} to release ${number}`,
          change: {
            kind: 'call',
            method: 'POST',
            path: `/api/releases/${number}/restore`,
            ...(record !== undefined && { body: { domains: [record.domain_id] } }),
          },
        })
      }
    >
      {text ?? 'Restore…'}
    </button>
  )
}
