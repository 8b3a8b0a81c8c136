/** The checks beside a field, each with its own state. One that is unknown, or says no, keeps nobody from going on. */
import type { ComponentChildren } from 'preact'
import { domainAddress } from '../../address.ts'
import { useResource } from '../../api/cache.ts'
import type { Checked, Checks } from '../../api/checks.ts'
import type { Domain } from '../../api/types.ts'
import { visible } from '../../model/visible.ts'
import { LampIcon } from '../../parts/lamp.tsx'

const LAMPS = { ok: 'ok', no: 'bad', unknown: 'unknown' } as const

interface Props {
  readonly checks: Checks
  readonly parts: readonly Checked['part'][]
}

export function PartChecks({ checks, parts }: Props) {
  return (
    <div aria-live="polite" aria-atomic="false">
      {checks.kind === 'looking' && <Check lamp="moving">Looking</Check>}
      {checks.kind === 'unknown' && <Check lamp="unknown">Not found out: {visible(checks.detail)}</Check>}
      {checks.kind === 'checked' &&
        checks.checks
          .filter(({ part, result }) => parts.includes(part) && (part !== 'name' || result !== 'ok'))
          .map(({ part, result, detail, domain_id }) => (
            <Check key={part} lamp={LAMPS[result]}>
              {visible(detail)}
              {domain_id !== null && <OpenIt id={domain_id} />}
            </Check>
          ))}
    </div>
  )
}

/** By the name that the record has: what was typed may be spelled otherwise. */
function OpenIt({ id }: { readonly id: number }) {
  const found = useResource<Domain>(`/api/domains/${id}`).value
  return found === undefined ? null : (
    <>
      {' '}
      <a href={domainAddress(found.domain)}>Open it</a>
    </>
  )
}

interface CheckProps {
  readonly lamp: 'ok' | 'bad' | 'unknown' | 'moving'
  readonly children: ComponentChildren
}

export const Check = ({ lamp, children }: CheckProps) => (
  <p class="check s">
    <LampIcon lamp={lamp} />
    <span>{children}</span>
  </p>
)
