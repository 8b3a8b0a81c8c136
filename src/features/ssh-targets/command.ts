/** `plumbline ssh-targets`: what is reached through the SSH gateway by a name. */
import type { z } from 'zod'
import type { DeploymentResult } from '../../core/answers.ts'
import type { Api } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { settle, SETTLING } from '../../cli/settle.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { tellWarnings } from '../../cli/text/tell-warnings.ts'
import { styled, tellJson, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { flagOf } from '../../cli/words/given.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import type { SshTargets, SyncedNames } from './views.ts'

type Targets = z.output<typeof SshTargets>
type Synced = z.output<typeof SyncedNames>

const BASE = '/companions/inventory/api'

export const sshTargets: Verb = {
  name: 'ssh-targets',
  help: 'What is reached through the SSH gateway by a name.',
  notes: [
    'Exit code 2 where a target shows another host key than the known one, or its guest is there no more.',
  ],
  forms: [
    {
      words: '[list]',
      help: 'Lists the targets.',
      examples: [['ssh-targets', 'What can be typed after ssh.']],
      is_long: true,
      run: asks<Targets>({
        request: () => ({ method: 'GET', path: `${BASE}/ssh-targets` }),
        text: tellTargets,
        exit: (all) =>
          all.some(({ state, shown_key }) => state === 'gone' || shown_key !== null) ? EXIT.drift : EXIT.ok,
      }),
    },
    {
      words: 'sync-names',
      help: 'Takes in names and addresses of guests.',
      options: {
        forget: { help: 'Also takes out targets whose guest is there no more.' },
        'dry-run': { help: 'Shows what would be taken in and changes nothing.' },
      },
      examples: [['ssh-targets sync-names --dry-run', 'What would be taken in.']],
      run: asks<Synced>({
        request: ({ options }) => {
          const asked = new URLSearchParams()
          if (flagOf(options, 'forget')) asked.set('forget', 'true')
          if (flagOf(options, 'dry-run')) asked.set('dry_run', 'true')
          return { method: 'POST', path: `${BASE}/ssh-targets/sync-names?${asked.toString()}` }
        },
        text: tellSynced,
        saves: ({ added, renamed, moved, removed, forgotten, ...rest }) =>
          [added, renamed, moved, removed, forgotten, rest['gone']].some((list) => list.length > 0),
      }),
    },
    {
      words: 'deploy',
      help: 'Releases them, and writes the configuration and the keys of the gateway.',
      examples: [['ssh-targets deploy', 'From now on ssh finds them.']],
      options: SETTLING,
      run: (context) => withApi(context, (api) => deploying(context, api)),
    },
  ],
}

async function deploying(context: VerbContext, api: Api): Promise<number> {
  const { terminal } = context
  const settled = await settle<DeploymentResult>(context, api, {
    request: { method: 'POST', path: `${BASE}/deploy-ssh-proxy` },
    question: 'Deploy the SSH gateway configuration?',
    asks_anyway: true,
  })
  if (!settled.done) return settled.exit
  const { message, warnings, success } = settled.answer
  if (terminal.json) tellJson(terminal, settled.answer)
  else {
    tellProse(terminal, message)
    tellWarnings(warnings, terminal)
  }
  return success ? EXIT.ok : EXIT.failed
}

function tellTargets(all: Targets, terminal: Terminal): void {
  if (all.length === 0)
    return terminal.note('There are none: set PLUMBLINE_PROXMOX or PLUMBLINE_SSH_TARGETS.')
  tellTable(
    terminal,
    all.map(({ name, address, port, user, state, released, host_key, shown_key }) => [
      name,
      `${user}@${address}:${port}`,
      state,
      released ? 'released' : 'not released',
      shown_key !== null ? 'shows another host key' : host_key === null ? 'without a host key' : '',
    ]),
  )
}

function tellSynced(synced: Synced, terminal: Terminal): void {
  const { added, renamed, moved, removed, forgotten, unchanged, complete } = synced
  const rows = [
    ...added.map((name) => ['added', name]),
    ...renamed.map(({ from, to }) => ['renamed', `${from} to ${to}`]),
    ...moved.map(({ name, from, to }) => ['moved', `${name} from ${from} to ${to}`]),
    ...synced['gone'].map((name) => ['gone', name]),
    ...removed.map((name) => ['removed', name]),
    ...forgotten.map((name) => ['forgotten', name]),
  ]
  tellTable(terminal, rows)
  tellProse(terminal, `${unchanged} unchanged.${synced.dry_run ? ' Nothing was saved.' : ''}`)
  if (complete === false)
    terminal.note(styled('yellow', 'A cluster is not known in whole: what it does not show stays as it is.'))
}
