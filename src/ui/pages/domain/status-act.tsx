/** Activate or deactivate a domain, by its plan. */
import { mayChange, whyNot } from '../../api/session.ts'
import type { Domain } from '../../api/types.ts'
import { visible } from '../../model/visible.ts'
import { capital } from '../../model/words.ts'
import { startChange } from '../../parts/acts.tsx'

interface Props {
  readonly record: Pick<Domain, 'id' | 'domain' | 'status'>
}

export function StatusAct({ record }: Props) {
  if (record.status === 'disabled') return null
  return <Button record={record} verb={record.status === 'active' ? 'deactivate' : 'activate'} />
}

/** For what is not live and may be. */
export function Activate({ record }: Props) {
  if (record.status !== 'inactive' && record.status !== 'error') return null
  return <Button record={record} verb="activate" first />
}

interface ButtonProps extends Props {
  readonly verb: 'activate' | 'deactivate'
  readonly first?: boolean
}

function Button({ record: { id, domain }, verb, first = false }: ButtonProps) {
  const label = capital(verb)
  return (
    <button
      type="button"
      class={first ? 'btn first' : 'btn'}
      disabled={!mayChange.value}
      title={whyNot.value ?? undefined}
      onClick={() =>
        startChange({
          label: `${label} ${visible(domain)}`,
          change: { kind: 'call', method: 'POST', path: `/api/domains/${id}/${verb}` },
          saves: true,
        })
      }
    >
      {label}…
    </button>
  )
}
