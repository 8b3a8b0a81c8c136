/** One key: why its lamp shows what it shows, what it may do, and its removal. */
import { now } from '../../api/clock.ts'
import { mayChange, whyNot } from '../../api/session.ts'
import type { SshClient } from '../../api/types.ts'
import { parseTimeOr } from '../../model/ages.ts'
import { calledOf, clientState, mayWords } from '../../model/granted/ssh.ts'
import { visible } from '../../model/visible.ts'
import { Time, Until } from '../../parts/age.tsx'
import { Copy } from '../../parts/copy.tsx'
import { FactsDialog } from '../../parts/listing/facts.tsx'

const code = (text: string) => <span class="mono">{visible(text)}</span>

interface Props {
  readonly of: SshClient
  readonly onRemove: () => void
  readonly onClose: () => void
}

export function ClientFacts({ of: client, onRemove, onClose }: Props) {
  const { lamp, why } = clientState(client, now.value)
  const { type, bits, fingerprint, options, managed, also_foreign, created_at } = client
  const made = parseTimeOr(created_at)
  const end = parseTimeOr(options?.expires_at)
  return (
    <FactsDialog
      title={calledOf(client)}
      lamp={lamp}
      why={why}
      onClose={onClose}
      facts={[
        ['Whose', managed ? 'ours' : 'somebody else’s; it is never touched'],
        [
          'Fingerprint',
          <span key="f" class="mono">
            {visible(fingerprint)} <Copy text={fingerprint} what="the fingerprint" />
          </span>,
        ],
        ['Type', bits === null ? type : `${type}, ${bits} bits`],
        ['May', mayWords(client)],
        [
          'On its line',
          client.line_options === null || client.line_options === '' ? null : code(client.line_options),
        ],
        ['Ends', end === null ? managed ? 'not by itself' : null : <Until at={end} />],
        ['Added', made === null ? null : <Time at={made} ago />],
        [
          'Elsewhere',
          also_foreign && client.state !== 'foreign'
            ? 'It stands on a foreign line as well, and logs in by that one.'
            : null,
        ],
      ]}
      acts={
        managed && (
          <button
            type="button"
            class="btn danger"
            disabled={!mayChange.value}
            title={whyNot.value ?? undefined}
            onClick={onRemove}
          >
            Remove…
          </button>
        )
      }
    />
  )
}
