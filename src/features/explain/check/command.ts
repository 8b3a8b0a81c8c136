/** `plumbline check`: whether a new name and its backend would do. */
import { EXIT } from '../../../cli/exit-codes.ts'
import { Misuse } from '../../../cli/misuse.ts'
import { tellTable } from '../../../cli/text/table.ts'
import type { Verb } from '../../../cli/verb.ts'
import { asks } from '../../../cli/with-api.ts'
import type { CheckedPart } from './views.ts'

interface Checked {
  readonly checks: readonly CheckedPart[]
}

export const check: Verb = {
  name: 'check',
  help: 'Says whether a new name and its backend would do.',
  notes: ['Changes nothing. Exit code 0 all would do, 2 something would not, 3 something is not known.'],
  forms: [
    {
      words: 'NAME [BACKEND]',
      help: 'Looks at the name, its zone and its certificate, and connects once to a backend HOST:PORT.',
      examples: [['check notes.example.com 192.168.1.20:3000', 'Before it is added.']],
      run: asks<Checked>({
        request: ({ words: [domain, backend] }) => ({
          method: 'POST',
          path: '/api/domains/check',
          body: { domain, ...(backend === undefined ? {} : placeIn(backend)) },
        }),
        text: ({ checks }, terminal) =>
          tellTable(
            terminal,
            checks.map(({ part, result, detail }) => [result, part.replaceAll('_', ' '), detail]),
          ),
        exit: ({ checks }) =>
          checks.some(({ result }) => result === 'no')
            ? EXIT.drift
            : checks.some(({ result }) => result === 'unknown')
              ? EXIT.unknown
              : EXIT.ok,
      }),
    },
  ],
}

function placeIn(text: string): { readonly backend_host: string; readonly backend_port: number } {
  const [, host, port] = /^(?:[a-z0-9]+:\/\/)?(\[[^\]]+\]|[^:[\]/]+):(\d{1,5})\/?$/i.exec(text) ?? []
  if (host === undefined) throw new Misuse(`${text} is no backend: give HOST:PORT.`)
  return { backend_host: host.replace(/^\[(.*)\]$/, '$1'), backend_port: Number(port) }
}
