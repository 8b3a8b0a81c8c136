/** What is reached through the SSH gateway by a name: lamps, words, and what is wrong with what helps. */
import type { SshTarget } from '../../api/companions/inventory.ts'
import type { Lamp } from '../lamps.ts'
import { plain } from '../words.ts'

type Row = Pick<SshTarget, 'state' | 'released' | 'shown_key' | 'host_key'>

/** Another key than the known one shuts everybody out until somebody decides. */
export function targetLamp({ state, released, shown_key, host_key }: Row): Lamp {
  if (state === 'gone') return 'drift'
  if (shown_key !== null) return 'bad'
  if (state === 'unknown') return 'unknown'
  if (state !== 'present' || !released) return 'pending'
  return host_key === null ? 'unknown' : 'ok'
}

export function targetWords({ state, released, shown_key }: Row): string {
  if (state === 'gone') return 'gone'
  if (shown_key !== null) return 'shows another host key'
  if (state === 'present') return released ? 'released' : 'not released'
  return plain(state)
}

/** What is wrong or still to come, and what helps; null where neither is. */
export function targetAdvice(target: SshTarget): { readonly why: string; readonly helps: string } | null {
  const { name, state, released, shown_key, host_key, cluster, vmid } = target
  if (state === 'gone')
    return {
      why: `${cluster ?? 'Its cluster'} has no guest ${vmid ?? 'of that number'} any more, and ssh ${name} leads there.`,
      helps: 'Take it out: plumbline ssh-targets sync-names --forget, then plumbline ssh-targets deploy.',
    }
  if (shown_key !== null)
    return {
      why: 'It shows another host key than the one that is known. Somebody may stand in between, so the known one stays and ssh lets nobody through.',
      helps:
        'If the machine was set up anew, say so in PLUMBLINE_SSH_TARGETS with the line below, and deploy.',
    }
  if (state === 'unknown')
    return {
      why: `Whether ${vmid === null ? 'it' : `guest ${vmid}`} is there is not known: ${cluster ?? 'its cluster'} could not be seen in whole.`,
      helps: 'Nothing is taken out meanwhile.',
    }
  if (state === 'new' || state === 'changed')
    return {
      why:
        state === 'new'
          ? 'It was found and not taken in yet.'
          : 'The guest has another name or address by now; ssh leads where it was.',
      helps: 'Take it in: plumbline ssh-targets sync-names, then plumbline ssh-targets deploy.',
    }
  if (!released)
    return {
      why: 'It does not stand in the configuration of the gateway yet.',
      helps: 'Release it: plumbline ssh-targets deploy.',
    }
  if (state === 'stopped')
    return { why: 'The guest is stopped.', helps: 'Start it, and its name leads there.' }
  return host_key === null
    ? {
        why: 'No host key of it is known, so ssh lets nobody through.',
        helps: 'A deploy asks it once it can be reached: plumbline ssh-targets deploy.',
      }
    : null
}

/** The line for PLUMBLINE_SSH_TARGETS that takes the key that it shows now for its own. */
export const acceptingLine = ({
  name,
  user,
  address,
  port,
  shown_key,
}: Pick<SshTarget, 'name' | 'user' | 'address' | 'port' | 'shown_key'>): string =>
  `${name}=${user}@${address.includes(':') ? `[${address}]` : address}:${port} ${shown_key ?? ''}`.trim()
