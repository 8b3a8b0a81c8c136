/** `plumbline deploy`: releases one domain's saved edits, or everybody's. */
import type { Api } from '../../cli/api.ts'
import { Misuse } from '../../cli/misuse.ts'
import { exitCodeAfter } from '../../cli/exit-codes.ts'
import { deployPath, domainId } from '../../cli/find-domain.ts'
import { settle, SETTLING } from '../../cli/settle.ts'
import { tellDeployment } from '../../cli/text/tell-deployment.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { flagOf } from '../../cli/words/given.ts'
import { liveDomains, tellUnreached } from '../../cli/backends.ts'
import type { DeploymentResult } from '../../core/answers.ts'

export const deploy: Verb = {
  name: 'deploy',
  help: 'Brings out what is saved.',
  notes: [
    'On a terminal the plan is shown and asked about first. Exit code 1 where not all of it stands afterwards.',
  ],
  forms: [
    {
      words: '[DOMAIN]',
      help: 'Deploys one domain by name or id, or with --all everything that is active.',
      options: {
        all: { help: 'Deploys everything that is active.' },
        proxy: { help: 'Deploys the routes alone, and what must stand before them: no DNS record moves.' },
        ...SETTLING,
      },
      examples: [
        ['deploy app.example.com', 'Brings out the edits of one domain.'],
        ['deploy --all --dry-run --out plan.md', 'Writes what a deploy of everything would do into a file.'],
      ],
      run: deployed,
    },
  ],
}

async function deployed(context: VerbContext): Promise<number> {
  const { words, terminal, options } = context
  const [domain] = words
  const scopes = [domain !== undefined, flagOf(options, 'all'), flagOf(options, 'proxy')]
  if (scopes.filter(Boolean).length !== 1) throw new Misuse('Name one domain, or say --all or --proxy.')
  return withApi(context, async (api) => {
    const settled = await settle<DeploymentResult>(context, api, {
      request: {
        method: 'POST',
        path: flagOf(options, 'proxy') ? '/api/deploy-proxy' : await deployPath(api, domain),
      },
      question: domain === undefined ? 'Deploy everything?' : `Deploy ${domain}?`,
    })
    if (!settled.done) return settled.exit
    // Of everything that is true only where nothing was left: the routes alone leave what moves a name.
    const is_whole = domain !== undefined || settled.answer.pending.length === 0
    tellDeployment(settled.answer, terminal, is_whole ? unmovedWords(domain) : undefined)
    await tellUnreached(
      api,
      domain === undefined ? await liveDomains(api) : [await named(api, domain)],
      terminal,
    )
    return exitCodeAfter(settled.answer)
  })
}

const unmovedWords = (domain: string | undefined): string =>
  `Nothing to do: ${domain ?? 'all of it'} is deployed as it is saved.`

const named = async (api: Api, domain: string) => ({ id: await domainId(api, domain), domain })
