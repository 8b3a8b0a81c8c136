/** `plumbline detect` and `plumbline open`: what a backend speaks, and the domain in a browser. */
import { EXIT } from '../../../cli/exit-codes.ts'
import { domainId } from '../../../cli/find-domain.ts'
import { tellProse, tellTable } from '../../../cli/text/table.ts'
import { styled, tellAs, type Terminal } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { asks, withApi } from '../../../cli/with-api.ts'
import { textOf } from '../../../cli/words/given.ts'
import { Failure } from '../../../kernel/failure.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import type { PresentedDomain } from '../present.ts'
import { recordNamed } from './record.ts'
import type { Autodetected } from '../backend/views.ts'

export const detect: Verb = {
  name: 'detect',
  help: 'Asks a backend what it speaks, and suggests a service type.',
  notes: ['Changes nothing. Exit code 3 where nothing can be said of it.'],
  forms: [
    {
      words: 'NAME',
      help: 'Asks the backend of a domain a closed set of questions.',
      options: { path: { value: 'PATH', help: 'Where pages are asked for; / when left out.' } },
      examples: [['detect app.example.com', 'What it is, and whether the proxy gets on with it.']],
      run: asks<Autodetected>({
        requestBy: async (api, { words, options }) => {
          const path = textOf(options, 'path')
          return {
            method: 'POST',
            path: `/api/domains/${await domainId(api, words[0]!)}/autodetect`,
            body: path === undefined ? {} : { path },
          }
        },
        text: tellDetected,
        exit: ({ suggestion }) => (suggestion === null ? EXIT.unknown : EXIT.ok),
      }),
    },
  ],
}

function tellDetected(found: Autodetected, terminal: Terminal): void {
  const { domain, service_type, suggestion, agrees, evidence, not_probed_because, notes } = found
  tellProse(terminal, headOf(found))
  if (not_probed_because !== null)
    tellProse(terminal, `It was not asked: ${not_probed_because.replaceAll('_', ' ')}.`)
  const rows = evidence.map(({ probe, found: is_found, detail }) => [
    is_found === null ? '?' : is_found ? '+' : '-',
    probe.replaceAll('_', ' '),
    detail,
  ])
  tellTable(terminal, rows, { indent: '  ' })
  for (const note of notes) terminal.note(note)
  if (suggestion !== null && agrees === false)
    terminal.note(
      `The record says ${service_type}: plumbline set ${shellWord(domain)} service_type=${shellWord(suggestion.service_type)}`,
    )
}

function headOf({ domain, suggestion }: Autodetected) {
  if (suggestion === null) return styled('yellow', `${domain}: nothing can be said of its backend.`)
  const { service_type, confidence, because } = suggestion
  const sure = Math.round(confidence * 100)
  return styled('bold', `${domain} looks like ${service_type} (${sure} % sure). ${because}`)
}

export const open: Verb = {
  name: 'open',
  help: 'Opens a domain in the browser.',
  forms: [
    {
      words: 'NAME',
      help: 'Opens the address of a domain; where there is no browser, it is printed.',
      options: { print: { help: 'Prints the address and opens nothing.' } },
      examples: [['open app.example.com', 'Have a look.']],
      run: opened,
    },
  ],
}

async function opened(context: VerbContext): Promise<number> {
  const { words, terminal, options, surroundings } = context
  const address = await withApi(context, async (api) => addressOf((await recordNamed(api, words[0]!)).record))
  const was_opened = options['print'] !== true && !terminal.json && (await surroundings.browse(address))
  tellAs(terminal, { address }, () => terminal.out(address))
  if (!was_opened && options['print'] !== true && !terminal.json)
    terminal.note('No browser could be opened here.')
  return EXIT.ok
}

function addressOf({ domain, protocol, ssl_enabled, external_port }: PresentedDomain): string {
  if (domain.startsWith('*.'))
    throw new Failure('conflict', `${domain} stands for many names: open one of them.`)
  if (protocol === 'tcp') throw new Failure('conflict', `${domain} is TCP: a browser does not speak to it.`)
  const usual = ssl_enabled ? 443 : 80
  const port = external_port === null || external_port === usual ? '' : `:${external_port}`
  return `${ssl_enabled ? 'https' : 'http'}://${domain}${port}/`
}
