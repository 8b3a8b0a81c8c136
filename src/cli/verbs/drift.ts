/** `plumbline drift`: is the world what the database says? Made for CI: 0 clean, 2 drift, 3 unknown. */
import { Failure } from '../../kernel/failure.ts'
import { expectGood } from '../api.ts'
import { EXIT } from '../exit-codes.ts'
import { coloured, styled, table, type Terminal } from '../terminal.ts'
import type { Verb, VerbContext } from '../verb.ts'
import { withApi } from '../with-api.ts'

interface Drift {
  readonly drift: boolean | null
  readonly reason: string | null
  readonly path: string
  readonly differences: readonly {
    readonly item: string
    readonly cause: string
    readonly domains: readonly string[]
    readonly detail: string
  }[]
  readonly unified_diff: string | null
  readonly note: string | null
}

export const drift: Verb = {
  name: 'drift',
  takes: '',
  help: 'Compare the routes file with the database. Exit code 0 clean, 2 drift, 3 unknown.',
  options: {},
  async run(context) {
    const { terminal } = context
    const found = await look(context)
    if (terminal.json) terminal.out(JSON.stringify(found, null, 2))
    else tell(found, terminal)
    if (found.drift === null) return EXIT.unknown
    return found.drift ? EXIT.drift : EXIT.ok
  },
}

/** Whatever keeps us from looking leaves the answer unknown. Only a bad configuration is the caller's to mend first. */
async function look(context: VerbContext): Promise<Drift> {
  try {
    return await withApi(context, (api) =>
      expectGood<Drift>(api, { method: 'GET', path: '/api/domains/drift' }),
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'bad_configuration') throw error
    return { drift: null, reason: error.message, path: '', differences: [], unified_diff: null, note: null }
  }
}

function tell(found: Drift, terminal: Terminal): void {
  if (found.drift === null) terminal.out(styled('yellow', `unknown: ${found.reason}`))
  else if (found.drift) terminal.out(styled('red', `drift: ${found.path} differs from the database`))
  else terminal.out(styled('green', `clean: ${found.path} is what the database says`))
  const rows = found.differences.map(({ cause, item, detail }) => [cause, item, detail])
  for (const line of table(rows)) terminal.out(`  ${line}`)
  if (found.unified_diff !== null && found.drift === true)
    terminal.out(`\n${coloured(found.unified_diff).trimEnd()}`)
  if (found.note !== null) terminal.out(`\n${found.note}`)
}
