/** `plumbline add`: a new domain, planned, asked about and deployed; `--save` only saves it. */
import { isIP } from 'node:net'
import { expectGood } from '../../../cli/api.ts'
import { tellUnreached, whyMisspoken } from '../../../cli/backends.ts'
import { domainId } from '../../../cli/find-domain.ts'
import { confirmed } from '../../../cli/confirmed.ts'
import { EXIT, exitCodeAfter } from '../../../cli/exit-codes.ts'
import { Misuse } from '../../../cli/misuse.ts'
import { settle, SETTLING } from '../../../cli/settle.ts'
import { tellDeployment } from '../../../cli/text/tell-deployment.ts'
import { tellProse } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { tellAs } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { flagOf } from '../../../cli/words/given.ts'
import { Failure } from '../../../kernel/failure.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import { POLICY_WORDS } from '../../../model/access/policy-words.ts'
import type { DeploymentResult, SuccessAnswer } from '../../../core/answers.ts'
import { backendIn, FIELD_OPTIONS, fieldsIn, optionMeant } from './fields.ts'
import { tellRehearsed } from './tell-saved.ts'
import type { RehearsedSave } from '../api/save-schemas.ts'

export const add: Verb = {
  name: 'add',
  help: 'Adds a domain and deploys it.',
  notes: [
    'service_type is http and environment production where nothing else is said. Without a scheme and a trust the backend is asked how it is spoken to; what asks for new trust is refused with the choices.',
    POLICY_WORDS,
  ],
  forms: [
    {
      words: 'NAME [BACKEND]',
      help: 'Saves a domain with a backend such as 10.0.0.5:8080 or https://nas.lan:5001, shows the plan, and deploys it.',
      options: {
        save: { help: 'Only saves it: nothing outside moves until "plumbline on NAME".' },
        ...FIELD_OPTIONS,
        ...SETTLING,
      },
      meant: optionMeant,
      fields: { domain: 'NAME', backend_host: 'BACKEND', backend_port: 'BACKEND' },
      examples: [
        [
          'add notes.example.com 192.168.1.20:3000 --static-ip 203.0.113.7',
          'It is public, behind single sign-on.',
        ],
        ['add www.example.com 10.0.0.5:8080 --no-auth-required --tags web', 'It is open to everybody.'],
        ['add nas.example.com https://192.168.1.5:5001 --backend-tls ca:home', 'Its backend speaks https.'],
        [
          'add db.example.com tcp://10.0.0.9:5432 --tcp-entrypoint postgres',
          'TCP, by an entrypoint of its own.',
        ],
        ['add draft.example.com 10.0.0.7:80 --save', 'Saved, and nothing else.'],
      ],
      run: added,
    },
  ],
}

async function added(context: VerbContext): Promise<number> {
  const { words, options } = context
  const [domain, backend] = words as readonly [string, string | undefined]
  if (backend !== undefined && isBackend(domain) && !isBackend(backend))
    throw new Misuse(
      `NAME comes first: plumbline add ${shellWord(backend.slice(0, 260))} ${shellWord(domain.slice(0, 260))}`,
      [],
    )
  if (backend === undefined && options['service-type'] !== 'manual')
    throw new Misuse(
      `BACKEND is missing: say where ${domain.slice(0, 260)} leads, as 10.0.0.5:8080. Only --service-type manual has none.`,
    )
  const body = { domain, ...(backend === undefined ? {} : backendIn(backend)), ...fieldsIn(options) }
  const work = flagOf(options, 'save') ? saved(context, body) : exposed(context, domain, body)
  return work.catch((error: unknown) => {
    throw error instanceof Failure && error.details.facts?.['code'] === 'name_taken'
      ? new Failure(error.code, `${error.message}${takenWords(domain)}`, error.details)
      : error
  })
}

/** It has a scheme, a port, or is an address, as no name does. */
const isBackend = (word: string): boolean => /[:/]/.test(word) || isIP(word) !== 0

const takenWords = (domain: string): string =>
  ` "plumbline show ${shellWord(domain)}" shows it, "plumbline set ${shellWord(domain)} FIELD=VALUE" changes it.`

function exposed(
  context: VerbContext,
  domain: string,
  body: Readonly<Record<string, unknown>>,
): Promise<number> {
  const { terminal } = context
  return withApi(context, async (api) => {
    const settled = await settle<DeploymentResult>(context, api, {
      request: { method: 'POST', path: '/api/domains/expose', body },
      question: `Add and deploy ${domain}?`,
    })
    if (!settled.done) return settled.exit
    tellDeployment(settled.answer, terminal)
    if (!terminal.json)
      await tellUnreached(api, [{ id: await domainId(api, domain), domain }], terminal, whyMisspoken)
    return exitCodeAfter(settled.answer)
  })
}

const USUAL = { service_type: 'http', environment: 'production' }

function saved(context: VerbContext, given: Readonly<Record<string, unknown>>): Promise<number> {
  const { terminal, options } = context
  const is_dry = flagOf(options, 'dry-run')
  return withApi(context, async (api) => {
    const path = is_dry ? '/api/domains?dry_run=true' : confirmed('/api/domains', options)
    const body = { ...USUAL, ...given }
    const answer = await expectGood<SuccessAnswer | RehearsedSave>(api, { method: 'POST', path, body })
    tellAs(terminal, answer, () => {
      if ('dry_run' in answer) return tellRehearsed(answer, terminal)
      tellProse(terminal, answer.message)
      tellWarnings(answer.warnings, terminal)
      terminal.note(`"plumbline on ${shellWord(String(given['domain']))}" deploys it.`)
    })
    return is_dry ? EXIT.drift : EXIT.ok
  })
}
