/** What is reached through the SSH gateway by a name: where it leads, and whether the gateway says so. */
import { refresh, useResource } from '../../api/cache.ts'
import type { SshTarget, SshTargets } from '../../api/companions/inventory.ts'
import { targetLamp, targetWords } from '../../model/granted/ssh-targets.ts'
import { needsSomebody } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import type { Column } from '../../parts/listing/column.ts'
import { Listing } from '../../parts/listing/listing.tsx'
import { NotSetUp } from '../../parts/listing/not-set-up.tsx'
import { useOpened } from '../../parts/listing/side-panel.tsx'
import { Resource } from '../../parts/panel.tsx'
import { TargetFacts } from './target-facts.tsx'

const TARGETS = '/companions/inventory/api/ssh-targets'

export function Targets() {
  const targets = useResource<SshTargets>(TARGETS)
  const open = useOpened('target')
  const shown = targets.value?.find(({ name }) => name === open.value)
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
              lampOf={targetLamp}
              fields={FIELDS}
              hint="name, address, is:wrong"
              prefix="t"
              onOpen={({ name }) => {
                open.value = name
              }}
            />
          )
        }
      </Resource>
      {shown !== undefined && (
        <TargetFacts
          of={shown}
          onClose={() => {
            open.value = null
          }}
        />
      )}
    </section>
  )
}

const COLUMNS: readonly Column<SshTarget>[] = [
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
  { key: 'state', title: 'State', end: true, by: targetWords, cell: (one) => visible(targetWords(one)) },
]

const FIELDS = {
  words: ({ name, address, user }: SshTarget) => `${name} ${address} ${user}`,
  keys: { from: ({ source }: SshTarget) => [source] },
  is: {
    wrong: (one: SshTarget) => needsSomebody(targetLamp(one)),
    released: ({ released }: SshTarget) => released,
  },
}
