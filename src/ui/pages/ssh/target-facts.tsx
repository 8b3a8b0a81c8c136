/** One target: what is wrong and what helps, where it leads, and its host key whole. */
import type { SshTarget } from '../../api/companions/inventory.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { acceptingLine, targetLamp, targetAdvice, targetWords } from '../../model/granted/ssh-targets.ts'
import { visible } from '../../model/visible.ts'
import { Time } from '../../parts/age.tsx'
import { Copy } from '../../parts/copy.tsx'
import { FactsDialog } from '../../parts/listing/facts.tsx'

interface Props {
  readonly of: SshTarget
  readonly onClose: () => void
}

export function TargetFacts({ of: target, onClose }: Props) {
  const { name, user, address, port, source, vmid, cluster, released } = target
  const { host_key, key_origin, shown_key, shown_at, contacted_at } = target
  const advice = targetAdvice(target)
  const shown = parseTimeOr(shown_at)
  const contacted = parseTimeOr(contacted_at)
  return (
    <FactsDialog
      title={name}
      lamp={targetLamp(target)}
      why={advice?.why ?? null}
      onClose={onClose}
      facts={[
        ['What helps', advice?.helps],
        ['State', targetWords(target)],
        ['Leads to', <Key key="to" text={`${user}@${address}:${port}`} what="the address" />],
        ['From', source === 'setting' ? 'PLUMBLINE_SSH_TARGETS' : 'a guest'],
        ['Guest', vmid === null ? null : [String(vmid), cluster].filter(Boolean).join(' at ')],
        ['At the gateway', released ? 'released' : 'not released'],
        [
          'Host key',
          host_key === null ? 'not seen yet' : <Key key="k" text={host_key} what="the host key" />,
        ],
        [
          'Known',
          key_origin === null
            ? null
            : key_origin === 'setting'
              ? 'by PLUMBLINE_SSH_TARGETS'
              : 'since the first contact',
        ],
        ['Looked at', contacted === null ? 'not since the start' : <Time key="at" at={contacted} ago />],
        ['Shows', shown_key === null ? null : <Key key="s" text={shown_key} what="the key that it shows" />],
        ['Shows it since', shown === null ? null : <Time key="since" at={shown} ago />],
        [
          'If it is right',
          shown_key === null ? null : <Key key="l" text={acceptingLine(target)} what="the line" />,
        ],
      ]}
    />
  )
}

const Key = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <span class="mono">
    {visible(text)} <Copy text={text} what={what} />
  </span>
)
