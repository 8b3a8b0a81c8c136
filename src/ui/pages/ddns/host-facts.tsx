/** One host: why its lamp shows what it shows, what counts, what was reported, and what can be done. */
import { domainAddress } from '../../address.ts'
import { now } from '../../api/clock.ts'
import { mayChange } from '../../api/session.ts'
import { parseTime, parseTimeOr, untilText } from '../../model/ages.ts'
import { flapText, hostState, reportedText, sourceWords, type DdnsHost } from '../../model/granted/ddns.ts'
import { visible } from '../../model/visible.ts'
import { actorName, count } from '../../model/words.ts'
import { Time } from '../../parts/age.tsx'
import { FactsDialog } from '../../parts/listing/facts.tsx'

interface Props {
  readonly of: DdnsHost
  readonly onIssue: () => void
  readonly onClose: () => void
}

export function HostFacts({ of: host, onIssue, onClose }: Props) {
  const { lamp, why } = hostState(host)
  const { counts, refused, changed_at, flapping, waiting, tokens, domain_id } = host
  const changed = parseTimeOr(changed_at)
  return (
    <FactsDialog
      title={host.host}
      lamp={lamp}
      why={why}
      onClose={onClose}
      facts={[
        ['Published', counts === null ? 'nothing' : counts.addresses.join(', ')],
        ['From', counts === null ? null : sourceWords(counts.source)],
        ['Reported', reportedText(host)],
        ['Refused', refused === null ? null : <Time at={parseTime(refused.at)} ago />],
        ['Changed', changed === null ? null : <Time at={changed} ago />],
        [
          'Back and forth',
          flapping.length === 0
            ? null
            : `${flapText(flapping)}, until ${untilText(parseTime(flapping[0]!.until), now.value)}`,
        ],
        [
          'Waits',
          waiting.length === 0
            ? null
            : waiting
                .map(({ address, due_at }) => `${address}, taken ${untilText(parseTime(due_at), now.value)}`)
                .join('; '),
        ],
        ['Keys', tokens === 0 ? 'none is valid' : `${count(tokens, 'key')} valid`],
      ]}
      acts={
        <>
          <button type="button" class="btn first" disabled={!mayChange.value} onClick={onIssue}>
            Issue a key…
          </button>
          {domain_id !== null && (
            <a class="btn" href={domainAddress(host.host)}>
              Open the domain
            </a>
          )}
        </>
      }
    >
      <History of={host} />
    </FactsDialog>
  )
}

function History({ of: { history } }: { readonly of: DdnsHost }) {
  if (history.length === 0) return null
  return (
    <>
      <h3 class="t">Addresses before</h3>
      <ul>
        {history.map(({ type, address, at, actor }) => (
          <li key={`${at} ${type}`} class="s q2">
            <span class="mono">{visible(address)}</span> <Time at={parseTime(at)} ago /> by{' '}
            {visible(actorName(actor))}
          </li>
        ))}
      </ul>
    </>
  )
}
