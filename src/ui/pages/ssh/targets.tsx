/** What is reached through the SSH gateway by a name: where it leads, and whether the gateway says so. */
import { refresh, useResource } from '../../api/cache.ts'
import type { SshTargets } from '../../api/companions/inventory.ts'
import type { Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { plain } from '../../model/words.ts'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { Resource } from '../../parts/panel.tsx'

const TARGETS = '/companions/inventory/api/ssh-targets'

type Target = SshTargets[number]

export function Targets() {
  const targets = useResource<SshTargets>(TARGETS)
  return (
    <section class="gap2" aria-labelledby="targets">
      <h2 class="t" id="targets">
        Targets
      </h2>
      <p class="q2 flush">What somebody reaches who types a name after ssh.</p>
      <Resource of={targets} what="The SSH targets" retry={() => void refresh(TARGETS)}>
        {(all) =>
          all.length === 0 ? (
            <NotSetUp
              gives="Guests of a cluster, and what the setting lists, are reached through the gateway by their names."
              setting="PLUMBLINE_SSH_TARGETS"
              line="PLUMBLINE_SSH_TARGETS=nas=admin@192.168.1.5:22"
            />
          ) : (
            <Listing
              rows={all}
              idOf={({ name }) => name}
              one="target"
              columns={COLUMNS}
              lampOf={lampOf}
              fields={FIELDS}
              hint="name, address, is:wrong"
              prefix="t"
            />
          )
        }
      </Resource>
    </section>
  )
}

/** Another key than the known one shuts everybody out until somebody decides. */
function lampOf({ state, released, shown_key }: Target): Lamp {
  if (shown_key !== null) return 'bad'
  if (state === 'unknown') return 'unknown'
  if (state === 'gone') return 'drift'
  return state === 'present' && released ? 'ok' : 'pending'
}

function stateWords({ state, released, shown_key }: Target): string {
  if (shown_key !== null) return 'shows another host key'
  if (state === 'present') return released ? 'released' : 'not released'
  return plain(state)
}

const COLUMNS: readonly Column<Target>[] = [
  { key: 'name', title: 'Name', by: ({ name }) => name, cell: ({ name }) => visible(name) },
  {
    key: 'leads',
    title: 'Leads to',
    mono: true,
    by: ({ address }) => address,
    cell: ({ user, address, port }) => visible(`${user}@${address}:${port}`),
  },
  {
    key: 'key',
    title: 'Host key',
    cell: ({ host_key }) => (host_key === null ? 'not seen yet' : visible(host_key.split(' ')[0] ?? '')),
  },
  {
    key: 'from',
    title: 'From',
    by: ({ source }) => source,
    cell: ({ source, vmid }) => (source === 'guest' ? `guest ${vmid ?? ''}` : 'the setting'),
  },
  { key: 'state', title: 'State', end: true, by: stateWords, cell: (one) => visible(stateWords(one)) },
]

const FIELDS = {
  words: ({ name, address, user }: Target) => `${name} ${address} ${user}`,
  keys: { from: ({ source }: Target) => [source] },
  is: {
    wrong: (one: Target) => ['drift', 'bad', 'unknown'].includes(lampOf(one)),
    released: ({ released }: Target) => released,
  },
}
