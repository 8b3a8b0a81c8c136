/** `plumbline export`: all records as one readable document. */
import type { DomainFields, DomainRecord } from '../../model/domain/record.ts'
import { exportEstate as estateOf } from './export.ts'
import { answerTo, type Api, type ApiAnswer, goodBody } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { agreed } from '../../cli/settle.ts'
import { visibleJson } from '../../kernel/text/visible.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { withApi } from '../../cli/with-api.ts'

type Exported = DomainFields & Pick<DomainRecord, 'status'>

export const exportEstate: Verb = {
  name: 'export',
  help: 'Writes all records as one YAML document.',
  forms: [
    {
      words: '',
      help: 'Writes to standard output, or into a file. What has its default is left out; "import" and "sync" read it.',
      options: {
        out: {
          value: 'FILE',
          short: 'o',
          help: 'Writes into this file. On a terminal it is asked about where other text stands in it; a script writes over it.',
        },
        yes: { short: 'y', help: 'Writes over it without a question.' },
      },
      examples: [
        ['export --out estate.yaml', 'Keeps the estate in a file, for git or another installation.'],
        ['export --json', 'The same as JSON.'],
      ],
      surplus: 'Into a file: --out FILE.',
      is_long: true,
      run: (context) => exported(context),
    },
  ],
}

async function exported(context: VerbContext): Promise<number> {
  const { terminal, options, surroundings } = context
  // As they came: the document is read again.
  const records = await withApi(context, allRecords, { raw: true })
  const estate = estateOf(records)
  const text = terminal.json ? `${visibleJson(estate)}\n` : (await surroundings.documents()).write(estate)
  const path = textOf(options, 'out')
  if (path === undefined) terminal.out(text.trimEnd())
  else {
    const before = await surroundings.readFile(path).catch(() => null)
    const is_lost = before !== null && before !== '' && before !== text
    if (is_lost && !(await agreed(context, `${path} has other text. Write over it?`))) {
      terminal.note('Nothing was written.')
      return EXIT.failed
    }
    await surroundings.writeFile(path, text)
    terminal.note(`Wrote ${records.length === 1 ? '1 domain' : `${records.length} domains`} to ${path}.`)
  }
  return EXIT.ok
}

const NEXT = /<([^<>]+)>; rel="next"/

/** Page by page: an estate that is cut would pass for whole. */
async function allRecords(api: Api): Promise<readonly Exported[]> {
  const all: Exported[] = []
  for (let path: string | undefined = '/api/domains?limit=10000'; path !== undefined;) {
    const answered: ApiAnswer = await answerTo(api, { method: 'GET', path })
    all.push(...goodBody<readonly Exported[]>(answered))
    path = NEXT.exec(answered.headers['link'] ?? '')?.[1]
  }
  return all
}
