/** Names whose numbers do not fit into their blocks of the scheme: each is a slip of the pen that would never be offered. Pure. */
import { Failure, fieldError } from '../../kernel/failure.ts'
import type { InventorySettings } from './inventory.ts'
import { most } from './numbers/scheme.ts'

/** `bad_configuration`, each with the setting that it names. */
export function numberFaults({ scheme, nodes, purposes }: InventorySettings): readonly Failure[] {
  const named = [
    { setting: 'PLUMBLINE_VMID_NODES', all: nodes, block: scheme.node },
    // The purposes that nobody set are ten, and a block has one digit at least.
    { setting: 'PLUMBLINE_VMID_PURPOSES', all: purposes, block: scheme.purpose },
  ]
  return named.flatMap(({ setting, all, block }) =>
    all
      .filter(({ number }) => number > most(block))
      .map(({ number, name }) => {
        const msg = `gives ${number} to ${name}, but PLUMBLINE_VMID_SCHEME=${scheme.letters} has room up to ${most(block)}`
        return new Failure('bad_configuration', `${setting}: ${msg}.`, {
          errors: [fieldError([setting], msg, 'config')],
        })
      }),
  )
}
