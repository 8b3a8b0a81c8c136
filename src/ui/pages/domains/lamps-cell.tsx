/** The five lamps of a row, each a button that answers why. */
import { LAMP_NAMES, LAMP_WORDS, LAMPS } from '../../model/lamps.ts'
import type { DomainRow } from '../../model/domain-rows.ts'
import { LampIcon } from '../../parts/lamp.tsx'
import { asked } from './why.tsx'

export function LampsCell({ row }: { readonly row: DomainRow }) {
  return (
    <span class="lamps">
      {LAMPS.map((name, at) => {
        const lamp = row.lamps[at] ?? 'unknown'
        return (
          <button
            key={name}
            type="button"
            aria-label={`${LAMP_NAMES[name]}: ${LAMP_WORDS[lamp]}. Why?`}
            title={`${LAMP_NAMES[name]}: ${LAMP_WORDS[lamp]}`}
            aria-haspopup="dialog"
            onClick={({ currentTarget: anchor }) => {
              asked.value = { id: row.id, domain: row.domain, lamp: name, anchor }
            }}
          >
            <LampIcon lamp={lamp} of={row.id} plain />
          </button>
        )
      })}
    </span>
  )
}
