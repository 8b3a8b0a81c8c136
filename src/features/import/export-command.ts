/** `plumbline export`: all records as one readable document. */
import type { DomainFields, DomainRecord } from '../../model/domain/record.ts'
import { exportEstate as estateOf } from './export.ts'
import type { Api } from '../../cli/api.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import type { Verb } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

type Exported = DomainFields & Pick<DomainRecord, 'status'>

export const exportEstate: Verb = {
  name: 'export',
  takes: '',
  help: 'Write all records as one YAML document, to standard output or with --out FILE.',
  options: { out: { type: 'string' } },
  async run(context) {
    const { terminal, options, surroundings } = context
    const records = await withApi(context, allRecords)
    const estate = estateOf(records)
    const text = terminal.json ? `${JSON.stringify(estate, null, 2)}\n` : surroundings.documents.write(estate)
    const path = options['out']
    if (typeof path !== 'string') terminal.out(text.trimEnd())
    else {
      await surroundings.writeFile(path, text)
      terminal.note(`Wrote ${records.length} domains to ${path}.`)
    }
    return EXIT.ok
  },
}

async function allRecords(api: Api): Promise<readonly Exported[]> {
  return expectGood<readonly Exported[]>(api, { method: 'GET', path: '/api/domains?limit=10000' })
}
