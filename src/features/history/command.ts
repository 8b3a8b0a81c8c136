/** `plumbline history`: how the looks at a domain came out over the last day. */
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { domainId } from '../../cli/find-domain.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { shortTime, tellAs, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import type { HistoryAnswer } from './read-history.ts'

export const history: Verb = {
  name: 'history',
  help: 'Shows how the looks at a domain came out over the last day.',
  notes: ['Exit code 0 it answered the last time, 2 it did not, 3 that is not known.'],
  forms: [
    {
      words: 'DOMAIN',
      help: 'Shows how often it answered, and the quarters of an hour in which it did not.',
      examples: [['history app.example.com', 'Was it down last night?']],
      is_long: true,
      async run(context) {
        const answer = await withApi(context, async (api) => {
          const id = await domainId(api, context.words[0]!)
          return expectGood<HistoryAnswer>(api, { method: 'GET', path: `/api/domains/${id}/history` })
        })
        tellAs(context.terminal, answer, tell)
        return EXITS[answer.last?.state ?? 'unknown']
      },
    },
  ],
}

const EXITS = { ok: EXIT.ok, bad: EXIT.drift, unknown: EXIT.unknown } as const

function tell({ domain, uptime, ok, bad, unknown, last, buckets }: HistoryAnswer, terminal: Terminal): void {
  if (ok + bad + unknown === 0 && last === null)
    return tellProse(
      terminal,
      `${domain}: nobody has looked at it in the last day, nor since the daemon started.`,
    )
  const share = uptime === null ? 'Nothing is known of the last day' : `It answered ${uptime} % of the time`
  tellProse(terminal, `${domain}: ${share} (${ok} looks ok, ${bad} bad, ${unknown} unknown).`)
  tellProse(terminal, last === null ? 'Nobody has looked since the start.' : last.message)
  const rows = buckets
    .filter((bucket) => bucket.bad + bucket.unknown > 0)
    .map((bucket) => [shortTime(bucket.at), `${bucket.bad} bad`, `${bucket.unknown} unknown`])
  tellTable(terminal, rows, { indent: '  ' })
}
