/** One number: what it means, whether it may be, who has it. Nothing is reserved by looking. */
import { useSignal } from '@preact/signals'
import { useResource } from '../../api/cache.ts'
import type { CheckedVmid, DecodedVmid, ValidatedVmid } from '../../api/companions/inventory.ts'
import { vmidFault } from '../../model/looked-at/inventory.ts'
import { visible } from '../../model/visible.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { FactList } from '../../parts/listing/facts.tsx'
import { Resource } from '../../parts/panel.tsx'
import { useSettled } from '../../parts/settled.ts'

const BASE = '/companions/inventory/api'

export function CheckNumber({ onClose }: { readonly onClose: () => void }) {
  const number = useSignal('')
  const typed = number.value.trim()
  const settled = useSettled(typed)
  return (
    <Dialog label="Check a number" onClose={onClose}>
      <h2 class="t">Check a number</h2>
      <Field
        label="Number"
        value={number.value}
        placeholder="1405"
        autofocus
        fault={vmidFault(typed)}
        onInput={(value) => {
          number.value = value
        }}
      />
      {settled === typed && typed !== '' && vmidFault(typed) === null && <OneNumber vmid={typed} />}
      <p class="acts gap">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  )
}

function OneNumber({ vmid }: { readonly vmid: string }) {
  const checked = useResource<CheckedVmid>(`${BASE}/vmid/check?vmid=${vmid}`)
  const valid = useResource<ValidatedVmid>(`${BASE}/vmid/validate?vmid=${vmid}`)
  const decoded = useResource<DecodedVmid>(`${BASE}/vmid/decode?vmid=${vmid}`)
  return (
    <>
      <Resource of={checked} what="Who has it">
        {({ in_use, reserved, holders }) => (
          <p class="why" role="status">
            <LampIcon lamp={in_use === null ? 'unknown' : in_use || reserved ? 'drift' : 'ok'} />
            <span>
              {in_use === null
                ? 'Not everything could be seen, so somebody may have it.'
                : in_use
                  ? `Taken by ${visible(holders.map(({ name, cluster }) => `${name} at ${cluster}`).join(', '))}.`
                  : reserved
                    ? 'Held for somebody who asked for a number.'
                    : 'Free.'}
            </span>
          </p>
        )}
      </Resource>
      <Resource of={valid} what="Whether it may be">
        {({ problems }) => (
          <ul>
            {problems.map(({ code, message }) => (
              <li key={code} class="why">
                <LampIcon lamp="drift" /> <span>{visible(message)}</span>
              </li>
            ))}
          </ul>
        )}
      </Resource>
      <Resource of={decoded} what="What it means">
        {({ node, purpose, sequence, address }) => (
          <FactList
            facts={[
              ['Node', node],
              ['Purpose', purpose],
              ['Sequence', sequence === null ? null : String(sequence)],
              ['Address by the scheme', address],
            ]}
          />
        )}
      </Resource>
    </>
  )
}
